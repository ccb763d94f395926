import { randomFrom } from "../../reliability/lib/random.ts";
import type { Coverage } from "./coverage.ts";
import { growthFault, MAX_MS, processorMs, seekGrowth, sentenceOf, SHORTER } from "./growth.ts";
import { mutate, pump } from "./mutate.ts";
import type { FuzzTarget } from "./target.ts";

export interface FuzzOptions {
  readonly inputs: number;
  readonly seed: number;
  /** It ends when that many have passed, however many inputs that were. */
  readonly seconds: number;
  /** How many shapes are made long beside those of the reader's own parts, once the inputs were played. */
  readonly shapes: number;
  /** Only shapes are played, from this one on: the one before it never ended. */
  readonly fromShape?: number;
  /** Told of each input before it is played, and of the shape it has, so that somebody knows which one never ended. */
  readonly before: (input: string, shape?: number) => void;
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
  /** Shapes that were made long. */
  readonly shapes: number;
  readonly slowestMs: number;
  readonly faults: readonly FuzzFault[];
}

/** Short ones are played faster, and say as much; how it goes with long ones is seen when they are pumped. */
const MAX_LENGTH = 512;
const MOST_KEPT = 10_000;
const MOST_FAULTS = 5;
const SHORTENING_MS = 5000;
/** Growth is measured of one of so many inputs, and in the beginning of those that are kept. */
const PUMP_EVERY = 1000;
const KEPT_PUMP_EVERY = 100;
const MOST_KEPT_PUMPED = 200;

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
    const kind = kindOf(message);
    if (!faults.has(kind)) faults.set(kind, { message, input: shorten(input, kind) });
  }

  function shorten(input: string, kind: string): string {
    const isSame = (shorter: string) => kindOf(faultOf(shorter) ?? "") === kind;
    return isSame(input) ? shortest(input, isSame) : input;
  }

  function faultOf(input: string): string | undefined {
    options.before(input);
    try {
      target.check(input);
      return undefined;
    } catch (error) {
      return sentenceOf(error);
    }
  }

  function play(input: string): void {
    inputs++;
    coverage.reset();
    const before = processorMs();
    const fault = faultOf(input);
    const elapsedMs = processorMs() - before;
    slowestMs = Math.max(slowestMs, elapsedMs);
    const hasChanges = coverage.hasChanges();
    if (fault !== undefined) note(fault, input);
    if (elapsedMs > MAX_MS) note(`takes more than ${MAX_MS} ms`, input);
    if (hasChanges && pool.length < MOST_KEPT) {
      kept++;
      pool.push(input);
    }
    const isEarly = pumped < Math.min(inputs / KEPT_PUMP_EVERY, MOST_KEPT_PUMPED);
    if ((hasChanges && isEarly) || inputs % PUMP_EVERY === 0) grow(input);
  }

  function grow(input: string): void {
    const state = Math.floor(random() * 2 ** 32);
    const make = (length: number) => pump(input, length, randomFrom(state)) ?? "";
    const [shortLength, longLength] = target.growth;
    const long = make(longLength);
    if (long === "") return;
    pumped++;
    const fault = faultOf(long);
    if (fault !== undefined) return note(fault, long);
    const shorter = () => SHORTER.map((share) => make(share * shortLength));
    const growth = growthFault(
      { ...target, read: (text) => (options.before(text), target.read(text)) },
      coverage,
      shorter,
      long,
    );
    if (growth !== undefined) note(growth, long);
  }

  const most = options.fromShape === undefined ? options.inputs : 0;
  if (most > 0) for (const input of corpus.length === 0 ? [""] : corpus) play(input);
  while (inputs < most && performance.now() < end && faults.size < MOST_FAULTS) {
    play(mutate(material, random));
  }
  const shapes = seekGrowth(target, coverage, {
    ...options,
    end: performance.now() + options.seconds * 1000,
    from: options.fromShape ?? 0,
    note(message, input) {
      // What can't be read at all can't be read in many shapes.
      const kind = /^(?:time|work) grows/.test(message) ? message : kindOf(message);
      if (!faults.has(kind)) faults.set(kind, { message, input });
      return faults.size < MOST_FAULTS;
    },
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const [blocks, reached] = [coverage.blocks(), coverage.reached()];
  return { inputs, seconds, blocks, reached, kept, pumped, shapes, slowestMs, faults: [...faults.values()] };
}

function kindOf(message: string): string {
  return message.split("\n")[0]?.replaceAll(/\d+/g, "*") ?? "";
}

/** Leaves out what is not needed, in ever smaller pieces, as far as there is time. */
function shortest(input: string, isSame: (shorter: string) => boolean): string {
  let text = input;
  const end = performance.now() + SHORTENING_MS;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text.length && performance.now() < end;) {
      const shorter = text.slice(0, at) + text.slice(at + size);
      if (isSame(shorter)) text = shorter;
      else at += size;
    }
  }
  return text;
}
