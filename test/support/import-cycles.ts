/** Cycles of a graph, none twice, at least one of every knot; each begins with its alphabetically first member. */
export function cyclesIn(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found = new Map<string, string[]>();
  const done = new Set<string>();
  const path: string[] = [];

  const visit = (node: string): void => {
    const at = path.indexOf(node);
    if (at >= 0) {
      const cycle = fromFirst(path.slice(at));
      found.set(cycle.join("\n"), cycle);
      return;
    }
    if (done.has(node)) return;
    path.push(node);
    for (const next of edges.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };

  for (const node of edges.keys()) visit(node);
  return [...found.values()];
}

function fromFirst(cycle: readonly string[]): string[] {
  const at = cycle.indexOf(cycle.toSorted()[0] ?? "");
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}
