import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { LATE, lateStage, LOCK, UNRECORDED, type LateStage } from "./late-stage.ts";
import { hookDisk, once } from "../support/disk-hooks.ts";

const RESOLVE = ["resolve", "--session", "s", "a/x.ts"];
const RESOLVE_ROOT = ["resolve", "--session", "s", "x.ts"];
const BEGIN = ["init-context", "--session", "s", "--only", "skills"];
const BEGIN_WITH_FILES = ["init-context", "--session", "s", "--only", "agents"];
const RESET = ["session", "reset", "--session", "s"];
const CLAUDE = { CLAUDE_CODE_SESSION_ID: "s" };
const HOUR_MS = 60 * 60 * 1000;
const LEDGER = "repo/.codelia/session.json";
const ROOT_FILE = "repo/AGENTS.md";
const FILE = "repo/a/AGENTS.md";
const SKILL = "repo/.agents/skills/notes/SKILL.md";
const SKILL_TEXT = "---\nname: notes\ndescription: Draft notes\n---\nHow to draft.\n";

/** The mtime of a file's second version. */
const LATER = Date.UTC(2030, 0, 2);

function named(stage: LateStage, path: string): string {
  return `- ${stage.tree.path(path)} (`;
}

/** Does something before the next call adds its line. */
function beforeTheLine(stage: LateStage, act: () => void): Disposable {
  return hookDisk({ openToAppend: once((path) => path === stage.tree.path(LATE), act) });
}

test("a file that was told right before a compaction, by a call without the lock, does not count as told after it", async () => {
  using stage = lateStage();
  stage.other(BEGIN);
  stage.hold();
  const told = await stage.call(RESOLVE, { meanwhile: () => void stage.other(BEGIN) });
  expect(told.stdout).toContain(named(stage, FILE));
  expect(told.stderr).toContain(UNRECORDED);
  expect(stage.other(RESOLVE).stdout).toContain(named(stage, FILE));
});

test("a file that was told right before a compaction broke the lock does not count as told after it", async () => {
  using stage = lateStage();
  stage.other(BEGIN);
  const told = await stage.call(RESOLVE, { meanwhile: () => void stage.other(BEGIN) });
  expect(told.stdout).toContain(named(stage, FILE));
  expect(stage.other(RESOLVE).stdout).toContain(named(stage, FILE));
});

test("of two beginnings the later one counts, and what the other told doesn't", async () => {
  using stage = lateStage();
  stage.hold();
  const begun = await stage.call(BEGIN_WITH_FILES, {
    cwd: "repo/a",
    meanwhile: () => void stage.other(BEGIN_WITH_FILES),
  });
  expect(begun.stdout).toContain("Rules of a.");
  const next = stage.other(RESOLVE).stdout;
  expect(next).toContain(named(stage, FILE));
  expect(next).not.toContain(named(stage, ROOT_FILE));
});

test("a file that was told and has gone since is not brought back by what is told late of another", async () => {
  using stage = lateStage({ "repo/b/AGENTS.md": "Rules of b.\n" });
  stage.other(RESOLVE);
  stage.hold();
  function sayGone(): void {
    stage.tree.remove(FILE);
    expect(stage.other(RESOLVE).stdout).toContain(stage.tree.path(FILE));
  }
  {
    using _ = beforeTheLine(stage, sayGone);
    await stage.call(["resolve", "--session", "s", "b/x.ts"]);
  }
  expect(stage.other(RESOLVE).stdout).toBe("");
});

test("a late record can't say that a file has gone, and doesn't count as having said it", async () => {
  using stage = lateStage();
  stage.other(RESOLVE);
  stage.tree.remove(FILE);
  stage.hold();
  const late = await stage.call(RESOLVE);
  expect(late.stdout).toContain(stage.tree.path(FILE));
  expect(late.stderr).toContain(UNRECORDED);
  expect(stage.other(RESOLVE).stdout).toContain(stage.tree.path(FILE));
  expect(stage.other(RESOLVE).stdout).toBe("");
});

