import { existsSync } from "node:fs";
import { judgeNext, leftovers, newAftermath, type Aftermath } from "./aftermath.ts";
import type { Call, Ending } from "./call.ts";
import { pick, randomFrom } from "./random.ts";
import { spinFor } from "./spin.ts";
import { openStage, TWENTY_DIRECTORIES, type Stage } from "./stage.ts";

export interface KillFigures extends Aftermath {
  readonly kills: number;
  /** How long a call with news takes when nobody is in its way. */
  readonly lifeMs: number;
  /** Where the blows fell: how many left a lock, had said something, had come to their end… */
  readonly blows: Readonly<Record<Blow, number>>;
  /** Files beside the ledger at the end. */
  readonly left: number;
  /** The most of them at any time. */
  readonly mostLeft: number;
}

export type Blow = "before the lock" | "under the lock" | "under the lock, told" | "after the lock, told" | "too late";

const MAX_PER_RESOLVE = { agents: { resolver: { maxFilesPerResolve: 64 } } };
/** A new session after so many rounds: its first record takes a way of its own. */
const ROUNDS_PER_SESSION = 40;
/** Every so many rounds several processes die at once. */
const CROWD_EVERY = 5;
const CROWD = 3;
/** Calls that hang are not waited for again and again. */
const GIVE_UP_AFTER = 3;

/** Kills calls that have news to tell, each at a random moment of its life, and after each round asks again. */
export async function playKills(kills: number, seed: number): Promise<KillFigures> {
  using stage = openStage({ directories: TWENTY_DIRECTORIES, config: MAX_PER_RESOLVE });
  const random = randomFrom(seed);
  const aftermath = newAftermath();
  const blows = newBlows();
  const lifeMs = await measureLife(stage);
  let [killed, mostLeft, hung] = [0, 0, 0];
  for (let round = 0; killed < kills && hung < GIVE_UP_AFTER; round++) {
    const args = ["resolve", "--session", `session-${Math.floor(round / ROUNDS_PER_SESSION)}`, ...stage.paths];
    const isNewSession = round % ROUNDS_PER_SESSION === 0;
    const files = isNewSession ? stage.files : pick(stage.files, 1 + Math.floor(random() * 3), random);
    const mtimeMs = stage.touch(files);
    const count = Math.min(round % CROWD_EVERY === 0 ? CROWD : 1, kills - killed);
    const endings = await killSome(stage, args, count, lifeMs, random);
    killed += count;
    for (const ending of endings) blows[whereItFell(stage, ending)]++;
    mostLeft = Math.max(mostLeft, leftovers(stage).length);
    const next = await stage.run(args);
    if (next.exit === "hung") hung++;
    const outputs = endings.map((ending) => ending.stdout);
    judgeNext(aftermath, stage, next, outputs, { files, mtimeMs }, `seed ${seed}, round ${round}`);
  }
  if (killed < kills) aftermath.faults.push(`gave up after ${killed} kills: ${hung} calls hung`);
  return { ...aftermath, kills: killed, lifeMs, blows, left: leftovers(stage).length, mostLeft };
}

/** Half the blows fall anywhere in a life, half in its second half, where the ledger is written. */
async function killSome(
  stage: Stage,
  args: readonly string[],
  count: number,
  lifeMs: number,
  random: () => number,
): Promise<Ending[]> {
  const calls: Call[] = [];
  for (let index = 0; index < count; index++) calls.push(stage.start(args));
  const share = random() < 0.5 ? random() : 0.5 + random() / 2;
  spinFor(share * lifeMs);
  for (const call of calls) {
    call.signal("SIGKILL");
    spinFor((random() * lifeMs) / 10);
  }
  return Promise.all(calls.map((call) => call.ending));
}

function whereItFell(stage: Stage, { exit, stdout }: Ending): Blow {
  if (exit === 0) return "too late";
  const isLocked = existsSync(stage.state("session.json.lock"));
  if (stdout !== "") return isLocked ? "under the lock, told" : "after the lock, told";
  return isLocked ? "under the lock" : "before the lock";
}

/** Not the median: on a busy machine most blows would come too late. */
async function measureLife(stage: Stage): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 9; index++) {
    stage.touch();
    const { elapsedMs } = await stage.run(["resolve", "--session", "undisturbed", ...stage.paths]);
    times.push(elapsedMs);
  }
  return times.toSorted((left, right) => left - right)[1] ?? 0;
}

function newBlows(): Record<Blow, number> {
  return {
    "before the lock": 0,
    "under the lock": 0,
    "under the lock, told": 0,
    "after the lock, told": 0,
    "too late": 0,
  };
}
