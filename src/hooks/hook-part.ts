/** Which of the answers to one event this is: a host limits each, and asks for several. */
export interface Part {
  readonly index: number;
  readonly count: number;
}

const DIGITS = "0123456789";

/** `2/4`; undefined for anything else. */
export function readPart(given: string | undefined): Part | undefined {
  if (given === undefined) return undefined;
  // No pattern: it would be made for every hook, and this is asked of few.
  const [index, slash, count] = given;
  const part = { index: DIGITS.indexOf(index ?? "-"), count: DIGITS.indexOf(count ?? "-") };
  const isWhole = given.length === 3 && slash === "/" && part.index >= 1 && part.count >= part.index;
  return isWhole ? part : undefined;
}
