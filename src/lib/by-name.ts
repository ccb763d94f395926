/** A look-up table whose rows give several names the same value: `["cat, tac", rule]`. */
export function byName<T>(lines: readonly (readonly [names: string, value: T])[]): ReadonlyMap<string, T> {
  const table = new Map<string, T>();
  for (const [names, value] of lines) for (const name of names.split(", ")) table.set(name, value);
  return table;
}
