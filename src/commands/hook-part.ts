/** Which of the answers to one event this is: a host limits each, and asks for several. */
export interface Part {
  readonly index: number;
  readonly count: number;
}

const MAX_PARTS = 9;

/** `2/4`; without a value the only one. Undefined for anything else. */
export function readPart(given: string | undefined): Part | undefined {
  if (given === undefined) return { index: 1, count: 1 };
  const [, index, count] = /^([1-9])\/([1-9])$/.exec(given) ?? [];
  if (index === undefined || count === undefined) return undefined;
  const part = { index: Number(index), count: Math.min(MAX_PARTS, Number(count)) };
  return part.index <= part.count ? part : undefined;
}
