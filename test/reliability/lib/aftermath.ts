import { runCodelia } from "../../support/run-codelia.ts";
import { countTold } from "./told.ts";
import type { Ending } from "./call.ts";
import { namesIn, readLedger, type Stage } from "./stage.ts";

/**
 * What a machine that is slow or busy adds to the time of a call, of which many may run at once. Only the long forms have a
 * machine to themselves; beside other tests all that counts is that a call ends.
 */
export const SLOWNESS_MS =
  Math.max(0, 40 * Math.min(...[0, 1, 2].map(timeOfCall)) - 300) + (process.env["NODE_ENV"] === "test" ? 3000 : 0);

/** The next call may be held up by a dead one's lock for a second, and takes its own time. */
export const ANSWER_LIMIT_MS = 1300 + SLOWNESS_MS;

function timeOfCall(): number {
  const start = performance.now();
  runCodelia(["--version"], { cwd: import.meta.dirname, home: import.meta.dirname });
  return Math.round(performance.now() - start);
}

/** What a call that comes after killed ones must find in order, counted over a run. */
export interface Aftermath {
  /** Files that neither the killed ones nor the next call told. */
  lost: number;
  /** Files told twice or more: allowed, and counted. */
  repeated: number;
  slowestMs: number;
  readonly faults: string[];
}

export function newAftermath(): Aftermath {
  return { lost: 0, repeated: 0, slowestMs: 0, faults: [] };
}

/**
 * Judges the next call.
 *
 * @param outputs of those that were killed
 * @param expected the files that had news, in version `mtimeMs`
 */
export function judgeNext(
  aftermath: Aftermath,
  stage: Stage,
  next: Ending,
  outputs: readonly string[],
  expected: { readonly files: readonly string[]; readonly mtimeMs: number },
  label: string,
): void {
  const counts = [...countTold([...outputs, next.stdout], expected.files, expected.mtimeMs)];
  const lost = counts.filter(([, count]) => count === 0).map(([file]) => `'${file}' was never told`);
  aftermath.lost += lost.length;
  aftermath.repeated += counts.filter(([, count]) => count > 1).length;
  aftermath.slowestMs = Math.max(aftermath.slowestMs, next.elapsedMs);
  const faults = [
    ...lost,
    ...(next.exit === 0 ? [] : [`exit ${next.exit}`]),
    ...(next.stderr === "" ? [] : [`on standard error: ${next.stderr.trim()}`]),
    ...(next.elapsedMs <= ANSWER_LIMIT_MS ? [] : [`answer after ${Math.round(next.elapsedMs)} ms`]),
    ...judgeFiles(stage),
  ];
  aftermath.faults.push(...faults.map((fault) => `${label}: ${fault}`));
}

/** Files that killed processes left beside the ledger. */
export function leftovers(stage: Stage): string[] {
  return namesIn(stage.state()).filter((name) => /^session\.json\..+/.test(name));
}

function judgeFiles(stage: Stage): string[] {
  try {
    readLedger(stage);
    return [];
  } catch (error) {
    return [`the ledger does not parse: ${(error as Error).message}`];
  }
}
