import { beginsLike, isWordUnit, MIN_PARTIAL, PARTIAL, presence, searchable } from "./presence.ts";

/** What a word is worth in a name, and in a description. */
const WEIGHTS = { name: 1, description: 0.7 } as const;

/** How much of what is wanted names and descriptions speak of: 0 to 1, by index; and which do at all, each once. */
export interface Overlaps {
  readonly shares: Readonly<Float64Array>;
  readonly found: readonly number[];
}

/**
 * In one pass for each wanted word over all texts, which stand in one, without taking any of them out.
 *
 * @param whole plain and folded: name and description of each in turn, each behind a separator
 * @param ends where each of these texts ends
 */
export function overlapsInPlain(whole: string, ends: readonly number[], wanted: ReadonlySet<string>): Overlaps {
  const shares = new Float64Array(ends.length / 2);
  const found: number[] = [];
  for (const token of wanted) {
    const beginning = token.slice(0, MIN_PARTIAL);
    let [text, skill, best] = [0, 0, 0];
    for (let at = whole.indexOf(beginning); at >= 0; at = whole.indexOf(beginning, at + 1)) {
      if (isWordUnit(whole.charCodeAt(at - 1))) continue;
      const degree = degreeAt(whole, at, token);
      if (degree === 0) continue;
      while ((ends[text] as number) < at) text++;
      if (text >> 1 !== skill) {
        count(skill, best);
        [skill, best] = [text >> 1, 0];
      }
      best = Math.max(best, (text % 2 === 0 ? WEIGHTS.name : WEIGHTS.description) * degree);
      // Nothing better is to be found in this one.
      if (best === WEIGHTS.name) at = ends[2 * skill + 1] as number;
    }
    count(skill, best);
  }
  return share({ shares, found }, wanted);

  function count(skill: number, worth: number): void {
    if (worth > 0 && shares[skill] === 0) found.push(skill);
    shares[skill] = (shares[skill] ?? 0) + worth;
  }
}

/** How well the word that begins there answers a wanted one. */
function degreeAt(whole: string, at: number, token: string): number {
  if (whole.startsWith(token, at) && !isWordUnit(whole.charCodeAt(at + token.length))) return 1;
  let end = at + 1;
  while (isWordUnit(whole.charCodeAt(end))) end++;
  return beginsLike(whole.slice(at, end), token) ? PARTIAL : 0;
}

/** Of texts that are not all plain, those that hold the beginning of a wanted word, one by one. */
export function overlapsAmong(
  candidates: ReadonlySet<number>,
  size: number,
  textsOf: (index: number) => { readonly name: string; readonly description: string },
  wanted: ReadonlySet<string>,
): Overlaps {
  const shares = new Float64Array(size);
  const found: number[] = [];
  for (const index of candidates) {
    const { name, description } = textsOf(index);
    const [inName, inDescription] = [searchable(name), searchable(description)];
    let sum = 0;
    for (const token of wanted) {
      sum += Math.max(WEIGHTS.name * presence(token, inName), WEIGHTS.description * presence(token, inDescription));
    }
    if (sum > 0) found.push(index);
    shares[index] = sum;
  }
  return share({ shares, found }, wanted);
}

function share(
  overlaps: { readonly shares: Float64Array; readonly found: number[] },
  wanted: ReadonlySet<string>,
): Overlaps {
  for (const index of overlaps.found) overlaps.shares[index] = (overlaps.shares[index] as number) / wanted.size;
  return overlaps;
}
