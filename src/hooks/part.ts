/** Which of the answers to one event this is: a client limits each, and asks for several. */
export interface Part {
  readonly index: number;
  readonly count: number;
  /** The client takes a text of any length. */
  readonly isWhole?: true;
}

/** Of nearly all events. */
export const ONLY_PART: Part = { index: 1, count: 1 };

/** `2/16`, or `whole`; undefined for anything else. */
export function readPart(given: string | undefined): Part | undefined {
  if (given === "whole") return { ...ONLY_PART, isWhole: true };
  const [, index, count] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(given ?? "") ?? [];
  const part = { index: Number(index), count: Number(count) };
  return part.count >= part.index ? part : undefined;
}
