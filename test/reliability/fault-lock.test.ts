import { expect, setDefaultTimeout, test } from "bun:test";
import { ANSWER_LIMIT_MS, SLOWNESS_MS } from "./lib/aftermath.ts";
import { expectAnswer, expectSilence, UNRECORDED } from "./lib/expect-answer.ts";
import { deadHolder, livingHolder, TELLS_PROCESSES } from "./lib/holders.ts";
import { namesIn, openStage, type Stage } from "./lib/stage.ts";
import { judgeEndings, judgeTold, toldLines } from "./lib/told.ts";
import type { Entry } from "../support/temp-tree.ts";

setDefaultTimeout(60_000);

// Locks that others left. They are taken over if their holder is gone; else the answer comes in time, unrecorded.
// Most of it is waiting.
const LOCK = "repo/.codelia/session.json.lock";
/** How long a lock must be unchanged if nothing tells whether its holder lives. */
const UNJUDGEABLE_MS = 600;

interface LeftLock {
  readonly name: string;
  readonly entries: () => Readonly<Record<string, Entry>>;
  readonly isUnjudgeable?: boolean;
}

const dead = () => JSON.stringify(deadHolder());
const elsewhere = () => JSON.stringify(deadHolder({ pidNamespace: "pid:[1]" }));
const rightOf = (nonce = deadHolder().nonce) => `${LOCK}.${nonce}.gone`;

const TAKEN_OVER: readonly LeftLock[] = [
  { name: "of a dead process", entries: () => ({ [LOCK]: dead() }) },
  {
    name: "of a dead process, with its draft",
    entries: () => ({ [LOCK]: dead(), [`repo/.codelia/session.json.${deadHolder().nonce}.new`]: "half a ledg" }),
  },
  {
    name: "from before the last boot",
    isUnjudgeable: !TELLS_PROCESSES,
    entries: () => ({ [LOCK]: JSON.stringify(deadHolder({ bootId: "earlier" })) }),
  },
  {
    name: "of a dead process that died removing it",
    entries: () => ({ [LOCK]: dead(), [rightOf()]: dead() }),
  },
  {
    name: "of a dead process that died the moment it began to remove it",
    isUnjudgeable: true,
    entries: () => ({ [LOCK]: dead(), [rightOf()]: "" }),
  },
  { name: "of another pid namespace", isUnjudgeable: true, entries: () => ({ [LOCK]: elsewhere() }) },
  {
    name: "of another pid namespace, that died removing it",
    isUnjudgeable: true,
    entries: () => ({ [LOCK]: elsewhere(), [rightOf()]: elsewhere() }),
  },
  { name: "that is empty", isUnjudgeable: true, entries: () => ({ [LOCK]: "" }) },
  { name: "of garbage", isUnjudgeable: true, entries: () => ({ [LOCK]: "\0garbage" }) },
  { name: "that is a FIFO", isUnjudgeable: true, entries: () => ({ [LOCK]: { fifo: true } }) },
  { name: "that is a dangling link", isUnjudgeable: true, entries: () => ({ [LOCK]: { link: "nowhere" } }) },
];
/** By its pid alone the process that has it now holds the lock. */
const SUCCESSOR: LeftLock = {
  name: "of a process whose pid another one has now",
  entries: () => ({ [LOCK]: JSON.stringify(deadHolder({ pid: process.pid })) }),
};

for (const { name, entries, isUnjudgeable } of TELLS_PROCESSES ? [...TAKEN_OVER, SUCCESSOR] : TAKEN_OVER) {
  test.concurrent(`a lock ${name} holds nobody up for more than a second`, async () => {
    using stage = openStage({ entries: entries() });
    const mtimeMs = stage.touch();
    const first = await resolve(stage);
    // One more attempt may be needed where the leftovers of two are in the way: an answer with a warning is in order.
    const isRecorded = first.stderr === "";
    expectAnswer(first, { files: stage.files, mtimeMs, ...(isRecorded ? {} : { stderr: UNRECORDED }) });
    if (!isRecorded) expect((await resolve(stage)).exit).toBe(0);
    const idle = await resolve(stage);
    expectSilence(idle);
    // What could not be recorded in time is with the next record.
    const last = stage.touch();
    expectAnswer(await resolve(stage), { files: stage.files, mtimeMs: last });
    const left = namesIn(stage.state()).filter((file) => file.startsWith("session.json"));
    expect(left).toEqual(["session.json"]);
    if (isUnjudgeable !== true && isRecorded) {
      // A busy machine makes both calls slow.
      expect(first.elapsedMs - idle.elapsedMs).toBeLessThan(UNJUDGEABLE_MS + SLOWNESS_MS);
    }
  });
}

