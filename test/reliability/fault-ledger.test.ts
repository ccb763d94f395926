import { expect, setDefaultTimeout, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, symlinkSync, truncateSync } from "node:fs";
import { expectAnswer, expectSilence } from "./lib/expect-answer.ts";
import { namesIn, openStage, readLedger, type Stage } from "./lib/stage.ts";

setDefaultTimeout(60_000);

// A file that is no ledger: the answer comes, the file is kept under another name, and a new ledger is begun.
interface Fault {
  readonly name: string;
  readonly reason: string;
  /** Spoils the ledger that a first call left. */
  readonly spoil: (stage: Stage) => void;
}

const HUGE_BYTES = 70 * 1024 * 1024;
const DEEP = 1_000_000;
const LEDGER = "repo/.codelia/session.json";

const SET_ASIDE: readonly Fault[] = [
  { name: "garbage", reason: "it is not JSON", spoil: (stage) => stage.tree.write(LEDGER, "\0\x01 not { JSON") },
  { name: "empty", reason: "it is not JSON", spoil: (stage) => stage.tree.write(LEDGER, "") },
  {
    name: "truncated",
    reason: "it is not JSON",
    spoil: (stage) => truncateSync(stage.state("session.json"), Math.floor(stage.tree.read(LEDGER).length / 2)),
  },
  {
    name: "of a newer version",
    reason: "it has another shape or version",
    spoil: (stage) => replace(stage, '"version":1', '"version":2'),
  },
  {
    name: "of another tree",
    reason: "it was made for another directory",
    spoil: (stage) => replace(stage, /"tree":"[^"]*"/, '"tree":"1:1"'),
  },
  {
    name: "with a field that is not ours",
    reason: "it has another shape or version",
    spoil: (stage) => replace(stage, '"epoch":', '"note":"x","epoch":'),
  },
  {
    name: "70 MB of zeros",
    reason: "it is too large",
    spoil: (stage) => truncateSync(stage.state("session.json"), HUGE_BYTES),
  },
  {
    name: "60 MB of other JSON",
    reason: "it ",
    spoil: (stage) => stage.tree.write(LEDGER, `[${"1,".repeat(30_000_000)}1]`),
  },
  {
    name: "a million arrays deep",
    reason: "it ",
    spoil: (stage) => stage.tree.write(LEDGER, "[".repeat(DEEP) + "]".repeat(DEEP)),
  },
  {
    name: "a million objects deep, in a ledger's shape",
    reason: "it ",
    spoil: (stage) => replace(stage, '"loadedSkills":{}', `"loadedSkills":${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`),
  },
  { name: "a FIFO", reason: "it is not a regular file", spoil: (stage) => put(stage, (path) => makeFifo(path)) },
  {
    name: "a directory with something in it",
    reason: "it is not a regular file",
    spoil: (stage) => {
      put(stage, (path) => mkdirSync(path));
      stage.tree.write(`${LEDGER}/notes`, "the user's own");
    },
  },
];

for (const { name, reason, spoil } of SET_ASIDE) {
  test(`a ledger that is ${name} is set aside and begun anew`, async () => {
    using stage = openStage();
    const mtimeMs = stage.touch();
    await stage.run(["resolve", ...stage.paths]);
    spoil(stage);
    const before = fingerprint(stage.state("session.json"));
    const stderr = new RegExp(
      `^codelia: warning: the ledger '\\S+/session\\.json' is set aside as '\\S+\\.aside': ${reason}.*\\n$`,
    );
    expectAnswer(await stage.run(["resolve", ...stage.paths]), { files: stage.files, mtimeMs, stderr });
    const asides = namesIn(stage.state()).filter((file) => file.endsWith(".aside"));
    expect(asides.map((aside) => fingerprint(stage.state(aside)))).toEqual([before]);
    expectSilence(await stage.run(["resolve", ...stage.paths]));
    expect(Object.keys(readLedger(stage).sessions)).toEqual(["default"]);
  });
}

test("a ledger that is a link is left alone: state goes into the user's state directory", async () => {
  for (const target of ["../AGENTS.md", "nowhere", "/dev/zero"]) {
    using stage = openStage();
    const mtimeMs = stage.touch();
    mkdirSync(stage.state());
    symlinkSync(target, stage.state("session.json"));
    expectAnswer(await stage.run(["resolve", ...stage.paths]), { files: stage.files, mtimeMs });
    expectSilence(await stage.run(["resolve", ...stage.paths]));
    expect(readlinkSync(stage.state("session.json"))).toBe(target);
    expect(namesIn(stage.state())).toEqual(["session.json"]);
    expect(stage.tree.read("repo/AGENTS.md")).toBe("Rules of ''.\n");
    const [place] = namesIn(stage.userState());
    expect(Object.keys(readLedger(stage, stage.userState(place ?? "")).sessions)).toEqual(["default"]);
  }
});

test("one of many processes sets a spoilt ledger aside, and each file is told once", async () => {
  using stage = openStage({ entries: { [LEDGER]: "garbage" } });
  const mtimeMs = stage.touch();
  const calls = Array.from({ length: 12 }, () => stage.run(["resolve", ...stage.paths]));
  const endings = await Promise.all(calls);
  const speakers = endings.filter((ending) => ending.stdout !== "");
  expect(speakers.length).toBe(1);
  for (const speaker of speakers) expectAnswer(speaker, { files: stage.files, mtimeMs, stderr: /set aside/ });
  for (const ending of endings) if (ending.stdout === "") expectSilence(ending);
  expect(namesIn(stage.state()).filter((file) => file.endsWith(".aside")).length).toBe(1);
});

function replace(stage: Stage, from: string | RegExp, to: string): void {
  const text = stage.tree.read(LEDGER);
  const replaced = text.replace(from, () => to);
  if (replaced === text) throw new Error(`the ledger has no ${String(from)}`);
  stage.tree.write(LEDGER, replaced);
}

function put(stage: Stage, make: (path: string) => void): void {
  renameSync(stage.state("session.json"), stage.tree.path("earlier.json"));
  make(stage.state("session.json"));
}

function makeFifo(path: string): void {
  execFileSync("mkfifo", [path]);
}

/** What a file is, without opening what could block. */
function fingerprint(path: string): string {
  const stats = lstatSync(path);
  const text = stats.isFile() && stats.size < HUGE_BYTES ? Bun.hash(readFileSync(path)) : namesIn(path).join(" ");
  return `${stats.ino} ${stats.size} ${text}`;
}
