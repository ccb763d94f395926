import { isTable } from "../table.ts";
/** A change to one list of a config file: what to put at its end, what to take out wherever it stands. */
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
 * The single changes that make up an edit, each with the data that the file must hold after it; none where the file
 * says it already. Undefined where something else than a list stands at the path.
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

/** Whether two values of plain data say the same; the order of a table's keys says nothing. */
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

/** What stands at the path: undefined where nothing does, null where no table leads there. */
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