// A call waits as long as it may. Then its record is beside the ledger until a process has the lock.
const HELD_FOR_EVER: Readonly<Record<string, (alive: string) => Readonly<Record<string, string>>>> = {
  "of a living process": (alive) => ({ [LOCK]: alive }),
  "of a dead process that a living one is removing": (alive) => ({ [LOCK]: dead(), [rightOf()]: alive }),
  "that is a directory": () => ({ [`${LOCK}/notes`]: "the user's own" }),
};
for (const [name, entriesWith] of Object.entries(HELD_FOR_EVER)) {
  test.concurrent(`a lock ${name}: told in time, once, and the lock is left alone`, async () => {
    using living = livingHolder();
    const entries = entriesWith(JSON.stringify(living.holder));
    using stage = openStage({ entries });
    const mtimeMs = stage.touch();
    expectAnswer(await resolve(stage), { files: stage.files, mtimeMs });
    expectSilence(await resolve(stage));
    const changed = stage.files.slice(1);
    const later = stage.touch(changed);
    expectAnswer(await resolve(stage), { files: changed, mtimeMs: later });
    for (const [path, text] of Object.entries(entries)) expect(stage.tree.read(path)).toBe(text);
    for (const path of Object.keys(entries)) stage.tree.remove(path === LOCK || path === rightOf() ? path : LOCK);
    expectSilence(await resolve(stage));
    const last = stage.touch(changed);
    expectAnswer(await resolve(stage), { files: changed, mtimeMs: last });
    expectSilence(await resolve(stage));
    expect(namesIn(stage.state()).filter((file) => file.startsWith("session.json"))).toEqual(["session.json"]);
  });
}

test.concurrent("a context that forgets everything while the lock can't be had is told again", async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  const common = { session_id: "s", agent_id: "a", cwd: stage.repository };
  const use = { tool_name: "Bash", tool_input: { command: "sed -n 1,9p a/x.ts" } };
  const hook = (event: object) => {
    const call = stage.start(["hook", "codex"], { waitsForInput: true });
    call.feed(JSON.stringify({ ...common, ...event }));
    return call.ending;
  };
  const touch = async () => {
    const ending = await hook({ hook_event_name: "PreToolUse", ...use });
    return toldLines(ending.stdout === "" ? "" : JSON.parse(ending.stdout).hookSpecificOutput.additionalContext);
  };
  const everything = stage.files.map((path) => ({ path, mtimeMs }));
  expect(await touch()).toEqual(everything);
  stage.tree.write(`${LOCK}/notes`, "not a lock");
  await hook({ hook_event_name: "PostCompact" });
  // The client itself gives what is in the working directory again.
  expect(await touch()).toEqual(everything.slice(1));
  expect(await touch()).toEqual([]);
  stage.tree.remove(LOCK);
  expect(await touch()).toEqual([]);
  expect(await touch()).toEqual([]);
});

// A context begun anew has forgotten what the ledger still says it was told.
test.concurrent("init-context while a living process holds the lock: what it did not print is told afterwards", async () => {
  using living = livingHolder();
  using stage = openStage();
  const mtimeMs = stage.touch();
  await resolve(stage);
  stage.tree.write(LOCK, JSON.stringify(living.holder));
  const begun = await stage.run(["init-context", "--only", "agents"]);
  expect(begun.exit).toBe(0);
  expect(begun.stdout).toContain(`Instructions from: ${stage.files[0]}\n`);
  expect(begun.elapsedMs).toBeLessThan(ANSWER_LIMIT_MS);
  stage.tree.remove(LOCK);
  const next = await resolve(stage);
  expect(toldLines(next.stdout)).toContainEqual({ path: stage.files[1] ?? "", mtimeMs });
});

test.concurrent("one of many processes takes over a dead one's lock, and each file is told once", async () => {
  using stage = openStage({ entries: { [LOCK]: dead() } });
  for (let round = 0; round < 5; round++) {
    stage.tree.write(LOCK, dead());
    const mtimeMs = stage.touch();
    const endings = await Promise.all(Array.from({ length: 12 }, () => resolve(stage)));
    expect([...judgeEndings(endings), ...judgeTold(endings, stage.files, mtimeMs)]).toEqual([]);
  }
});

function resolve(stage: Stage) {
  return stage.run(["resolve", ...stage.paths]);
}
