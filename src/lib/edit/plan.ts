import { isTable } from "../table.ts";
/** A change to one list of a config file: what to append, and what to remove wherever it occurs. */
export interface ListEdit {
  readonly path: readonly string[];
  readonly add?: unknown;
  readonly remove?: unknown;
}

export type Step = { readonly path: readonly string[]; readonly expected: unknown } & (
  | { readonly kind: "insert"; readonly value: unknown }
  | { readonly kind: "remove"; readonly index: number }
);

/**
 * The steps of an edit, each with the data that the file must have after it; none if the file already has that data.
 * Undefined if the value at the path is not a list.
 */
export function planEdit(data: unknown, { path, add, remove }: ListEdit): Step[] | undefined {
  const found = lookUp(data, path);
  if (found !== undefined && !Array.isArray(found)) return undefined;
  const steps: Step[] = [];
  let list: readonly unknown[] = found ?? [];
  for (let index = list.length - 1; index >= 0; index--) {
    if (remove === undefined || !isSameData(list[index], remove)) continue;
    list = list.toSpliced(index, 1);
    steps.push({ kind: "remove", path, index, expected: withList(data, path, list) });
  }
  if (add !== undefined && !list.some((item) => isSameData(item, add))) {
    steps.push({ kind: "insert", path, value: add, expected: withList(data, path, [...list, add]) });
  }
  return steps;
}

/** Whether two plain values are equal, ignoring the order of keys. */
export function isSameData(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isSameData(item, right[index]));
  }
  if (!isTable(left) || !isTable(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isSameData(left[key], right[key]));
}

/** The value at the path: undefined if there is none, null if a parent is not a table. */
function lookUp(data: unknown, path: readonly string[]): unknown {
  let current = data;
  for (const key of path) {
    if (current === undefined) return undefined;
    if (!isTable(current)) return null;
    current = Object.hasOwn(current, key) ? current[key] : undefined;
  }
  return current;
}

function withList(data: unknown, [key, ...rest]: readonly string[], list: readonly unknown[]): unknown {
  if (key === undefined) return list;
  const table = isTable(data) ? data : {};
  return { ...table, [key]: withList(table[key], rest, list) };
}
