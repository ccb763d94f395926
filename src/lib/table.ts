/** A table of plain data. */
export type Table = Readonly<Record<string, unknown>>;

export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value below these keys, each inside the previous; undefined if there is none. */
export function valueAt(data: unknown, ...keys: readonly string[]): unknown {
  let current = data;
  for (const key of keys) current = isTable(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  return current;
}

/** The value below these keys in the last of several tables that has one. */
export function lastValue(layers: readonly unknown[], keys: readonly string[]): unknown {
  return layers.map((layer) => valueAt(layer, ...keys)).findLast((value) => value !== undefined);
}

/** A look-up table whose rows give several names the same value: `["cat, tac", rule]`. */
export function byName<T>(lines: readonly (readonly [names: string, value: T])[]): ReadonlyMap<string, T> {
  const table = new Map<string, T>();
  for (const [names, value] of lines) for (const name of names.split(", ")) table.set(name, value);
  return table;
}
