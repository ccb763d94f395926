/** The value at a path in the last of several settings that has one. */
export function lastValue(settings: readonly unknown[], path: readonly string[]): unknown {
  let found: unknown;
  for (const layer of settings) {
    const value = valueAt(layer, path);
    if (value !== undefined) found = value;
  }
  return found;
}

function valueAt(settings: unknown, path: readonly string[]): unknown {
  let value = settings;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
