import { escapeText } from "../lib/escape.ts";
import type { Capacity, DueFile, Range } from "./delivery.ts";
import { FILE_HEADER } from "./elements.ts";
import type { FileText, Line } from "./lines.ts";

/** Lines of one file within one output. */
export interface Segment {
  readonly of: FileText;
  readonly from: number;
  readonly to: number;
}

/** How the rest of a cut file reaches the model: `later`, with the next outputs, or `read`, by reading the file. */
export type Rest = "later" | "read";

/** What follows a piece of a file: also its next piece, or one that was given before. */
export type Following = Rest | "next" | "given";

/** Between two files, and between the text before them and their frame. */
export const SEAM = "\n".length;

export function sizeOfSegment(segment: Segment, rest: Following, measure: Capacity["measure"]): number {
  const { of, from, to } = segment;
  const place = placeOf(segment);
  return sizeAround(of, place, rest, measure) + sizeOf(of.lines, from, to) + (place.isInLine ? SEAM : 0);
}

/** More than what stands around any lines of a file. */
export function mostAround(file: DueFile, measure: Capacity["measure"]): number {
  const size = file.sizeBytes;
  const place: Place = { first: size, last: size, begin: size, end: size, isInLine: true };
  return SEAM + sizeAround(goingOn({ file, lineCount: undefined }), place, "later", measure);
}

/** The file as if there were more of it, so that there is a mark. */
export function goingOn<Of extends Pick<FileText, "file">>(of: Of): Of {
  return { ...of, file: { ...of.file, sizeBytes: 10 * of.file.sizeBytes } };
}

export function sizeAround(
  of: Pick<FileText, "file" | "lineCount">,
  place: Place,
  rest: Following,
  measure: Capacity["measure"],
): number {
  const { heading, mark } = around(of, place, rest);
  return measure(heading) + measure(mark);
}

function sizeOf(lines: readonly Line[], from: number, to: number): number {
  let size = 0;
  for (let at = from; at < to; at++) size += lines[at]?.size ?? 0;
  return size;
}

export function rangesOf({ of, from, to }: Segment): Range[] {
  const ranges: [number, number][] = [];
  for (const { range } of of.lines.slice(from, to)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === range[0]) last[1] = range[1];
    else ranges.push([...range]);
  }
  return ranges;
}

/** A file's text, or some lines of it, under its heading, with a mark that says where it continues. */
export function renderSegment(segment: Segment, rest: Following): string {
  const { of, from, to } = segment;
  const place = placeOf(segment);
  const { heading, mark } = around(of, place, rest);
  const body = of.lines.slice(from, to).map(({ text }) => text);
  return `${heading}${body.join("")}${place.isInLine ? "\n" : ""}${mark}`;
}

/** Where lines are in their file, as numbers of lines and bytes. */
interface Place {
  readonly first: number;
  readonly last: number;
  readonly begin: number;
  readonly end: number;
  /** They don't end with a line end. */
  readonly isInLine: boolean;
}

export function placeOf({ of: { lines }, from, to }: Segment): Place {
  const [first, last] = [lines[from], lines[to - 1]];
  return {
    first: first?.number ?? 0,
    last: last?.number ?? 0,
    begin: first?.range[0] ?? 0,
    end: last?.range[1] ?? 0,
    isInLine: last?.text.endsWith("\n") !== true,
  };
}

function around(
  { file: { path, sizeBytes }, lineCount }: Pick<FileText, "file" | "lineCount">,
  { first, last, begin, end, isInLine }: Place,
  rest: Following,
): { readonly heading: string; readonly mark: string } {
  const all = lineCount === undefined ? `, ${end} of ${sizeBytes} bytes` : ` of ${lineCount}`;
  const shown = `lines ${first}–${last}${all}`;
  const continued = begin === 0 ? "" : ` (continued, ${shown})`;
  const mark = end >= sizeBytes ? "" : `[shown: ${shown}; ${WHERE_ON[rest](isInLine ? last : last + 1)}]\n`;
  return { heading: `${FILE_HEADER} ${escapeText(path)}${continued}\n`, mark };
}

const WHERE_ON: Readonly<Record<Following, (line: number) => string>> = {
  given: () => "what follows was given before",
  next: () => "the rest follows in the next part",
  later: (line) => `the rest comes with the next messages; to have it now, read on from line ${line}`,
  read: (line) => `read on from line ${line}`,
};