test("a late record can't say that a skill has gone or changed, and doesn't count as having said it", async () => {
  for (const change of ["gone", "changed"]) {
    using stage = lateStage({ [SKILL]: SKILL_TEXT });
    stage.other(BEGIN_WITH_FILES);
    stage.other(["skills", "load", "--session", "s", "notes"]);
    if (change === "gone") stage.tree.remove(SKILL);
    else stage.tree.touch(SKILL, LATER);
    stage.hold();
    const late = await stage.call(["resume-diff", "--session", "s"]);
    expect(late.stdout).toContain("notes");
    expect(late.stderr).toContain(UNRECORDED);
    expect(stage.other(["resume-diff", "--session", "s"]).stdout).toContain("notes");
    expect(stage.other(["resume-diff", "--session", "s"]).stdout).toBe("");
  }
});

test("a session that is reset while another call records late is told everything again", async () => {
  using stage = lateStage();
  stage.other(RESOLVE_ROOT);
  stage.hold();
  {
    using _ = beforeTheLine(stage, () => void stage.other(RESET));
    await stage.call(RESOLVE);
  }
  expect(stage.other(RESOLVE_ROOT).stdout).toContain(named(stage, ROOT_FILE));
});

test("a session that is reset while its time is refreshed late is told everything again", async () => {
  using stage = lateStage();
  stage.other(RESOLVE);
  makeOld(stage, 2 * HOUR_MS);
  stage.hold();
  {
    using _ = beforeTheLine(stage, () => void stage.other(RESET));
    await stage.call(RESOLVE);
  }
  expect(stage.other(RESOLVE).stdout).toContain(named(stage, ROOT_FILE));
});

test("a session whose first record was late is found from another root", async () => {
  using stage = lateStage({ "other/.git/": { dir: true } });
  stage.hold();
  await stage.call(RESOLVE_ROOT);
  expect(stage.other(RESOLVE).stdout).toContain(named(stage, FILE));
  stage.other(BEGIN, { cwd: "other" });
  expect(stage.other(RESOLVE).stdout).toContain(named(stage, FILE));
});

test("a late beginning of the main context resets its shell, too", async () => {
  using stage = lateStage();
  const start = (source: string) => ({ event: { hook_event_name: "SessionStart", source } });
  stage.other(["hook", "claude"], start("startup"));
  expect((await stage.call(["resolve", "a/x.ts"], { env: CLAUDE })).stdout).toContain(named(stage, FILE));
  stage.holdForEver();
  expect((await stage.call(["hook", "claude"], start("compact"))).stdout).not.toBe("");
  expect(stage.names()).toContain("session.json.late");
  stage.release();
  expect((await stage.call(["resolve", "a/x.ts"], { env: CLAUDE })).stdout).toContain(named(stage, FILE));
});

test("a session that comes back late from its archive keeps all its contexts", async () => {
  using stage = lateStage();
  stage.other(RESOLVE);
  stage.other([...RESOLVE, "--agent", "a1"]);
  makeOld(stage, 48 * HOUR_MS);
  stage.other(["resolve", "--session", "new", "x.ts"]);
  expect(stage.tree.read(LEDGER)).not.toContain('"s"');
  stage.tree.touch(FILE, LATER);
  stage.hold();
  expect((await stage.call(RESOLVE)).stdout).toContain(named(stage, FILE));
  stage.release();
  stage.other(["resolve", "--session", "another", "x.ts"]);
  expect(stage.names()).toEqual(["session.json"]);
  const toAgent = stage.other([...RESOLVE, "--agent", "a1"]).stdout;
  expect(toAgent).toContain(named(stage, FILE));
  expect(toAgent).not.toContain(named(stage, ROOT_FILE));
});

test("a beginning that can't even be recorded late discards what was told before", async () => {
  using stage = lateStage();
  const event = { hook_event_name: "PostCompact", agent_id: "a1", agent_type: "x" };
  const resolve = [...RESOLVE, "--agent", "a1"];
  expect(stage.other(resolve).stdout).toContain(named(stage, FILE));
  stage.tree.write(`${LATE}/notes`, "the user's own");
  stage.holdForEver();
  await stage.call(["hook", "codex"], { event });
  stage.release();
  expect(stage.other(resolve).stdout).toContain(named(stage, FILE));
});

