import { findContext, findSession, mergeLedgers } from "../../../src/ledger/contexts.ts";
import type { Context } from "../../../src/ledger/schema.ts";
import type { Ending } from "./call.ts";
import { deadHolder } from "./holders.ts";
import type { OnceVariant } from "./once.ts";
import { readLateLedgers, readLedger, TWENTY_DIRECTORIES, type Stage } from "./stage.ts";
import { runTogether } from "./together.ts";
import { judgeTold, toldLines } from "./told.ts";

const ROOM_FOR_ALL = { agents: { resolver: { maxFilesPerResolve: 64 } } };
const TWENTY = { directories: TWENTY_DIRECTORIES };
const MAX_WAVES = 10;
/** Of a process that has gone, of one whose pid another has now, and from before the last boot. */
const DEAD_LOCKS = [
  () => JSON.stringify(deadHolder()),
  () => JSON.stringify(deadHolder({ pid: process.pid })),
  () => JSON.stringify(deadHolder({ bootId: "earlier" })),
];

export const ONCE_VARIANTS: readonly OnceVariant[] = [
  {
    name: "one session, new each round",
    stage: { ...TWENTY, config: ROOM_FOR_ALL },
    async play(stage, round, processes) {
      const mtimeMs = stage.touch();
      const endings = await ask(stage, processes, ["--session", `session-${round}`]);
      return { endings, faults: judgeTold(endings, stage.files, mtimeMs) };
    },
  },
  {
    name: "one session, files touched each round",
    stage: { ...TWENTY, config: ROOM_FOR_ALL },
    async play(stage, _round, processes) {
      const mtimeMs = stage.touch();
      const endings = await ask(stage, processes);
      return { endings, faults: judgeTold(endings, stage.files, mtimeMs) };
    },
  },
  {
    name: "eight at a time, until silent",
    stage: TWENTY,
    async play(stage, _round, processes) {
      const mtimeMs = stage.touch();
      const waves: Ending[][] = [];
      do waves.push(await ask(stage, processes));
      while (waves.at(-1)?.some((ending) => ending.stdout !== "") && waves.length < MAX_WAVES);
      const endings = waves.flat();
      return { endings, faults: judgeTold(endings, stage.files, mtimeMs) };
    },
  },
  {
    name: "first call where no ledger and no marker is",
    stage: { ...TWENTY, marker: "none", config: ROOM_FOR_ALL },
    isFresh: true,
    async play(stage, round, processes) {
      const mtimeMs = stage.touch();
      const endings = await ask(stage, processes, ["--session", `session-${round}`]);
      return { endings, faults: judgeTold(endings, stage.files, mtimeMs) };
    },
  },
  {
    name: "a context for every process",
    stage: { ...TWENTY, config: ROOM_FOR_ALL },
    async play(stage, _round, processes) {
      const mtimeMs = stage.touch();
      const keys = Array.from({ length: processes }, (_, index) => keyOf(index));
      const endings = await runTogether(
        stage,
        keys.map(({ session, agent }) => ({
          args: ["resolve", "-", "--session", session, "--agent", agent],
          input: inputOf(stage),
        })),
      );
      const told = endings.flatMap((ending) => judgeTold([ending], stage.files, mtimeMs));
      const recorded = keys.flatMap(({ session, agent }) =>
        judgeRecord(stage, contextOf(stage, session, agent), mtimeMs),
      );
      return { endings, faults: [...told, ...recorded] };
    },
  },
  {
    name: "a dead process's lock in the way",
    stage: { ...TWENTY, config: ROOM_FOR_ALL },
    async play(stage, round, processes) {
      stage.tree.write("repo/.codelia/session.json.lock", DEAD_LOCKS[round % DEAD_LOCKS.length]?.() ?? "");
      const mtimeMs = stage.touch();
      const endings = await ask(stage, processes);
      return { endings, faults: judgeTold(endings, stage.files, mtimeMs) };
    },
  },
  {
    name: "resolve, resume-diff and init-context mixed",
    stage: { ...TWENTY, config: ROOM_FOR_ALL },
    play: playMixed,
  },
  {
    name: "resolve while init-context begins anew",
    stage: { ...TWENTY, config: ROOM_FOR_ALL },
    play: playAnew,
  },
];

