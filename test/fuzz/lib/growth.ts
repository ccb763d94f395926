import type { Coverage } from "./coverage.ts";
import { moreShapes, ownShapes, type Shape } from "./shapes.ts";
import type { FuzzTarget } from "./target.ts";

export interface GrowthOptions {
  /** How many shapes are played beside those of the reader's own parts. */
  readonly shapes: number;
  readonly seed: number;
  /** By `performance.now()`: no further shape is begun then but of the reader's own parts. */
  readonly end: number;
  /** The number of the first, where an earlier one never ended. */
  readonly from: number;
  /** Told of each input before it is read, and of the number of its shape. */
  readonly before: (input: string, shape: number) => void;
  /** Told of each fault; false where there were enough. */
  readonly note: (message: string, input: string) => boolean;
}

/** The most that any input may take of a processor, the long ones included. */
export const MAX_MS = 1000;
/** Long inputs that take less than this need no closer look. */
const SUSPICIOUS_MS = 40;
const SUSPICIOUS_WORK = 1_000_000;
const REPEATS = 3;
export const SHORTER = [1, 1.07, 1.13, 1.31];
/** Every shape is read at these two lengths, and measured closely only when the longer one takes noticeably more. */
const FIRST_LENGTHS = [512, 2048] as const;
const NOTICEABLE_MS = 0.25;
const NOTICEABLE_WORK = 25_000;
const NOTICEABLE_GROWTH = 6;
const SUSPICIOUS_GROWTH = 10;

/** Plays shapes, inputs that repeat a few parts, and returns how many. */
export function seekGrowth(target: FuzzTarget, coverage: Coverage, options: GrowthOptions): number {
  const { parts, words, frames = [["", ""]] } = target;
  const proven = { ms: 0 };
  let number = -1;

  /** Returns false when enough faults were found. */
  function play(shape: Shape): boolean {
    number++;
    if (number < options.from) return true;
    const read = (input: string) => (options.before(input, number), target.read(input));
    const fault = faultOf(shape, { read, growth: target.growth }, coverage, proven);
    return fault === undefined || options.note(`${fault.message}\n    ${shape.name}`, fault.input);
  }

  let isWanted = true;
  for (const shape of ownShapes(parts, frames)) if (!(isWanted &&= play(shape))) break;
  const own = number;
  for (const shape of isWanted ? moreShapes(parts, words, frames, options.seed) : []) {
    if (number - own >= options.shapes || performance.now() > options.end || !play(shape)) break;
  }
  return Math.max(0, number + 1 - options.from);
}

interface Measured {
  /** By the clock: the system counts processor time in steps that are longer than this takes. */
  readonly ms: number;
  readonly work: number;
}

function lesser(left: Measured, right: Measured): Measured {
  return { ms: Math.min(left.ms, right.ms), work: Math.min(left.work, right.work) };
}

function measured(target: Reader, coverage: Coverage, text: string): Measured {
  coverage.reset();
  const before = performance.now();
  target.read(text);
  return { ms: performance.now() - before, work: coverage.work() };
}

/** @param proven the longest time at the second length that turned out to be in proportion */
function faultOf(
  shape: Shape,
  target: Reader & Pick<FuzzTarget, "growth">,
  coverage: Coverage,
  proven: { ms: number },
): { readonly message: string; readonly input: string } | undefined {
  const [, longest] = target.growth;
  let input = "";
  const make = (length: number) => (input = shape.make(Math.min(length, longest)));
  try {
    const look = () => FIRST_LENGTHS.map((length) => measured(target, coverage, make(length))) as [Measured, Measured];
    let [short, long] = look();
    if (!shape.isSimple) {
      if (!isNoticeable(short, long, proven.ms)) return undefined;
      // The compiler or the garbage collector may have run; the lesser of two measurements counts.
      const [again, longAgain] = look();
      [short, long] = [lesser(short, again), lesser(long, longAgain)];
      if (!isNoticeable(short, long, proven.ms)) return undefined;
    }
    for (let length = FIRST_LENGTHS[1]; ; length *= 4) {
      const text = make(length);
      const shorter = () => SHORTER.map((share) => shape.make((share * Math.min(length, longest)) / 4));
      const message = growthFault(target, coverage, shorter, text);
      if (message !== undefined) return { message, input };
      if (length >= longest) break;
    }
    proven.ms = Math.max(proven.ms, long.ms);
    return undefined;
  } catch (error) {
    return { message: sentenceOf(error), input };
  }
}

/** Set low: it costs little to measure a shape for nothing, and one that is passed over here is never measured. */
function isNoticeable(short: Measured, long: Measured, provenMs: number): boolean {
  const grows = (measure: keyof Measured, times: number) => long[measure] > times * short[measure];
  if (long.work > NOTICEABLE_WORK && grows("work", NOTICEABLE_GROWTH)) return true;
  if (long.ms <= NOTICEABLE_MS) return false;
  return grows("ms", SUSPICIOUS_GROWTH) || (long.ms > 1.5 * provenMs && grows("ms", NOTICEABLE_GROWTH));
}

/** Which error, and where. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack = "" } = error;
  return [
    String(error),
    ...stack
      .split("\n")
      .filter((line) => /^\s*at /.test(line))
      .slice(0, 1),
  ].join("\n");
}

type Reader = Pick<FuzzTarget, "read">;

/**
 * Twice what is in proportion, by steps or by time. Of several shorter inputs the most laborious one counts: with one quote
 * more or less all of a text may be read in another way, or none.
 */
export function growthFault(
  target: Reader,
  coverage: Coverage,
  shorter: () => readonly string[],
  long: string,
): string | undefined {
  coverage.reset();
  const ms = timeOf(target, long);
  const work = coverage.work();
  if (ms > MAX_MS) return `takes more than ${MAX_MS} ms`;
  if (ms <= SUSPICIOUS_MS && work <= SUSPICIOUS_WORK) return undefined;
  const texts = shorter();
  const isBeyond = (much: number, measure: (text: string) => number) =>
    texts.every((text) => much > (2 * long.length * measure(text)) / text.length);
  if (work > SUSPICIOUS_WORK && isBeyond(work, (text) => workOf(target, coverage, text))) {
    return `work grows more than in proportion: ${Math.round(work)} steps for ${long.length} characters`;
  }
  // Measured once, nearly all are as they should be; the rest is measured again.
  if (ms <= SUSPICIOUS_MS || !isBeyond(ms, (text) => timeOf(target, text))) return undefined;
  const least = (text: string) => Math.min(...Array.from({ length: REPEATS }, () => timeOf(target, text)));
  const longMs = least(long);
  if (longMs <= SUSPICIOUS_MS || !isBeyond(longMs, least)) return undefined;
  return `time grows more than in proportion: ${longMs.toFixed(1)} ms for ${long.length} characters`;
}

function workOf(target: Reader, coverage: Coverage, input: string): number {
  coverage.reset();
  target.read(input);
  return coverage.work();
}

function timeOf(target: Reader, input: string): number {
  const before = processorMs();
  target.read(input);
  return processorMs() - before;
}

/** What this thread had of a processor: on a busy machine the clock says nothing. */
export function processorMs(): number {
  const { user, system } = (process as unknown as { threadCpuUsage: typeof process.cpuUsage }).threadCpuUsage();
  return (user + system) / 1000;
}
