/** A look-up table whose lines give several names the same value: `["cat, tac", rule]`. */
export function byName<T>(lines: readonly (readonly [names: string, value: T])[]): ReadonlyMap<string, T> {
  return new Map(lines.flatMap(([names, value]) => names.split(", ").map((name) => [name, value] as const)));
}
