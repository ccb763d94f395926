import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { expectAnswer, expectSilence } from "./lib/expect-answer.ts";
import { makeIdle } from "./lib/idle.ts";
import { namesIn, openStage, readLedger, type Stage } from "./lib/stage.ts";
import { ask, askOther, OTHER, OTHER_MTIME } from "./lib/two-roots.ts";

setDefaultTimeout(60_000);

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
test("a session keeps its ledger when it moves to another root", async () => {
  using stage = openStage({ entries: OTHER });
  const mtimeMs = stage.touch();
  expectAnswer(await ask(stage, "moving"), { files: stage.files, mtimeMs });
  const there = [stage.tree.path("other/AGENTS.md")];
  expectAnswer(await askOther(stage, "moving"), { files: there, mtimeMs: OTHER_MTIME });
  expectSilence(await askOther(stage, "moving"));
  expectSilence(await ask(stage, "moving"));
  expect(namesIn(stage.tree.path("other"))).toEqual([".git", "AGENTS.md"]);
  const context = readLedger(stage).sessions["moving"]?.contexts["main"];
  expect(Object.keys(context?.loadedVersions ?? {}).toSorted()).toEqual([...there, ...stage.files].toSorted());
});

test("resume-diff says once that the root has changed", async () => {
  using stage = openStage({ entries: OTHER });
  stage.touch();
  await ask(stage, "moving");
  const cwd = stage.tree.path("other");
  const ending = await stage.run(["resume-diff", "--session", "moving"], { cwd });
  expect({ exit: ending.exit, stderr: ending.stderr }).toEqual({ exit: 0, stderr: "" });
  expect(ending.stdout).toContain(`- cwd: ${stage.repository} -> ${cwd}\n`);
  expect(ending.stdout).toContain(`- root: ${stage.repository} -> ${cwd}\n`);
  expect(ending.stdout).toContain(`- ${cwd}/AGENTS.md (mtime: ${OTHER_MTIME})\n`);
  expectSilence(await stage.run(["resume-diff", "--session", "moving"], { cwd }));
});

test("another session knows nothing of it, nor does the default one", async () => {
  using stage = openStage({ entries: OTHER });
  stage.touch();
  await ask(stage, "moving");
  const files = [stage.tree.path("other/AGENTS.md")];
  expectAnswer(await askOther(stage, "other"), { files, mtimeMs: OTHER_MTIME });
  expectAnswer(await askOther(stage, "default"), { files, mtimeMs: OTHER_MTIME });
  expect(Object.keys(readLedger(stage).sessions)).toEqual(["moving"]);
});

test("a session whose first root is gone, or whose pointer is garbage, begins anew where it is", async () => {
  for (const spoil of [
    (stage: Stage) => rmSync(stage.repository, { recursive: true }),
    (stage: Stage) => {
      for (const name of namesIn(stage.userState("sessions"))) writeFileSync(stage.userState("sessions", name), "{");
    },
  ]) {
    using stage = openStage({ entries: OTHER });
    stage.touch();
    await ask(stage, "moving");
    await askOther(stage, "moving");
    spoil(stage);
    const files = [stage.tree.path("other/AGENTS.md")];
    expectAnswer(await askOther(stage, "moving"), { files, mtimeMs: OTHER_MTIME });
    expectSilence(await askOther(stage, "moving"));
  }
});

test("a session idle for a day leaves the ledger, is found again, and returns when it is told something", async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  await ask(stage, "idle");
  await ask(stage, "busy");
  makeIdle(stage, "idle", 25);
  makeIdle(stage, "busy", 23);
  expectAnswer(await ask(stage, "new"), { files: stage.files, mtimeMs });
  expect(Object.keys(readLedger(stage).sessions).toSorted()).toEqual(["busy", "new"]);
  expect(archived(stage).length).toBe(1);

  const later = stage.touch(stage.files.slice(1));
  expectAnswer(await ask(stage, "idle"), { files: stage.files.slice(1), mtimeMs: later });
  expect(Object.keys(readLedger(stage).sessions).toSorted()).toEqual(["busy", "idle", "new"]);
  expect(archived(stage)).toEqual([]);
  expectSilence(await ask(stage, "idle"));
});

test("an archived session that has nothing new stays silent", async () => {
  using stage = openStage();
  stage.touch();
  await ask(stage, "idle");
  makeIdle(stage, "idle", 25);
  await ask(stage, "new");
  expectSilence(await ask(stage, "idle"));
});

