import { escapeText } from "../lib/escape.ts";
import { FILE_HEADER, framed } from "./elements.ts";
import { readLines, type FileText, type Line } from "./lines.ts";
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
  const { max, measure } = capacity;
  const texts = files.map((file) => readLines(file, measure, max - FRAME_SIZE - mostAround(file, measure)));
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
    fill(texts, taken, companions.before, capacity, rest, true) ??
    fill(texts, taken, companions.before, capacity, rest, false);
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

/** The most that the frame takes. */
const FRAME_SIZE = framed("agents_context", "", ' scope="initial" part="99 of 99"').length;
/** Between two files, and between the text before them and their frame. */
const SEAM = "\n".length;

/** @param isTidy don't divide a file that fits into one output */
function fill(
  texts: readonly FileText[],
  taken: readonly number[],
  before: string,
  capacity: Capacity,
  rest: Rest,
  isTidy: boolean,
): Draft[] | undefined {
  const { count, max, measure } = capacity;
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
    for (let from = 0; from < end;) {
      const isEmpty = draft.segments.length === 0 && draft.before === "";
      const frame = (draft.segments.length === 0 ? FRAME_SIZE : 0) + (isEmpty ? 0 : SEAM);
      const whole: Segment = { of, from, to: end };
      const wholeSize = sizeOfSegment(whole, restOf(whole, true, rest), measure);
      const isWhole = draft.size + frame + wholeSize <= max;
      const waits = isTidy && !isWhole && FRAME_SIZE + wholeSize <= max;
      const to = isWhole ? end : waits ? from : endWithin(whole, max - draft.size - frame, measure);
      if (to > from) {
        draft.segments.push({ of, from, to });
        draft.size += frame + sizeOfSegment({ of, from, to }, restOf({ of, from, to }, to === end, rest), measure);
        from = to;
      } else if (isEmpty) return undefined;
      if (from < end && !next()) return undefined;
    }
  }
  drafts.push(draft);
  return drafts;
}

function sizeOfSegment(segment: Segment, rest: Rest | "next", measure: Capacity["measure"]): number {
  const { of, from, to } = segment;
  const place = placeOf(segment);
  return sizeAround(of, place, rest, measure) + sizeOf(of.lines, from, to) + (place.isInLine ? SEAM : 0);
}

/** More than what stands around any lines of a file. */
function mostAround(file: DueFile, measure: Capacity["measure"]): number {
  const size = file.sizeBytes;
  const place: Place = { first: size, last: size, begin: size, end: size, isInLine: true };
  return SEAM + sizeAround(goingOn({ file, lineCount: undefined }), place, "later", measure);
}

/** The file as if there were more of it, so that there is a mark. */
function goingOn<Of extends Pick<FileText, "file">>(of: Of): Of {
  return { ...of, file: { ...of.file, sizeBytes: 10 * of.file.sizeBytes } };
}

function sizeAround(
  of: Pick<FileText, "file" | "lineCount">,
  place: Place,
  rest: Rest | "next",
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

/** Up to where its lines fit, cut where it suits best. */
function endWithin(segment: Segment, room: number, measure: Capacity["measure"]): number {
  const { of, from, to } = segment;
  // Its numbers have no more digits than those of the whole.
  let left = room - SEAM - sizeAround(goingOn(of), placeOf(segment), "next", measure);
  let at = from;
  while (at < to && (of.lines[at]?.size ?? 0) <= left) left -= of.lines[at++]?.size ?? 0;
  return at === from ? from : niceEnd(of.lines, from, Math.min(at, to - 1));
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
        return renderSegment(segment, restOf(segment, isLast, rest));
      });
      bundle = framed("agents_context", bodies.join("\n"), ` scope="${scope}"${label}`);
    }
    return { text: [before, bundle, after].filter((text) => text !== "").join("\n"), given };
  });
}

function restOf({ of, to }: Segment, isLast: boolean, rest: Rest): Rest | "next" {
  // All that may be shown is shown: what is missing was cut by the file limit, not by the channel.
  if (to === of.lines.length) return "read";
  return isLast ? rest : "next";
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
function renderSegment(segment: Segment, rest: Rest | "next"): string {
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

function placeOf({ of: { lines }, from, to }: Segment): Place {
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
  rest: Rest | "next",
): { readonly heading: string; readonly mark: string } {
  const all = lineCount === undefined ? `, ${end} of ${sizeBytes} bytes` : ` of ${lineCount}`;
  const shown = `lines ${first}–${last}${all}`;
  const continued = begin === 0 ? "" : ` (continued, ${shown})`;
  const mark = end >= sizeBytes ? "" : `[shown: ${shown}; ${WHERE_ON[rest](isInLine ? last : last + 1)}]\n`;
  return { heading: `${FILE_HEADER} ${escapeText(path)}${continued}\n`, mark };
}

const WHERE_ON: Readonly<Record<Rest | "next", (line: number) => string>> = {
  next: () => "the rest follows in the next part",
  later: (line) => `the rest comes with the next messages; to have it now, read on from line ${line}`,
  read: (line) => `read on from line ${line}`,
};