/** All ask about the same twenty paths; half name them as arguments, half wait for them and are let go at once. */
function ask(stage: Stage, processes: number, args: readonly string[] = []): Promise<Ending[]> {
  return runTogether(
    stage,
    Array.from({ length: processes }, (_, index) =>
      index % 2 === 0
        ? { args: ["resolve", ...args, "-"], input: inputOf(stage) }
        : { args: ["resolve", ...args, ...stage.paths] },
    ),
  );
}

/**
 * A third each. `resolve` and `resume-diff` speak for one context and must tell each file once between them; each
 * `init-context` begins a context of its own, whose every beginning must be recorded.
 */
async function playMixed(stage: Stage, round: number, processes: number) {
  const mtimeMs = stage.touch();
  const deepest = `${stage.repository}/packages/zeta/src/ui`;
  const isBeginner = (index: number) => index % 3 === 2;
  const endings = await runTogether(
    stage,
    Array.from({ length: processes }, (_, index) => {
      if (isBeginner(index)) return { args: ["init-context", "--only", "agents", "--agent", `agent-${index}`] };
      if (index % 3 === 1) return { args: ["resume-diff", "--cwd", deepest] };
      return { args: ["resolve", "--cwd", deepest, "-"], input: inputOf(stage, stage.files) };
    }),
  );
  const faults = judgeTold(endings, stage.files, mtimeMs);
  for (const [index, ending] of endings.entries()) {
    if (!isBeginner(index)) continue;
    const { epoch } = contextOf(stage, "default", `agent-${index}`);
    if (epoch !== round + 1) faults.push(`agent-${index}: epoch ${epoch}, not ${round + 1}`);
    if (!ending.stdout.includes(`Instructions from: ${stage.files[0]}\n`)) faults.push(`agent-${index} was not told`);
  }
  return { endings, faults };
}

/**
 * Every third process begins the very context that the others speak for. How often a file is told depends on the
 * order; every beginning must count, and what is not recorded at the end must be told to the next who asks.
 */
async function playAnew(stage: Stage, _round: number, processes: number) {
  const mtimeMs = stage.touch();
  const isBeginner = (index: number) => index % 3 === 2;
  const before = ledgerExists(stage) ? contextOf(stage, "default", "main").epoch : 0;
  const endings = await runTogether(
    stage,
    Array.from({ length: processes }, (_, index) =>
      isBeginner(index)
        ? { args: ["init-context", "--only", "agents"] }
        : { args: ["resolve", "-"], input: inputOf(stage) },
    ),
  );
  const beginners = endings.filter((_, index) => isBeginner(index)).length;
  const after = contextOf(stage, "default", "main");
  const faults = after.epoch === before + beginners ? [] : [`epoch ${before} + ${beginners} became ${after.epoch}`];
  const last = await stage.run(["resolve", ...stage.paths]);
  const tellings = new Map(stage.files.map((file) => [file, 0]));
  for (const { path } of [...endings, last].flatMap((ending) => toldLines(ending.stdout))) {
    tellings.set(path, (tellings.get(path) ?? 0) + 1);
  }
  for (const [file, count] of tellings) {
    const isInBundle = file === stage.files[0];
    if (count > beginners + 1 || (count === 0 && !isInBundle)) faults.push(`'${file}' told ${count} times`);
  }
  const missing = new Set(judgeRecord(stage, after, mtimeMs).map((fault) => fault));
  if (missing.size !== toldLines(last.stdout).length)
    faults.push(`${missing.size} unrecorded, but told: ${last.stdout}`);
  return { endings: [...endings, last], faults };
}

function inputOf(stage: Stage, paths: readonly string[] = stage.paths): string {
  return `${paths.join("\n")}\n`;
}

/** Half of them sub-agents of one session, half sessions of their own. */
function keyOf(index: number): { session: string; agent: string } {
  return index % 2 === 0
    ? { session: "shared", agent: `agent-${index}` }
    : { session: `session-${index}`, agent: "main" };
}

function ledgerExists(stage: Stage): boolean {
  try {
    readLedger(stage);
    return true;
  } catch {
    return false;
  }
}

/** In the ledger, or beside it until someone has the lock. */
function contextOf(stage: Stage, session: string, context: string): Context {
  const known = [readLedger(stage), ...readLateLedgers(stage)].reduce(mergeLedgers);
  return findContext(findSession(known, session), context);
}

function judgeRecord(stage: Stage, context: Context, mtimeMs: number): string[] {
  return stage.files
    .filter((file) => context.loadedVersions[file]?.mtimeMs !== mtimeMs)
    .map((file) => `'${file}' is not recorded`);
}