test("the session of the call is not archived, however long it was idle", async () => {
  using stage = openStage();
  stage.touch();
  await ask(stage, "idle");
  makeIdle(stage, "idle", 40 * 24);
  expectSilence(await ask(stage, "idle"));
  expect(Object.keys(readLedger(stage).sessions)).toEqual(["idle"]);
  expect(Date.now() - (readLedger(stage).sessions["idle"]?.updatedAt ?? 0)).toBeLessThan(HOUR_MS);
});

test("an archived session is forgotten after thirty days", async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  for (const session of ["old", "older", "idle"]) await ask(stage, session);
  for (const session of ["old", "older"]) makeIdle(stage, session, 25);
  await ask(stage, "new");
  expect(archived(stage).length).toBe(2);
  for (const [index, name] of archived(stage).entries()) {
    const seconds = (Date.now() - (index === 0 ? 31 : 29) * DAY_MS) / 1000;
    utimesSync(stage.state("sessions", name), seconds, seconds);
  }
  const [, kept] = archived(stage);
  makeIdle(stage, "idle", 25);
  await ask(stage, "newer");
  expect(archived(stage)).toContain(kept ?? "");
  expect(archived(stage).length).toBe(2);
  const endings = [await ask(stage, "old"), await ask(stage, "older")];
  const speakers = endings.filter((ending) => ending.stdout !== "");
  expect(speakers.length).toBe(1);
  for (const speaker of speakers) expectAnswer(speaker, { files: stage.files, mtimeMs });
});

test("session list names what each context was told", async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  await ask(stage, "s");
  await stage.run(["resolve", "--session", "s", "--agent", "reviewer", "x.ts"]);
  const text = await stage.run(["session", "list"]);
  const told = stage.files.map((file) => `    told ${file} (mtime: ${mtimeMs})\n`);
  expect(text).toMatchObject({
    stdout: `s  in ${stage.repository}\n  main, epoch 0\n${told.join("")}  reviewer, epoch 0\n${told[0]}`,
    stderr: "",
    exit: 0,
  });
  const json = await stage.run(["session", "list", "--json"]);
  expect(JSON.parse(json.stdout)).toEqual({ sessions: readLedger(stage).sessions });
  expect({ exit: json.exit, stderr: json.stderr }).toEqual({ exit: 0, stderr: "" });
});

test("session list says when there is a ledger it can't use, and leaves it alone", async () => {
  using stage = openStage({ entries: { "repo/.codelia/session.json": "garbage" } });
  const ending = await stage.run(["session", "list"]);
  expect(ending).toMatchObject({ stdout: "", exit: 0 });
  expect(ending.stderr).toMatch(/^codelia: warning: the ledger in '.+' is not used: it is not JSON\n$/);
  expect(stage.tree.read("repo/.codelia/session.json")).toBe("garbage");
});

test("session reset forgets a session, one context of it, or an archived one", async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  const all = { files: stage.files, mtimeMs };
  await ask(stage, "s");
  await ask(stage, "s", ["--agent", "reviewer"]);
  await ask(stage, "other");

  expectSilence(await stage.run(["session", "reset", "--session", "s", "--agent", "reviewer"]));
  expectSilence(await ask(stage, "s"));
  expectAnswer(await ask(stage, "s", ["--agent", "reviewer"]), all);

  const reset = await stage.run(["session", "reset", "--session", "s", "--json"]);
  expect(reset).toMatchObject({ stdout: '{"session":"s","wasKnown":true}\n', stderr: "", exit: 0 });
  expectSilence(await ask(stage, "other"));
  expectAnswer(await ask(stage, "s"), all);

  makeIdle(stage, "other", 25);
  await ask(stage, "new");
  expect(archived(stage).length).toBe(1);
  expectSilence(await stage.run(["session", "reset", "--session", "other"]));
  expectAnswer(await ask(stage, "other"), all);
});

test("session reset of an unknown session says so, and makes nothing", async () => {
  using stage = openStage();
  const ending = await stage.run(["session", "reset", "--session", "nobody", "--json"]);
  expect(ending).toMatchObject({ stdout: expect.stringContaining('"code":"not_found"'), exit: 1 });
  expect(ending.stderr).toContain("no session 'nobody'");
  expect(namesIn(stage.state())).toEqual([]);
});

/** The sessions moved out of the ledger; what else is kept of a session lies beside them. */
function archived(stage: Stage): readonly string[] {
  return namesIn(stage.state("sessions")).filter((name) => name.endsWith(".json"));
}
