import type { Context, Delivery, Ranges } from "./schema.ts";

/**
 * What a context is to be given from its beginning on, and what it was given of that. Both only grow within an epoch,
 * so copies of a ledger can be merged.
 */

type Pieces = Readonly<Record<string, Ranges>>;

/** What is still owed, by path; undefined if nothing is. */
export function owedTo({ delivery }: Context): Record<string, Ranges> | undefined {
  return delivery && owedIn(delivery);
}

export function owedIn(delivery: Delivery): Record<string, Ranges> | undefined {
  let owed: Record<string, Ranges> | undefined;
  for (const path of Object.keys(delivery.due)) {
    const left = without(delivery.due[path] ?? [], delivery.given[path] ?? []);
    if (left.length > 0) (owed ??= {})[path] = left;
  }
  return owed;
}

/** The same delivery after more was given. */
export function withGiven(delivery: Delivery, given: Pieces): Delivery {
  return { ...delivery, given: joined(delivery.given, given) };
}

/** The context, owed nothing more of these files. */
export function settle(context: Context, paths: readonly string[]): Context {
  const { delivery } = context;
  if (delivery === undefined) return context;
  const due = paths.flatMap((path) => {
    const ranges = Object.hasOwn(delivery.due, path) ? delivery.due[path] : undefined;
    return ranges === undefined ? [] : [[path, ranges] as const];
  });
  return due.length === 0 ? context : { ...context, delivery: withGiven(delivery, Object.fromEntries(due)) };
}

/** Merges two copies of what was recorded in one epoch. */
export function mergeDeliveries(left: Delivery | undefined, right: Delivery | undefined): Delivery | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const [later] = [left, right].toSorted((a, b) => b.at - a.at || (b.up ?? 0) - (a.up ?? 0) || (a.by < b.by ? -1 : 1));
  const { by, at, up, cwd } = later ?? left;
  return {
    by,
    at,
    ...(up !== undefined && { up }),
    ...(cwd !== undefined && { cwd }),
    due: joined(left.due, right.due),
    given: joined(left.given, right.given),
  };
}

function joined(left: Pieces, right: Pieces): Record<string, Ranges> {
  const paths = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
  return Object.fromEntries(paths.map((path) => [path, union([...(left[path] ?? []), ...(right[path] ?? [])])]));
}

/** The ranges without the parts that others cover. */
export function without(ranges: Ranges, gone: Ranges): Ranges {
  let left: Ranges = ranges;
  for (const [start, end] of gone) {
    left = left.flatMap(([from, to]): Ranges => {
      if (end <= from || start >= to) return [[from, to]];
      const [before, behind]: [Ranges, Ranges] = [from < start ? [[from, start]] : [], end < to ? [[end, to]] : []];
      return [...before, ...behind];
    });
  }
  return left;
}

/** Sorts ranges and joins those that touch. */
export function union(ranges: Ranges): Ranges {
  const list: Ranges = [];
  for (const [from, to] of ranges.toSorted((left, right) => left[0] - right[0] || left[1] - right[1])) {
    const last = list.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else list.push([from, to]);
  }
  return list;
}
