/** By code units, the same everywhere: `localeCompare` depends on the locale. */
export function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
