import { valueAt } from "../../lib/table.ts";

/** The value at a path in the last of several settings that has one. */
export function lastValue(settings: readonly unknown[], path: readonly string[]): unknown {
  let found: unknown;
  for (const layer of settings) {
    const value = valueAt(layer, ...path);
    if (value !== undefined) found = value;
  }
  return found;
}
