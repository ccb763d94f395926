/** Which of several answers to one event this is. A client limits the size of each answer, so it asks for several. */
export interface Part {
  readonly index: number;
  readonly count: number;
  /** The client accepts text of any length. */
  readonly isWhole?: true;
}

/** Nearly all events have one answer. */
export const ONLY_PART: Part = { index: 1, count: 1 };

/** Reads `2/16` or `whole`; undefined for anything else. */
export function readPart(given: string | undefined): Part | undefined {
  if (given === "whole") return { ...ONLY_PART, isWhole: true };
  const [, index, count] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(given ?? "") ?? [];
  const part = { index: Number(index), count: Number(count) };
  return part.count >= part.index ? part : undefined;
}
