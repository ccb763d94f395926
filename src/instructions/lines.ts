import { characterBoundary } from "../lib/bytes.ts";
import { decodeBody, defuse } from "./body.ts";
import type { Capacity, DueFile, Range } from "./delivery.ts";

/** One line of a file, or a piece of a line that is longer than an output may be. */
export interface Line {
  readonly text: string;
  readonly size: number;
  readonly range: Range;
  /** Its number, from 1. */
  readonly number: number;
}

export interface FileText {
  readonly file: DueFile;
  /** The lines that are still to be delivered. */
  readonly lines: readonly Line[];
  /** How many lines the file has; undefined if not all of it was read. */
  readonly lineCount: number | undefined;
}

/** A line that no output can hold is divided into pieces of this size. */
const PIECE_BYTES = 2000;

/** @input most: the size of the longest line that an output can hold */
export function readLines(file: DueFile, measure: Capacity["measure"], most: number): FileText {
  const { bytes, sizeBytes, due } = file;
  const shown = defuse(decodeBody(bytes)).split("\n");
  const lines: Line[] = [];
  let from = 0;
  let number = 0;
  while (from < bytes.length) {
    const newline = bytes.indexOf(0x0a, from);
    const to = newline < 0 ? bytes.length : newline + 1;
    const text = `${shown[number] ?? ""}${newline < 0 ? "" : "\n"}`;
    number++;
    if (isDue([from, to], due)) {
      const line: Line = { text, size: measure(text), range: [from, to], number };
      if (line.size <= most) lines.push(line);
      else lines.push(...piecesOf(line, bytes, measure).filter(({ range }) => isDue(range, due)));
    }
    from = to;
  }
  return { file, lines, lineCount: bytes.length < sizeBytes ? undefined : number };
}

function isDue([from, to]: Range, due: DueFile["due"]): boolean {
  return due.some(([start, end]) => start < to && end > from);
}

/**
 * Its text is divided as it is shown: a tag that lies on a seam is defused as well. Each piece may begin a section, so
 * it is defused again.
 */
function piecesOf({ text, range: [start, end], number }: Line, bytes: Uint8Array, measure: Capacity["measure"]) {
  const original = decodeBody(bytes.subarray(start, end));
  const pieces: Line[] = [];
  let [read, shown] = [0, 0];
  for (let from = start; from < end;) {
    const to = from + Math.max(1, characterBoundary(bytes.subarray(from, end), PIECE_BYTES));
    const length = decodeBody(bytes.subarray(from, to)).length;
    const until = to === end ? text.length : endDefused(original, read, length, text, shown);
    const piece = defuse(text.slice(shown, until));
    pieces.push({ text: piece, size: measure(piece), range: [from, to], number });
    [from, read, shown] = [to, read + length, until];
  }
  return pieces;
}

/** Where some characters of a text end in its defused form, which has only become longer. */
function endDefused(original: string, at: number, length: number, defused: string, from: number): number {
  let end = from;
  for (let index = at; index < at + length; index++) {
    if (original[index] === defused[end]) end++;
    else if (original[index] === "<") end += "&lt;".length;
    // A blank was put before it.
    else end += 2;
  }
  return end;
}
