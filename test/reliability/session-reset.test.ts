import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { blockUnderLock } from "./lib/blocked-call.ts";
import { expectAnswer, expectSilence } from "./lib/expect-answer.ts";
import { fillDisk } from "./lib/full-disk.ts";
import { makeIdle } from "./lib/idle.ts";
import { mountTmpfs, WHY_NO_MOUNTS } from "./lib/mounts.ts";
import { openStage, readLedger, type Stage } from "./lib/stage.ts";
import { ask, askOther, OTHER } from "./lib/two-roots.ts";

setDefaultTimeout(60_000);

function reset(stage: Stage, session: string, ...more: readonly string[]) {
  return stage.run(["session", "reset", "--session", session, ...more]);
}

test("a reset is not undone by a call that had told before, and records after it", async () => {
  using stage = openStage();
  stage.touch();
  await ask(stage, "s");
  await ask(stage, "s", ["--agent", "a"]);
  const mtimeMs = stage.touch();
  using blocked = blockUnderLock(stage, ["resolve", "--session", "s", ...stage.paths]);
  const ending = await reset(stage, "s", "--json");
  expect(ending).toMatchObject({ stdout: '{"session":"s","wasKnown":true}\n', stderr: "", exit: 0 });
  expect(await blocked.finish()).toContain(`- ${stage.files[0]} (mtime: ${mtimeMs})`);
  const all = { files: stage.files, mtimeMs };
  expectAnswer(await ask(stage, "s"), all);
  expectAnswer(await ask(stage, "s", ["--agent", "a"]), all);
  expectSilence(await ask(stage, "s"));
});

test("a reset of one context is not undone either, and leaves the others alone", async () => {
  using stage = openStage();
  stage.touch();
  for (const agent of ["a", "b"]) await ask(stage, "s", ["--agent", agent]);
  const mtimeMs = stage.touch();
  await ask(stage, "s", ["--agent", "b"]);
  using blocked = blockUnderLock(stage, ["resolve", "--session", "s", "--agent", "a", ...stage.paths]);
  expectSilence(await reset(stage, "s", "--agent", "a"));
  await blocked.finish();
  expectAnswer(await ask(stage, "s", ["--agent", "a"]), { files: stage.files, mtimeMs });
  expectSilence(await ask(stage, "s", ["--agent", "b"]));
});

test("a reset finds what was recorded late, and is not undone by it", async () => {
  using stage = openStage();
  stage.touch();
  await ask(stage, "s");
  const mtimeMs = stage.touch();
  {
    using _ = blockUnderLock(stage, ["resolve", "--session", "t", ...stage.paths]);
    // It can't have the lock, and records beside the ledger.
    expectAnswer(await ask(stage, "s"), { files: stage.files, mtimeMs });
    cpSync(stage.state("session.json.late"), stage.tree.path("late"));
  }
  expectSilence(await ask(stage, "s"));
  expectSilence(await reset(stage, "s"));
  expectAnswer(await ask(stage, "s"), { files: stage.files, mtimeMs });
  expectSilence(await reset(stage, "s"));
  cpSync(stage.tree.path("late"), stage.state("session.json.late"));
  expectAnswer(await ask(stage, "s"), { files: stage.files, mtimeMs });
});

test("a reset reaches a session's archive, also one that a killed process left", async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  await ask(stage, "s");
  makeIdle(stage, "s", 25);
  await ask(stage, "t");
  cpSync(stage.state("sessions"), stage.tree.path("archive"), { recursive: true });
  expectSilence(await reset(stage, "s"));
  cpSync(stage.tree.path("archive"), stage.state("sessions"), { recursive: true });
  expectAnswer(await ask(stage, "s"), { files: stage.files, mtimeMs });
});

test("a reset reaches the root where the session began", async () => {
  using stage = openStage({ entries: OTHER });
  const mtimeMs = stage.touch();
  await ask(stage, "s");
  await askOther(stage, "s");
  const ending = await stage.run(["session", "reset", "--session", "s"], { cwd: stage.tree.path("other") });
  expectSilence(ending);
  expectAnswer(await ask(stage, "s"), { files: stage.files, mtimeMs });
});

test("a session that was reset is not listed, and can't be reset again", async () => {
  using stage = openStage();
  await ask(stage, "s");
  await reset(stage, "s");
  expectSilence(await stage.run(["session", "list"]));
  const { stdout } = await stage.run(["session", "list", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ sessions: {} });
  expect(await reset(stage, "s")).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining("no session 's'"),
    exit: 1,
  });
});

test("a session that was reset begins anew where it is resumed", async () => {
  using stage = openStage({ entries: { "repo/CLAUDE.md": "Be brief.\n" } });
  await ask(stage, "s");
  await reset(stage, "s");
  const call = stage.start(["hook", "claude"], { waitsForInput: true });
  call.feed(
    JSON.stringify({ hook_event_name: "SessionStart", source: "resume", session_id: "s", cwd: stage.repository }),
  );
  expect((await call.ending).stdout).toContain(`Instructions from: ${stage.files[0]}`);
});

const REFUSED =
  /^codelia: could not forget session 's' in '.+\/session\.json' \(.+\); try again, or delete that file\n$/;

test("a reset that can't have the lock says so and exits 1", async () => {
  using stage = openStage();
  await ask(stage, "s");
  const before = readLedger(stage);
  mkdirSync(stage.state("session.json.lock"));
  const ending = await reset(stage, "s");
  expect({ ...ending, stderr: REFUSED.test(ending.stderr) }).toMatchObject({ stdout: "", stderr: true, exit: 1 });
  expect(readLedger(stage)).toEqual(before);
});

test.skipIf(WHY_NO_MOUNTS !== undefined)("a reset on a full disk ends with 1, and says so", async () => {
  using stage = openStage({ entries: { "repo/.codelia/": { dir: true } } });
  using _ = mountTmpfs(stage.state(), "size=64k");
  await ask(stage, "s");
  fillDisk(stage.state());
  const ending = await reset(stage, "s", "--json");
  const { error } = JSON.parse(ending.stdout);
  expect({ exit: ending.exit, code: error.code }).toEqual({ exit: 1, code: "not_forgotten" });
});
