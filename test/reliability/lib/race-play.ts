import { run } from "../../../src/cli.ts";
import { disk } from "../../../src/lib/fs.ts";
import { hookDisk } from "../../support/disk-hooks.ts";
import { fakeWorld } from "../../support/fake-world.ts";
import { runCodelia, type RunResult } from "../../support/run-codelia.ts";
import { deadHolder } from "./holders.ts";
import { openStage, readLateLedgers, readLedger, type Stage, type StageOptions } from "./stage.ts";
import { countTold } from "./told.ts";

export interface RaceFigures {
  /** Calls on the file system that the first process makes. */
  readonly sites: number;
  readonly points: number;
  readonly lost: number;
  /** Told by both: the second could wait no longer for the first, which had told and not yet recorded. */
  readonly repeated: number;
  readonly faults: readonly string[];
}

/** What stands there before two processes want to say the same. */
export const RACE_STAGES: Readonly<Record<string, StageOptions>> = {
  "the first record of a session": {},
  "the first record where nothing marks the root": { marker: "none" },
  "a dead process's lock": { entries: { "repo/.codelia/session.json.lock": JSON.stringify(deadHolder()) } },
  "a lock whose pid another process has now": {
    entries: { "repo/.codelia/session.json.lock": JSON.stringify(deadHolder({ pid: process.pid })) },
  },
  "a spoilt ledger": { entries: { "repo/.codelia/session.json": "garbage" } },
};

/**
 * Two processes are asked the same: the second one, the built binary, runs from its beginning to its end just before one
 * call on the file system of the first; before each of them in turn.
 *
 * @param every only each so-many-th call: for the short form
 */
export async function playRaces(options: StageOptions, every = 1): Promise<RaceFigures> {
  const sites = (await playRace(options, -1)).sites;
  const faults: string[] = [];
  let [points, lost, repeated] = [0, 0, 0];
  for (let at = 0; at < sites; at += every) {
    points++;
    const round = await playRace(options, at);
    if (round.least === 0) lost++;
    if (round.most > 1) repeated++;
    faults.push(...round.faults.map((fault) => `at call ${at}: ${fault}`));
  }
  return { sites, points, lost, repeated, faults };
}

async function playRace(options: StageOptions, at: number) {
  using stage = openStage(options);
  const mtimeMs = stage.touch();
  let [count, second, isLate] = [0, undefined as RunResult | undefined, false];
  const home = stage.home;
  const world = fakeWorld({ argv: ["resolve", ...stage.paths], cwd: stage.repository, home, env: { HOME: home } });
  {
    using _ = hookEveryCall(() => {
      if (count++ !== at) return;
      second = runCodelia(["resolve", ...stage.paths], { cwd: stage.repository, home });
      isLate = readLateLedgers(stage).length > 0;
    });
    await run(world);
  }
  const warned = [...world.complaints, second?.stderr ?? ""].join("");
  const outputs = [world.written(), second?.stdout ?? ""];
  const told = [...countTold(outputs, stage.files, mtimeMs).values()];
  const [least, most] = [Math.min(...told), Math.max(...told)];
  const faults: string[] = [];
  if (least === 0) faults.push(`told by neither; ${warned}`);
  if (most > 1 && !isLate) faults.push("told by both, and the second did not wait as long as it may");
  if (second !== undefined && second.exitCode !== 0) faults.push(`the second ends with ${second.exitCode}`);
  faults.push(...judgeAfterwards(stage));
  return { sites: count, least, most, faults };
}

function judgeAfterwards(stage: Stage): string[] {
  const next = runCodelia(["resolve", ...stage.paths], { cwd: stage.repository, home: stage.home });
  const last = runCodelia(["resolve", ...stage.paths], { cwd: stage.repository, home: stage.home });
  const faults = [next, last].flatMap(({ exitCode, stderr }) =>
    exitCode === 0 ? [] : [`then ${exitCode}: ${stderr}`],
  );
  if (last.stdout !== "") faults.push("what was recorded is told again");
  try {
    if (readLateLedgers(stage).length === 0) readLedger(stage);
  } catch (error) {
    faults.push(`the ledger does not parse: ${(error as Error).message}`);
  }
  return faults;
}

function hookEveryCall(before: () => void): Disposable {
  const names = Object.keys(disk) as (keyof typeof disk)[];
  const watched =
    (original: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      before();
      return original(...args);
    };
  return hookDisk(Object.fromEntries(names.map((name) => [name, watched])));
}
