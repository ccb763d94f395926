import { framed } from "./elements.ts";
import { readLines, type FileText, type Line } from "./lines.ts";
import { placeAfter, type Divided } from "./placing.ts";
import {
  goingOn,
  mostAround,
  placeOf,
  rangesOf,
  renderSegment,
  SEAM,
  sizeAround,
  sizeOfSegment,
  type Following,
  type Rest,
  type Segment,
} from "./segment.ts";

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
  /** After the files. Given what is not shown of them, yields texts in order of preference; the first that fits is used. */
  after(missing: readonly Missing[]): Iterable<string | Divided>;
  /** What stands there if that is to come with a later message. */
  meanwhile?(missing: readonly Missing[]): string;
  /** The same as `after`, but leaving something out for good: where nothing else fits. */
  shorter?(missing: readonly Missing[]): Iterable<string | Divided>;
  /** The nearest file has been given, so this goes before other files. */
  readonly isNearestGiven?: boolean;
}

/** A file that is not fully shown. */
export interface Missing {
  readonly path: string;
  readonly sizeBytes: number;
  /** How many of its bytes are shown. */
  readonly shownBytes: number;
}

/**
 * The keys of `before`, `after` and `meanwhile` in `given`; no file has such a path. Another plan, for another number
 * of outputs, divides a text in another way. So each plan numbers its pieces differently, except a text in one piece.
 */
export const BEFORE = "before";
export const AFTER = "after";
export const MEANWHILE = "meanwhile";
export const AROUND: readonly string[] = [BEFORE, AFTER, MEANWHILE];

/** A text, and what it delivers of each file, by path, and of the text around them. */
export interface Piece {
  readonly text: string;
  readonly given: ReadonlyMap<string, readonly Range[]>;
}

/** One output. */
export interface Output extends Piece {
  /** The text before the files, the files, and the text after them: each makes sense without the others. */
  readonly pieces: readonly Piece[];
}

/** Whether this is the start of a context or a reminder about touched paths. */
export type DeliveryScope = "initial" | "paths";

export interface Delivered {
  /** None of them is empty. */
  readonly outputs: readonly Output[];
  /** The text after the files is to come with a later message. */
  readonly isAfterDue: boolean;
}

/** The texts that may stand after the files, best first, and what one of them counts as. */
interface Behind {
  readonly key: typeof AFTER | typeof MEANWHILE;
  readonly texts: Companions["after"];
}

