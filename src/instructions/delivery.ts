import { characterBoundary } from "../lib/bytes.ts";
import { escapeText } from "../lib/escape.ts";
import { decodeBody, defuse } from "./body.ts";
import { FILE_HEADER, framed } from "./elements.ts";
import { placeAfter, type Divided } from "./placing.ts";

/**
 * The delivery plan: which pieces of the instruction files a context is given. Nothing is given twice; files are
 * printed from the root to the working directory; if room is short, the nearest file comes whole before its ancestors;
 * files are divided at lines. What does not fit is left for later pieces, or named. Pure: the same input gives the same
 * bytes.
 */

/** A range of bytes in a file's text; `to` is exclusive. */
export type Range = readonly [from: number, to: number];

/** A file of which something is still to be delivered. */
export interface DueFile {
  readonly path: string;
  /** The part of its text that may be shown. */
  readonly bytes: Uint8Array;
  /** The size of the whole text. */
  readonly sizeBytes: number;
  /** The ranges to be delivered, in order. */
  readonly due: readonly Range[];
}

/** What a channel can carry: so many outputs, each up to a size. */
export interface Capacity {
  readonly count: number;
  readonly max: number;
  measure(text: string): number;
}

/** Text printed around the files. */
export interface Companions {
  /** At the start of the first output. */
  readonly before: string;
  /**
   * After the files. Given what is not shown of them, yields texts in order of preference; the first that fits is used,
   * and one of them has to fit.
   */
  after(missing: readonly Missing[]): Iterable<string | Divided>;
}

/** A file that is not fully shown. */
export interface Missing {
  readonly path: string;
  readonly sizeBytes: number;
  /** How many of its bytes are shown. */
  readonly shownBytes: number;
}

/** The keys of `before` and `after` in `given`; no file has such a path. */
export const BEFORE = "before";
export const AFTER = "after";

/** One output. */
export interface Output {
  readonly text: string;
  /** What it delivers of each file, by path, and of the text around them. */
  readonly given: ReadonlyMap<string, readonly Range[]>;
}

/** Whether this is the start of a context or a reminder about touched paths. */
export type DeliveryScope = "initial" | "paths";

/** How the rest of a cut file reaches the model: `later`, with the next outputs, or `read`, by reading the file. */
export type Rest = "later" | "read";

/** @output the outputs, none of them empty; undefined if there is no room for the text around the files */
export function planDelivery(
  files: readonly DueFile[],
  companions: Companions,
  capacity: Capacity,
  rest: Rest,
  scope: DeliveryScope = "initial",
): readonly Output[] | undefined {
  const texts = files.map((file) => readLines(file, capacity));
  const total = texts.reduce((sum, { lines }) => sum + lines.length, 0);
  const layOutLines = (count: number, choice?: number) =>
    layOut(texts, count, companions, capacity, rest, scope, choice);
  const whole = layOutLines(total);
  if (whole !== undefined) return whole;
  // Text after the files is given only now, while the rest of the files can come with later messages. So it gives way
  // only to the nearest file.
  const nearest = texts.findLast(({ lines }) => lines.length > 0)?.lines.length ?? 0;
  for (let choice = 0; ; choice++) {
    if (rest === "read") break;
    if (layOutLines(nearest, choice) !== undefined)
      return mostLines(nearest, total, (count) => layOutLines(count, choice));
    if (isLastChoice(companions, choice)) break;
  }
  return mostLines(0, total, layOutLines);
}

function isLastChoice({ after }: Companions, choice: number): boolean {
  return [...after([])].length <= choice + 1;
}

/** The most lines that can be laid out; `least` is known to fit. */
function mostLines<Layout>(least: number, total: number, layOutLines: (count: number) => Layout | undefined) {
  let best: Layout | undefined;
  let low = least;
  for (let high = total - 1; low <= high;) {
    const middle = Math.ceil((low + high) / 2);
    const tried = layOutLines(middle);
    if (tried === undefined) high = middle - 1;
    else {
      best = tried;
      low = middle + 1;
    }
  }
  return best ?? layOutLines(least);
}

/** One line of a file, or a piece of a line that is longer than an output may be. */
interface Line {
  readonly text: string;
  readonly size: number;
  readonly range: Range;
  /** Its number, from 1. */
  readonly number: number;
}

interface FileText {
  readonly file: DueFile;
  /** The lines that are still to be delivered. */
  readonly lines: readonly Line[];
  /** How many lines the file has; undefined if not all of it was read. */
  readonly lineCount: number | undefined;
}

/** Longer lines are divided. */
const MAX_LINE_BYTES = 2000;

