import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { judgeNext, newAftermath, type Aftermath } from "./aftermath.ts";
import { deadHolder } from "./holders.ts";
import { makeIdle } from "./idle.ts";
import { openStage, type Stage, type StageOptions } from "./stage.ts";
import { askOther, compact, OTHER, otherFile } from "./two-roots.ts";

export interface CrashFigures extends Aftermath {
  /** How many system calls the process was killed at. */
  readonly points: number;
  /** What was left behind by any of them, even after the next call; one name for all that differ in a nonce. */
  readonly left: readonly string[];
}

/** What stands there before the call that is killed. */
export interface CrashScene {
  readonly name: string;
  readonly stage: StageOptions;
  readonly prepare: (stage: Stage) => Promise<void>;
  /** What is wrong after it, where that is not for the next call of the same kind to say. */
  readonly judge?: (stage: Stage, session: string) => Promise<readonly string[]>;
}

export const CRASH_SCENES: readonly CrashScene[] = [
  { name: "the first record of a session", stage: {}, prepare: async () => {} },
  { name: "the first record where nothing marks the root", stage: { marker: "none" }, prepare: async () => {} },
  {
    name: "taking over a dead process's lock",
    stage: { entries: { "repo/.codelia/session.json.lock": JSON.stringify(deadHolder()) } },
    prepare: async () => {},
  },
  {
    name: "setting a spoilt ledger aside",
    stage: { entries: { "repo/.codelia/session.json": "garbage" } },
    prepare: async () => {},
  },
  {
    name: "archiving an idle session",
    stage: {},
    async prepare(stage) {
      await stage.run(["resolve", "--session", "idle", ...stage.paths]);
      makeIdle(stage, "idle", 25);
    },
  },
  {
    name: "the first record of a session that goes on in another root",
    stage: { entries: OTHER },
    prepare: async () => {},
    async judge(stage, session) {
      await askOther(stage, session);
      await compact(stage, session);
      const { stdout, exit } = await askOther(stage, session);
      const isTold = stdout.includes(`- ${otherFile(stage)} (mtime: `);
      return [
        ...(isTold ? [] : ["what was told before the compaction is not told again"]),
        ...(exit === 0 ? [] : [`exit ${exit}`]),
      ];
    },
  },
];

/** Why it can't be done here; undefined when it can. */
export const WHY_NO_CRASH_POINTS: string | undefined = whyNot();

/** Those that change the disk, and those that come between them; strace counts each by itself. */
const SYSTEM_CALLS = ["openat", "write", "close", "rename", "link", "unlink", "mkdir"];
const GIVE_UP_AFTER = 3;
const SESSION = "crashed";

/** Kills a call at its first system call of a kind, at its second, and so on to its end; then the same for the next kind. */
export async function playCrashPoints(scene: CrashScene, systemCalls = SYSTEM_CALLS): Promise<CrashFigures> {
  const aftermath = newAftermath();
  const left = new Set<string>();
  let [points, hung] = [0, 0];
  for (const systemCall of systemCalls) {
    for (let nth = 1; hung < GIVE_UP_AFTER; nth++) {
      using stage = openStage(scene.stage);
      await scene.prepare(stage);
      const args = ["resolve", "--session", SESSION, ...stage.paths];
      const mtimeMs = stage.touch();
      const killed = await stage.run(args, { through: killAt(systemCall, nth) });
      if (killed.exit === 0) break;
      points++;
      if (scene.judge !== undefined) {
        const faults = await scene.judge(stage, SESSION);
        aftermath.faults.push(...faults.map((fault) => `${systemCall} ${nth}: ${fault}`));
        continue;
      }
      const next = await stage.run(args);
      if (next.exit === "hung") hung++;
      // A spoilt ledger is set aside with a warning, by whichever call comes to it.
      const quiet = next.stderr.includes("is set aside as") ? { ...next, stderr: "" } : next;
      judgeNext(aftermath, stage, quiet, [killed.stdout], { files: stage.files, mtimeMs }, `${systemCall} ${nth}`);
      for (const name of leftIn(stage)) left.add(name);
    }
  }
  if (hung >= GIVE_UP_AFTER) aftermath.faults.push(`gave up after ${points} points: ${hung} calls hung`);
  return { ...aftermath, points, left: [...left].toSorted() };
}

function leftIn(stage: Stage): string[] {
  return readdirSync(stage.tree.root, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:tmp|new|gone|lock)$/.test(path))
    .map((path) => path.replaceAll(/[0-9a-z]{14,}/g, "*"));
}

function killAt(systemCall: string, nth: number): string[] {
  return ["strace", "-f", "-qqq", "-o", "/dev/null", "-e", `inject=${systemCall}:signal=SIGKILL:when=${nth}`];
}

function whyNot(): string | undefined {
  if (process.platform !== "linux") return "only Linux has strace";
  const { status, error } = spawnSync("strace", ["-f", "-qqq", "-o", "/dev/null", "true"]);
  if (status === 0) return undefined;
  return error === undefined ? "strace may not trace here" : "there is no strace here";
}
