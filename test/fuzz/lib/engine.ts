import { randomFrom } from "../../reliability/lib/random.ts";
import type { Coverage } from "./coverage.ts";
import { mutate, pump } from "./mutate.ts";
import type { FuzzTarget } from "./target.ts";

export interface FuzzOptions {
  readonly inputs: number;
  readonly seed: number;
  /** It ends when that many have passed, however many inputs that were. */
  readonly seconds: number;
  /** Told of each input before it is played, so that somebody knows which one never ended. */
  readonly before: (input: string) => void;
}

export interface FuzzFault {
  readonly message: string;
  /** As short as it still goes wrong. */
  readonly input: string;
}

export interface FuzzFigures {
  readonly inputs: number;
  readonly seconds: number;
  readonly blocks: number;
  readonly reached: number;
  /** Inputs that did what none before them did. */
  readonly kept: number;
  /** Inputs whose growth was measured. */
  readonly pumped: number;
  readonly slowestMs: number;
  readonly faults: readonly FuzzFault[];
}

/** Short ones are played faster, and say as much; how it goes with long ones is seen when they are pumped. */
const MAX_LENGTH = 512;
const MOST_KEPT = 10_000;
const MOST_FAULTS = 10;
/** Growth is measured of one of so many inputs, and in the beginning of those that are kept. */
const PUMP_EVERY = 1000;
const KEPT_PUMP_EVERY = 100;
const MOST_KEPT_PUMPED = 200;
/** Long inputs that take less than this need no closer look. */
const SUSPICIOUS_MS = 40;
const SUSPICIOUS_WORK = 1_000_000;
const REPEATS = 5;
const SHORTER = [1, 1.07, 1.13, 1.19, 1.29, 1.31];
/** The most that any input may take of a processor, the long ones included. */
const MAX_MS = 1000;

/** Plays inputs until there were enough: first the given ones, then what mutation makes of those that did something new. */
export function fuzz(
  target: FuzzTarget,
  corpus: readonly string[],
  coverage: Coverage,
  options: FuzzOptions,
): FuzzFigures {
  const random = randomFrom(options.seed);
  const pool: string[] = [];
  const faults = new Map<string, FuzzFault>();
  const startedAt = performance.now();
  const end = startedAt + options.seconds * 1000;
  const material = { pool, words: [...coverage.words(), ...target.words], maxLength: MAX_LENGTH };
  let [inputs, pumped, kept, slowestMs] = [0, 0, 0, 0];

  function note(message: string, input: string): void {
    const kind = message.split("\n")[0]?.replaceAll(/\d+/g, "*") ?? "";
    if (!faults.has(kind)) faults.set(kind, { message, input: shorten(input, kind) });
  }

  function shorten(input: string, kind: string): string {
    const isSame = (shorter: string) => faultOf(shorter)?.split("\n")[0]?.replaceAll(/\d+/g, "*") === kind;
    return isSame(input) ? shortest(input, isSame) : input;
  }

  function faultOf(input: string): string | undefined {
    options.before(input);
    try {
      target.check(input);
      return undefined;
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }

  function play(input: string): void {
    inputs++;
    coverage.reset();
    const before = processorMs();
    const fault = faultOf(input);
    const elapsedMs = processorMs() - before;
    slowestMs = Math.max(slowestMs, elapsedMs);
    const isNews = coverage.isNews();
    if (fault !== undefined) note(fault, input);
    if (elapsedMs > MAX_MS) note(`takes more than ${MAX_MS} ms`, input);
    if (isNews && pool.length < MOST_KEPT) {
      kept++;
      pool.push(input);
    }
    const isEarly = pumped < Math.min(inputs / KEPT_PUMP_EVERY, MOST_KEPT_PUMPED);
    if ((isNews && isEarly) || inputs % PUMP_EVERY === 0) grow(input);
  }

  function grow(input: string): void {
    const state = Math.floor(random() * 2 ** 32);
    const make = (length: number) => pump(input, length, randomFrom(state)) ?? "";
    const [shortLength, longLength] = target.growth;
    const long = make(longLength);
    if (long === "") return;
    pumped++;
    const before = processorMs();
    const fault = faultOf(long);
    if (fault !== undefined) return note(fault, long);
    if (processorMs() - before > MAX_MS) note(`takes more than ${MAX_MS} ms`, long);
    const shorter = SHORTER.map((share) => make(share * shortLength));
    const growth = growthFault(
      { ...target, read: (text) => (options.before(text), target.read(text)) },
      coverage,
      shorter,
      long,
    );
    if (growth !== undefined) note(growth, long);
  }

  for (const input of corpus.length === 0 ? [""] : corpus) play(input);
  while (inputs < options.inputs && performance.now() < end && faults.size < MOST_FAULTS) {
    play(mutate(material, random));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const [blocks, reached] = [coverage.blocks(), coverage.reached()];
  return { inputs, seconds, blocks, reached, kept, pumped, slowestMs, faults: [...faults.values()] };
}

/**
 * Twice what is in proportion, by blocks entered or by time. Of several shorter inputs the most laborious one counts: with
 * one quote more or less all of a text may be read in another way, or none.
 */
function growthFault(
  target: FuzzTarget,
  coverage: Coverage,
  shorter: readonly string[],
  long: string,
): string | undefined {
  const most = (measure: (text: string) => number) =>
    2 * long.length * Math.max(...shorter.map((text) => measure(text) / text.length));
  const work = workOf(target, coverage, long);
  if (work > SUSPICIOUS_WORK && work > most((text) => workOf(target, coverage, text))) {
    return `work grows more than in proportion: ${work} blocks for ${long.length} characters`;
  }
  const time = (text: string) => Math.min(...Array.from({ length: REPEATS }, () => timeOf(target, text)));
  if (timeOf(target, long) <= SUSPICIOUS_MS) return undefined;
  const longMs = time(long);
  if (longMs <= SUSPICIOUS_MS || longMs <= most(time)) return undefined;
  return `time grows more than in proportion: ${longMs.toFixed(1)} ms for ${long.length} characters`;
}

function workOf(target: FuzzTarget, coverage: Coverage, input: string): number {
  coverage.reset();
  target.read(input);
  return coverage.work();
}

function timeOf(target: FuzzTarget, input: string): number {
  const before = processorMs();
  target.read(input);
  return processorMs() - before;
}

/** What this thread had of a processor: on a busy machine the clock says nothing. */
function processorMs(): number {
  const { user, system } = (process as unknown as { threadCpuUsage: typeof process.cpuUsage }).threadCpuUsage();
  return (user + system) / 1000;
}

/** Leaves out what is not needed, in ever smaller pieces. */
function shortest(input: string, isSame: (shorter: string) => boolean): string {
  let text = input;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text.length;) {
      const shorter = text.slice(0, at) + text.slice(at + size);
      if (isSame(shorter)) text = shorter;
      else at += size;
    }
  }
  return text;
}