function readLines(file: DueFile, { measure }: Capacity): FileText {
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
    if (due.some(([start, end]) => start < to && end > from)) {
      if (to - from <= MAX_LINE_BYTES) lines.push({ text, size: measure(text), range: [from, to], number });
      else lines.push(...piecesOf(bytes.subarray(from, to), from, number, measure));
    }
    from = to;
  }
  return { file, lines, lineCount: bytes.length < sizeBytes ? undefined : number };
}

function piecesOf(line: Uint8Array, at: number, number: number, measure: Capacity["measure"]): Line[] {
  const pieces: Line[] = [];
  for (let from = 0; from < line.length;) {
    const to = from + Math.max(1, characterBoundary(line.subarray(from), MAX_LINE_BYTES));
    const text = defuse(decodeBody(line.subarray(from, to)));
    pieces.push({ text, size: measure(text), range: [at + from, at + to], number });
    from = to;
  }
  return pieces;
}

/** Lines of one file within one output. */
interface Segment {
  readonly of: FileText;
  readonly from: number;
  readonly to: number;
}

interface Draft {
  before: string;
  readonly segments: Segment[];
  after: string;
  size: number;
}

/**
 * Lays out this many lines, counted from the nearest file; undefined if they don't fit.
 *
 * @param choice index of the text to put after the files, if not the best that fits
 */
function layOut(
  texts: readonly FileText[],
  count: number,
  companions: Companions,
  capacity: Capacity,
  rest: Rest,
  scope: DeliveryScope,
  choice?: number,
): readonly Output[] | undefined {
  const taken = shareLines(texts, count);
  const drafts =
    fill(texts, taken, companions.before, capacity, true) ?? fill(texts, taken, companions.before, capacity, false);
  if (drafts === undefined) return undefined;
  const behind = [...companions.after(missingOf(texts, taken))];
  const choices = choice === undefined ? behind : behind.slice(choice, choice + 1);
  const placed = placeAfter(drafts, choices, capacity, () => ({ before: "", segments: [], after: "", size: 0 }));
  return placed && render(placed, texts, taken, rest, scope);
}

/**
 * How many lines of each file to take, nearest file first. A file that is divided is cut at the end of a section, if
 * one is near.
 */
function shareLines(texts: readonly FileText[], count: number): readonly number[] {
  let left = count;
  return texts
    .toReversed()
    .map(({ lines }) => {
      const wanted = Math.min(left, lines.length);
      left -= wanted;
      return wanted < lines.length ? niceEnd(lines, 0, wanted) : wanted;
    })
    .toReversed();
}

function missingOf(texts: readonly FileText[], taken: readonly number[]): Missing[] {
  return texts.flatMap(({ file: { path, sizeBytes }, lines }, index) => {
    const count = taken[index] ?? 0;
    if (count === lines.length) return [];
    return [{ path, sizeBytes, shownBytes: lines[count - 1]?.range[1] ?? 0 }];
  });
}

/** The most that a file's heading, its cut mark and the frame take. */
const FRAME_SIZE = framed("agents_context", "", ' scope="initial" part="99 of 99"').length;
const MARK_SIZE = 160;

/** @param isTidy don't divide a file that fits into one output */
function fill(
  texts: readonly FileText[],
  taken: readonly number[],
  before: string,
  { count, max, measure }: Capacity,
  isTidy: boolean,
): Draft[] | undefined {
  const drafts: Draft[] = [];
  let draft: Draft = { before, segments: [], after: "", size: measure(before) };
  if (draft.size > max) return undefined;
  const next = (): boolean => {
    drafts.push(draft);
    draft = { before: "", segments: [], after: "", size: 0 };
    return drafts.length < count;
  };
  for (const [index, of] of texts.entries()) {
    const end = taken[index] ?? 0;
    const overhead = measure(`${FILE_HEADER} ${escapeText(of.file.path)}\n`) + MARK_SIZE;
    for (let from = 0; from < end;) {
      const around = overhead + (draft.segments.length === 0 ? FRAME_SIZE : 0);
      const room = max - draft.size - around;
      const fitting = fittingLines(of.lines, from, end, room);
      const isEmpty = draft.segments.length === 0 && draft.before === "";
      const isDivided = from + fitting < end;
      const waits = isTidy && isDivided && sizeOf(of.lines, from, end) <= max - overhead - FRAME_SIZE;
      const to = waits ? from : isDivided ? niceEnd(of.lines, from, from + fitting) : end;
      if (to > from) {
        draft.segments.push({ of, from, to });
        draft.size += around + sizeOf(of.lines, from, to);
        from = to;
      } else if (isEmpty) return undefined;
      if (from < end && !next()) return undefined;
    }
  }
  drafts.push(draft);
  return drafts;
}

