/** A table of plain data. */
export type Table = Readonly<Record<string, unknown>>;

export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands below these keys, one inside the other; undefined where nothing does. */
export function valueAt(data: unknown, ...keys: readonly string[]): unknown {
  let current = data;
  for (const key of keys) current = isTable(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  return current;
}

/** What stands below these keys in the last of several tables that has anything there. */
export function lastValue(layers: readonly unknown[], keys: readonly string[]): unknown {
  return layers.map((layer) => valueAt(layer, ...keys)).findLast((value) => value !== undefined);
}
