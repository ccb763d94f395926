import { table, type Cell, type Display } from "../cli/display.ts";
import { visible } from "../lib/escape.ts";
import type { EffectiveValue } from "./values.ts";

/** What people see of `config`: what was set, in bold and with its file, among the defaults. */
export function valuesTable(display: Display, values: readonly EffectiveValue[]): string {
  const rows = values.map(({ key, value, source }): Cell[] => {
    const isDefault = source === "default";
    return [
      { text: visible(key), mark: isDefault ? display.dim : display.bold },
      { text: visible(JSON.stringify(value) ?? "(none)"), ...(isDefault && { mark: display.dim }) },
      { text: isDefault ? "" : visible(source), mark: display.good },
    ];
  });
  return table(display, rows);
}
