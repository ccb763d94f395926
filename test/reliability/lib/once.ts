import { existsSync } from "node:fs";
import { judgeEndings } from "./told.ts";
import { openStage, readLedger, type Stage, type StageOptions } from "./stage.ts";
import type { Ending } from "./call.ts";

/** What one round of calls did, and what was wrong with it beyond how each call ended. */
export interface Round {
  readonly endings: readonly Ending[];
  readonly faults: readonly string[];
}

/** A way for many processes to ask at once. */
export interface OnceVariant {
  readonly name: string;
  readonly stage: StageOptions;
  /** Every round has a tree of its own, without a ledger. */
  readonly isFresh?: true;
  play(stage: Stage, round: number, processes: number): Promise<Round>;
}

export interface OnceFigures {
  readonly calls: number;
  readonly slowestMs: number;
  /** Calls that told and could not record, with a warning: faults too. */
  readonly unrecorded: number;
  /** How often the ledger was read while processes wrote it. */
  readonly glances: number;
  readonly faults: readonly string[];
}

const GLANCE_MS = 5;

/** Plays a variant round after round; after each, and while it runs, the ledger is read and must parse. */
export async function playOnce(variant: OnceVariant, rounds: number, processes: number): Promise<OnceFigures> {
  const faults: string[] = [];
  let [calls, slowestMs, unrecorded, glances] = [0, 0, 0, 0];
  let stage = openStage(variant.stage);
  try {
    for (let round = 0; round < rounds; round++) {
      if (variant.isFresh && round > 0) {
        stage[Symbol.dispose]();
        stage = openStage(variant.stage);
      }
      const watch = watchLedger(stage);
      const { endings, faults: found } = await variant.play(stage, round, processes);
      const watched = watch.end();
      glances += watched.glances;
      calls += endings.length;
      unrecorded += endings.filter(isUnrecorded).length;
      slowestMs = Math.max(slowestMs, ...endings.map((ending) => ending.elapsedMs));
      const all = [...judgeEndings(endings), ...found, ...watched.faults, ...judgeLedger(stage)];
      faults.push(...all.map((fault) => `round ${round}: ${fault}`));
    }
  } finally {
    stage[Symbol.dispose]();
  }
  return { calls, slowestMs, unrecorded, glances, faults };
}

function isUnrecorded({ stderr }: Ending): boolean {
  return stderr.includes("could not record");
}

/** Reads the ledger again and again, as the processes that need no lock do. */
function watchLedger(stage: Stage): { end(): { glances: number; faults: string[] } } {
  const faults: string[] = [];
  let glances = 0;
  const timer = setInterval(() => {
    if (!existsSync(stage.state("session.json"))) return;
    glances++;
    faults.push(...judgeLedger(stage));
  }, GLANCE_MS);
  return {
    end() {
      clearInterval(timer);
      return { glances, faults };
    },
  };
}

function judgeLedger(stage: Stage): string[] {
  try {
    readLedger(stage);
    return [];
  } catch (error) {
    return [`the ledger does not parse: ${(error as Error).message}`];
  }
}
