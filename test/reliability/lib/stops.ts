import { existsSync } from "node:fs";
import { judgeNext, newAftermath, type Aftermath } from "./aftermath.ts";
import { judgeEndings } from "./told.ts";
import { openStage, TWENTY_DIRECTORIES } from "./stage.ts";
import { randomFrom } from "./random.ts";
import { spinFor, spinUntil } from "./spin.ts";

export interface StopFigures extends Aftermath {
  readonly stops: number;
  /** How many were stopped while they held the lock. */
  readonly underLock: number;
}

const LOCK_APPEARS_MS = 500;
/** Calls that hang are not waited for again and again. */
const GIVE_UP_AFTER = 3;

/**
 * Stops calls while they hold the lock. While one is stopped the next must answer in time, though it can't record;
 * then the stopped one goes on, or dies, and a last call finds everything told and recorded.
 */
export async function playStops(stops: number, seed: number): Promise<StopFigures> {
  using stage = openStage({
    directories: TWENTY_DIRECTORIES,
    config: { agents: { resolver: { maxFilesPerResolve: 64 } } },
  });
  const random = randomFrom(seed);
  const aftermath = newAftermath();
  const args = ["resolve", ...stage.paths];
  let [stopped, underLock, hung] = [0, 0, 0];
  await stage.run(args);
  for (let round = 0; round < stops && hung < GIVE_UP_AFTER; round++) {
    const label = `seed ${seed}, stop ${round}`;
    const expected = { files: stage.files, mtimeMs: stage.touch() };
    const victim = stage.start(args);
    spinUntil(() => existsSync(stage.state("session.json.lock")), LOCK_APPEARS_MS);
    spinFor(random() * 2);
    victim.signal("SIGSTOP");
    if (existsSync(stage.state("session.json.lock"))) underLock++;
    const meanwhile = await stage.run(args);
    // It may not be able to record, and says so: that is no fault here.
    judgeNext(aftermath, stage, { ...meanwhile, stderr: "" }, [], { ...expected, files: [] }, label);
    const isKilled = round % 2 === 0;
    victim.signal(isKilled ? "SIGKILL" : "SIGCONT");
    const ending = await victim.ending;
    if (!isKilled) aftermath.faults.push(...judgeEndings([ending]).map((fault) => `${label}, gone on: ${fault}`));
    const last = await stage.run(args);
    judgeNext(aftermath, stage, last, [ending.stdout, meanwhile.stdout], expected, label);
    const silent = await stage.run(args);
    stopped++;
    hung += [meanwhile, last, silent].filter((call) => call.exit === "hung").length;
    if (silent.stdout !== "") aftermath.faults.push(`${label}: told again though all is recorded`);
  }
  if (stopped < stops) aftermath.faults.push(`gave up after ${stopped} stops: ${hung} calls hung`);
  return { ...aftermath, stops: stopped, underLock };
}