test("a beginning that can't be recorded discards what the archive says was told before", async () => {
  using stage = lateStage();
  stage.other(RESOLVE);
  makeOld(stage, 48 * HOUR_MS);
  stage.other(["resolve", "--session", "new", "x.ts"]);
  stage.tree.write(`${LATE}/notes`, "the user's own");
  stage.holdForEver();
  await stage.call(BEGIN);
  stage.release();
  expect(stage.other(RESOLVE).stdout).toContain(named(stage, FILE));
});

test("late records count when the ledger itself is spoilt", async () => {
  using stage = lateStage();
  stage.hold();
  await stage.call(RESOLVE_ROOT);
  stage.tree.write(LEDGER, "garbage");
  const late = (await stage.call(RESOLVE)).stdout;
  expect(late).toContain(named(stage, FILE));
  expect(late).not.toContain(named(stage, ROOT_FILE));
});

test("a process that finds new records each time it has the lock looks once more, not for ever", async () => {
  using stage = lateStage();
  let drafts = 0;
  const line = () => {
    const { tree } = JSON.parse(stage.tree.read(LEDGER));
    const main = { epoch: 0, coveredDirs: [], loadedVersions: {}, loadedSkills: {} };
    const session = { cwd: "/", root: "/", markers: [], startedAt: drafts, updatedAt: drafts, contexts: { main } };
    return `${JSON.stringify({ version: 1, tree, n: 1, sessions: { s: session } })}\n`;
  };
  stage.other(RESOLVE_ROOT);
  using _ = hookDisk({
    openToCreate: (original) => (path, mode) => {
      if (path.endsWith(".new") && drafts++ < 9) stage.tree.write(LATE, line());
      return original(path, mode);
    },
  });
  const told = await stage.call(RESOLVE);
  expect(told.stdout).toContain(named(stage, FILE));
  expect(drafts).toBe(2);
});

test("records of other sessions don't make the holder of the lock start over", async () => {
  using stage = lateStage();
  let drafts = 0;
  using _ = hookDisk({
    openToCreate: (original) => (path, mode) => {
      if (path.endsWith(".new") && drafts++ < 9) stage.tree.write(LATE, '{"sessions":{"t":{}}}\n');
      return original(path, mode);
    },
  });
  const told = await stage.call(RESOLVE);
  expect(told.stdout).toContain(named(stage, FILE));
  expect(drafts).toBe(1);
});

for (const [what, entry] of Object.entries({
  "a file that is too large": "x".repeat(4 * 1024 * 1024 + 1),
  "a directory": { dir: true },
  "a FIFO": { fifo: true },
  "a link": { link: "../../precious" },
} as const)) {
  test(`${what} in the place of late records keeps them out only until a process has the lock`, async () => {
    using stage = lateStage({ precious: "{}", [LATE]: entry });
    expect(stage.other(RESOLVE_ROOT).stderr).toContain("is set aside");
    expect(existsSync(stage.tree.path(LATE))).toBe(false);
    expect(stage.names().filter((name) => name.endsWith(".aside"))).toHaveLength(1);
    expect(stage.tree.read("precious")).toBe("{}");
    stage.hold();
    expect((await stage.call(RESOLVE)).stderr).toBe("");
    expect(stage.names()).toContain("session.json.late");
  });
}

test("lines that a killed holder of the lock had taken away count again", async () => {
  using stage = lateStage();
  stage.other(RESOLVE_ROOT);
  stage.hold();
  await stage.call(RESOLVE);
  const nonce = JSON.parse(stage.tree.read(LOCK)).nonce;
  stage.tree.write(`${LATE}.${nonce}.tmp`, stage.tree.read(LATE));
  stage.tree.remove(LATE);
  stage.tree.touch(ROOT_FILE, LATER);
  const next = stage.other(RESOLVE).stdout;
  expect(next).toContain(named(stage, ROOT_FILE));
  expect(next).not.toContain(named(stage, FILE));
  expect(stage.names()).toEqual(["session.json"]);
});

function makeOld(stage: LateStage, ageMs: number): void {
  const ledger = JSON.parse(stage.tree.read(LEDGER));
  ledger.sessions.s.updatedAt = Date.now() - ageMs;
  stage.tree.write(LEDGER, JSON.stringify(ledger));
}