/** @output undefined if there is no room for the text around the files */
export function planDelivery(
  files: readonly DueFile[],
  companions: Companions,
  capacity: Capacity,
  rest: Rest,
  scope: DeliveryScope = "initial",
): Delivered | undefined {
  const { max, measure } = capacity;
  const texts = files.map((file) => readLines(file, measure, max - FRAME_SIZE - mostAround(file, measure)));
  const total = texts.reduce((sum, { lines }) => sum + lines.length, 0);
  const { before, after, meanwhile, shorter = () => [] } = companions;
  const layOutLines = (count: number, behind: Behind, room = capacity) =>
    layOut(texts, count, before, behind, room, rest, scope);
  function plan(least: number, most: number, behind: Behind): Delivered | undefined {
    // Usually all of them fit.
    const all = layOutLines(most, behind);
    const outputs = all ?? layOutLines(mostFitting(least, most - 1, behind), behind);
    return outputs && { outputs, isAfterDue: behind.key === MEANWHILE };
  }
  const any: Behind = { key: AFTER, texts: (missing) => [...after(missing), ...shorter(missing)] };
  if (rest === "read" || meanwhile === undefined || total === 0) return plan(0, total, any);
  const complete: Behind = { key: AFTER, texts: after };
  const whole = layOutLines(total, complete);
  if (whole !== undefined) return { outputs: whole, isAfterDue: false };
  const later: Behind = { key: MEANWHILE, texts: (missing) => [meanwhile(missing)] };
  const fitting = mostFitting(0, total, later);
  const half = Math.ceil(fitting / 2);
  const least = companions.isNearestGiven === true ? 0 : leastLines();
  const [choices, cut] = [choicesOf(after), choicesOf(shorter)];
  const beside = choices.find(fitsWith(least));
  if (beside !== undefined) return plan(least, total, beside);
  const alone = { ...capacity, count: 1 };
  if (choices.some(fitsWith(0, alone))) return plan(0, total, later);
  // No later message can hold it, so it goes before file text, for which others are there.
  const instead = choices.find(fitsWith(Math.min(least, half))) ?? choices.find(fitsWith(0));
  if (instead !== undefined) return plan(0, total, instead);
  // It is cut as little as possible.
  const here = cut.findIndex(fitsWith(least));
  const there = cut.findIndex(fitsWith(0, alone));
  return plan(0, total, there >= 0 && (here < 0 || there < here) ? later : (cut[here] ?? any));

  /** The most lines, at least and at most so many, that can be laid out. */
  function mostFitting(fewest: number, most: number, behind: Behind): number {
    let [low, high] = [fewest, most];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (layOutLines(middle, behind) === undefined) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  function fitsWith(count: number, room = capacity): (behind: Behind) => boolean {
    return (behind) => layOutLines(count, behind, room) !== undefined;
  }

  /** All of the nearest file; if not even that has room, half of what has. */
  function leastLines(): number {
    const nearest = texts.findLast(({ lines }) => lines.length > 0)?.lines.length ?? 0;
    return nearest <= fitting ? nearest : half;
  }
}

/** Each of the texts by itself. */
function choicesOf(texts: Companions["after"]): Behind[] {
  return [...texts([])].map((_, index) => ({
    key: AFTER,
    texts: (missing) => [...texts(missing)].slice(index, index + 1),
  }));
}

interface Draft {
  before: string;
  readonly segments: Segment[];
  after: string;
  size: number;
}

/** Lays out this many lines, counted from the nearest file; undefined if they don't fit. */
function layOut(
  texts: readonly FileText[],
  count: number,
  before: string,
  behind: Behind,
  capacity: Capacity,
  rest: Rest,
  scope: DeliveryScope,
): readonly Output[] | undefined {
  const taken = shareLines(texts, count);
  const drafts = fill(texts, taken, before, capacity, rest, true) ?? fill(texts, taken, before, capacity, rest, false);
  if (drafts === undefined) return undefined;
  const choices = behind.texts(missingOf(texts, taken));
  const placed = placeAfter(drafts, choices, capacity, () => ({ before: "", segments: [], after: "", size: 0 }));
  return placed && render(placed, texts, taken, behind.key, capacity.count, rest, scope);
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

/** More than any client asks for. */
const MOST_PARTS = 100;
/** The most that the frame takes. */
const FRAME_SIZE = framed("agents_context", "", ' scope="initial" part="99 of 99"').length;
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
  for (const { of, from: start, to: end } of texts.flatMap((text, index) => runsOf(text, taken[index] ?? 0))) {
    for (let from = start; from < end;) {
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

/** The first lines of those that are due, without gaps: what stands between them has been given before. */
function runsOf(of: FileText, count: number): Segment[] {
  const runs: Segment[] = [];
  for (let from = 0, to = 1; from < count; to++) {
    if (to < count && !isGapAt(of, to)) continue;
    runs.push({ of, from, to });
    from = to;
  }
  return runs;
}

/** Whether the line before is not the one above it in the file. */
function isGapAt({ lines }: FileText, at: number): boolean {
  return lines[at]?.range[0] !== lines[at - 1]?.range[1];
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
  key: Behind["key"],
  count: number,
  rest: Rest,
  scope: DeliveryScope,
): readonly Output[] {
  const full = drafts.filter(({ before, segments, after }) => before !== "" || segments.length > 0 || after !== "");
  const carrying = full.filter(({ segments }) => segments.length > 0).length;
  const isDivided = full.filter(({ after }) => after !== "").length > 1;
  let piece = isDivided || key === MEANWHILE ? count * MOST_PARTS : 0;
  let part = 0;
  return full.map(({ before, segments, after }) => {
    const pieces: Piece[] = [];
    if (before !== "") pieces.push({ text: before, given: new Map([[BEFORE, [[0, 1]]]]) });
    if (segments.length > 0) {
      part++;
      const label = carrying > 1 ? ` part="${part} of ${carrying}"` : "";
      const given = new Map<string, Range[]>();
      const bodies = segments.map((segment) => {
        const { path } = segment.of.file;
        given.set(path, [...(given.get(path) ?? []), ...rangesOf(segment)]);
        const isLast = segment.to === (taken[texts.indexOf(segment.of)] ?? 0);
        return renderSegment(segment, restOf(segment, isLast, rest));
      });
      pieces.push({ text: framed("agents_context", bodies.join("\n"), ` scope="${scope}"${label}`), given });
    }
    if (after !== "") pieces.push({ text: after, given: new Map([[key, [[piece, ++piece]]]]) });
    const { text, given } = joinPieces(pieces);
    return { text, given, pieces };
  });
}

/** No two of them deliver parts of the same thing. */
export function joinPieces(pieces: readonly Piece[]): Piece {
  return { text: pieces.map(({ text }) => text).join("\n"), given: new Map(pieces.flatMap(({ given }) => [...given])) };
}

function restOf({ of, to }: Segment, isLast: boolean, rest: Rest): Following {
  // All that may be shown is shown: what is missing was cut by the file limit, not by the channel.
  if (of.lines[to - 1]?.range[1] === of.file.bytes.length) return "read";
  if (isGapAt(of, to)) return "given";
  return isLast ? rest : "next";
}
