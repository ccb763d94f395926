/** The candidate most likely meant by `typed`, or undefined if none is close. */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(typed, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `", did you mean 'x'?"`, or nothing: the end of a sentence about an unknown word. */
export function didYouMean(typed: string, candidates: Iterable<string>): string {
  const found = nearest(typed, candidates);
  return found === undefined ? "" : `, did you mean '${found}'?`;
}

/** Damerau-Levenshtein distance with adjacent swaps; any number ≥ `limit` means "too far". */
export function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? limit;
}

/** `a, b or c` */
export function anyOf(words: readonly string[]): string {
  return joined(words, "or");
}

/** `a, b and c` */
export function allOf(words: readonly string[]): string {
  return joined(words, "and");
}

function joined(words: readonly string[], conjunction: string): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

/** `1 file`, `2 files` */
export function counted(count: number, noun: string, written: (count: number) => string = String): string {
  return `${written(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `12,345` */
export function withThousands(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
