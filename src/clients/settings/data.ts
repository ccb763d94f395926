import { isTable } from "../../lib/table.ts";
import { parseToml } from "../../lib/toml.ts";
import type { Layout } from "./model.ts";
import { readSettingsText } from "./text.ts";

/** The data of a settings file, with its hooks by event; undefined if it can't be parsed. */
export function settingsData(text: string, layout: Layout): unknown {
  return layout.kind === "tables" ? tablesData(text) : readSettingsText(text).data;
}

/** Each table of the list `hooks` names its event. */
function tablesData(text: string): unknown {
  const read = parseToml(text);
  if (read.kind === "error" || !isTable(read.data)) return undefined;
  const { hooks, ...others } = read.data;
  if (!Array.isArray(hooks)) return read.data;
  const byEvent = new Map<string, unknown[]>();
  for (const { event, ...hook } of hooks.filter(isTable)) {
    const name = String(event);
    byEvent.set(name, [...(byEvent.get(name) ?? []), hook]);
  }
  return { ...others, hooks: Object.fromEntries(byEvent) };
}