function sizeOf(lines: readonly Line[], from: number, to: number): number {
  let size = 0;
  for (let at = from; at < to; at++) size += lines[at]?.size ?? 0;
  return size;
}

function fittingLines(lines: readonly Line[], from: number, end: number, room: number): number {
  let left = room;
  let at = from;
  while (at < end && (lines[at]?.size ?? 0) <= left) left -= lines[at++]?.size ?? 0;
  return at - from;
}

/** How many lines may be left out so that the next piece begins with a heading or a paragraph. */
const GIVEN_UP = 0.1;
const MOST_GIVEN_UP = 20;
const HEADING = /^#{1,6}\s/;

/** The best place to cut lines up to `to`: before a heading, or after a blank line, if there is one near the end. */
function niceEnd(lines: readonly Line[], from: number, to: number): number {
  const least = to - Math.min(MOST_GIVEN_UP, Math.floor((to - from) * GIVEN_UP));
  for (const isGood of [isHeadingAt, isBehindBlank]) {
    for (let at = to; at >= least && at > from; at--) if (isGood(lines, at)) return at;
  }
  return to;
}

function isHeadingAt(lines: readonly Line[], at: number): boolean {
  return HEADING.test(lines[at]?.text ?? "");
}

/** Never between a heading and its text. */
function isBehindBlank(lines: readonly Line[], at: number): boolean {
  return lines[at - 1]?.text.trim() === "" && !isHeadingAt(lines, at - 2);
}

function render(
  drafts: readonly Draft[],
  texts: readonly FileText[],
  taken: readonly number[],
  rest: Rest,
  scope: DeliveryScope,
): readonly Output[] {
  const full = drafts.filter(({ before, segments, after }) => before !== "" || segments.length > 0 || after !== "");
  const carrying = full.filter(({ segments }) => segments.length > 0).length;
  let part = 0;
  let pieces = 0;
  return full.map(({ before, segments, after }) => {
    const given = new Map<string, Range[]>();
    if (before !== "") given.set(BEFORE, [[0, 1]]);
    if (after !== "") given.set(AFTER, [[pieces, ++pieces]]);
    let bundle = "";
    if (segments.length > 0) {
      part++;
      const label = carrying > 1 ? ` part="${part} of ${carrying}"` : "";
      const bodies = segments.map((segment) => {
        const { path } = segment.of.file;
        given.set(path, [...(given.get(path) ?? []), ...rangesOf(segment)]);
        const isLast = segment.to === (taken[texts.indexOf(segment.of)] ?? 0);
        // All that may be shown is shown: what is missing was cut by the file limit, not by the channel.
        const isOver = segment.to === segment.of.lines.length;
        return renderSegment(segment, isOver ? "read" : isLast ? rest : "next");
      });
      bundle = framed("agents_context", bodies.join("\n"), ` scope="${scope}"${label}`);
    }
    return { text: [before, bundle, after].filter((text) => text !== "").join("\n"), given };
  });
}

function rangesOf({ of, from, to }: Segment): Range[] {
  const ranges: [number, number][] = [];
  for (const { range } of of.lines.slice(from, to)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === range[0]) last[1] = range[1];
    else ranges.push([...range]);
  }
  return ranges;
}

/** A file's text, or some lines of it, under its heading, with a mark that says where it continues. */
function renderSegment({ of, from, to }: Segment, rest: Rest | "next"): string {
  const { file, lines, lineCount } = of;
  const [first, last] = [lines[from], lines[to - 1]];
  if (first === undefined || last === undefined) return "";
  const body = lines
    .slice(from, to)
    .map(({ text }) => text)
    .join("");
  const begin = first.range[0];
  const end = last.range[1];
  const lineNumbers = `lines ${first.number}–${last.number}`;
  const shown =
    lineCount === undefined ? `${lineNumbers}, ${end} of ${file.sizeBytes} bytes` : `${lineNumbers} of ${lineCount}`;
  const heading = begin === 0 ? "" : ` (continued, ${shown})`;
  const isInLine = !body.endsWith("\n");
  const mark =
    end >= file.sizeBytes ? "" : `[shown: ${shown}; ${WHERE_ON[rest](isInLine ? last.number : last.number + 1)}]\n`;
  return `${FILE_HEADER} ${escapeText(file.path)}${heading}\n${body}${isInLine ? "\n" : ""}${mark}`;
}

const WHERE_ON: Readonly<Record<Rest | "next", (line: number) => string>> = {
  next: () => "the rest follows in the next part",
  later: (line) => `the rest comes with the next messages; to have it now, read on from line ${line}`,
  read: (line) => `read on from line ${line}`,
};
