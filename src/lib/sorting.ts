/** By code units, the same everywhere: `localeCompare` depends on the locale. */
export function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Groups items by key, keeping their order. `Map.groupBy` is missing in Node 20. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
