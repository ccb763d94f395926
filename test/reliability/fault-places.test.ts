import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, lstatSync, readlinkSync, rmSync } from "node:fs";
import type { Entry } from "../support/temp-tree.ts";
import { expectAnswer, expectSilence, UNRECORDED } from "./lib/expect-answer.ts";
import { namesIn, openStage, readLedger } from "./lib/stage.ts";

setDefaultTimeout(60_000);

// If state can't be kept in the project's `.codelia`, it goes into the user's state directory, or else nowhere.
const UNUSABLE: readonly (readonly [name: string, entries: Readonly<Record<string, Entry>>])[] = [
  ["a link to a directory", { "repo/.codelia": { link: "../elsewhere" }, "elsewhere/": { dir: true } }],
  ["a link to a file", { "repo/.codelia": { link: "AGENTS.md" } }],
  ["a dangling link", { "repo/.codelia": { link: "nowhere" } }],
  ["a link to itself", { "repo/.codelia": { link: ".codelia" } }],
  ["a file", { "repo/.codelia": "the user's own" }],
  ["a FIFO", { "repo/.codelia": { fifo: true } }],
];

for (const [name, entries] of UNUSABLE) {
  test(`a '.codelia' that is ${name} is left alone: recorded in the user's state directory`, async () => {
    using stage = openStage({ entries });
    const before = describe(stage.state());
    const mtimeMs = stage.touch();
    expectAnswer(await stage.run(["resolve", ...stage.paths]), { files: stage.files, mtimeMs });
    expectSilence(await stage.run(["resolve", ...stage.paths]));
    expect(describe(stage.state())).toBe(before);
    expect(namesIn(stage.tree.path("elsewhere"))).toEqual([]);
    const [place] = namesIn(stage.userState());
    expect(Object.keys(readLedger(stage, stage.userState(place ?? "")).sessions)).toEqual(["default"]);
    expect(lstatSync(stage.userState(place ?? "")).mode & 0o777).toBe(0o700);
  });
}

test("no place for state: told each time, with a warning", async () => {
  using stage = openStage({ entries: { "repo/.codelia": { link: "nowhere" }, "a-file": "not a directory" } });
  const env = { HOME: stage.home, XDG_STATE_HOME: stage.tree.path("a-file/state") };
  const mtimeMs = stage.touch();
  for (let call = 0; call < 2; call++) {
    const ending = await stage.run(["resolve", ...stage.paths], { env });
    expectAnswer(ending, { files: stage.files, mtimeMs, stderr: UNRECORDED });
  }
  expect(stage.tree.read("a-file")).toBe("not a directory");
});

/** The warning of a session's first call where nobody can be told in which root it is. */
const UNCLAIMED =
  /^codelia: warning: could not record where session 's' began \(.+\); another root will take it for a new one\n$/;

test("an XDG_STATE_HOME that can't be written: told once, with a warning that another root won't know the session", async () => {
  using stage = openStage({ entries: { "a-file": "not a directory" } });
  const env = { HOME: stage.home, XDG_STATE_HOME: stage.tree.path("a-file/state") };
  const mtimeMs = stage.touch();
  const args = ["resolve", "--session", "s", ...stage.paths];
  expectAnswer(await stage.run(args, { env }), { files: stage.files, mtimeMs, stderr: UNCLAIMED });
  expectSilence(await stage.run(args, { env }));
});

const STRAY = "/nonexistent";
const strayStood = existsSync(STRAY);

test("no HOME: told once, and nothing is made where no home is", async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  const args = ["resolve", "--session", "s", ...stage.paths];
  expectAnswer(await stage.run(args, { env: {} }), { files: stage.files, mtimeMs, stderr: UNCLAIMED });
  expectSilence(await stage.run(args, { env: {} }));
  expectStrayAbsent();
});

test("no HOME and a '.codelia' that can't be used: told each time, with a warning", async () => {
  using stage = openStage({ entries: { "repo/.codelia": { link: "nowhere" } } });
  const mtimeMs = stage.touch();
  const endings = [];
  for (let call = 0; call < 2; call++) endings.push(await stage.run(["resolve", ...stage.paths], { env: {} }));
  expectStrayAbsent();
  for (const ending of endings) expectAnswer(ending, { files: stage.files, mtimeMs, stderr: UNRECORDED });
});

/** Removes it first: a failed test must leave nothing at the top of the machine. */
function expectStrayAbsent(): void {
  if (strayStood) return;
  const wasMade = existsSync(STRAY);
  if (wasMade) rmSync(STRAY, { recursive: true });
  expect(wasMade).toBe(false);
}

function describe(path: string): string {
  const stats = lstatSync(path);
  return `${stats.mode} ${stats.ino} ${stats.mtimeMs} ${stats.isSymbolicLink() ? readlinkSync(path) : stats.size}`;
}
