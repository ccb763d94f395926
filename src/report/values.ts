import type { EffectiveValue } from "./effective-values.ts";
import { visible } from "../lib/escape.ts";

/** Settings with their sources, a line each. */
export function renderValues(values: readonly EffectiveValue[]): string {
  return values.map(renderValue).join("");
}

function renderValue({ key, value, source }: EffectiveValue): string {
  return `${key} = ${visible(JSON.stringify(value) ?? "(none)")}  (${visible(source)})\n`;
}
