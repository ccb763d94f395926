import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { blockUnderLock } from "./lib/blocked-call.ts";
import { expectAnswer, expectSilence } from "./lib/expect-answer.ts";
import { livingHolder } from "./lib/holders.ts";
import { makeIdle } from "./lib/idle.ts";
import { makeInterposer } from "./lib/interpose.ts";
import { namesIn, openStage, readLedger, type Stage } from "./lib/stage.ts";
import { ask, compact } from "./lib/two-roots.ts";

setDefaultTimeout(60_000);

// Which ledger counts in a directory: none that was made elsewhere, none from before a compaction.

const interposer = makeInterposer();
afterAll(() => interposer[Symbol.dispose]());
const shiftedTest = test.skipIf(interposer.why !== undefined);

function asides(stage: Stage): string[] {
  return namesIn(stage.state()).filter((name) => name.endsWith(".aside"));
}

const HOMES: readonly (readonly [what: string, homes: readonly [string, string]])[] = [
  ["one home", ["home", "home"]],
  ["a home each", ["home", "home-of-guest"]],
];
for (const [what, homes] of HOMES) {
  shiftedTest(`a host and its guest, with ${what}, that see one tree under two device numbers: told once`, async () => {
    using stage = openStage({ entries: { "home-of-guest/": { dir: true } } });
    const mtimeMs = stage.touch();
    const told = { files: stage.files, mtimeMs };
    for (let round = 0; round < 32; round++) {
      const device = round % 2;
      const env = { HOME: stage.tree.path(homes[device] as string), ...interposer.env({ device }) };
      if (round === 0) expectAnswer(await ask(stage, "s", [], { env }), told);
      else expectSilence(await ask(stage, "s", [], { env }));
      expectAnswer(await ask(stage, `s-${round}`, [], { env }), told);
    }
    expect(asides(stage)).toEqual([]);
  });
}

shiftedTest(
  "a host and its guest that each make the ledger anew do not set aside what the other has made",
  async () => {
    using stage = openStage({ entries: { "home-of-guest/": { dir: true } } });
    const envs = [{ HOME: stage.home }, { HOME: stage.tree.path("home-of-guest"), ...interposer.env({ device: 1 }) }];
    for (let round = 0; round < 8; round++) {
      const [first, second] = round % 2 === 0 ? envs : envs.toReversed();
      rmSync(stage.state("session.json"), { force: true });
      await ask(stage, `s-${round}`, [], { env: first as never });
      await compact(stage, `s-${round}`, { env: second as never });
      await ask(stage, `t-${round}`, [], { env: first as never });
    }
    expect(asides(stage).length).toBeLessThanOrEqual(1);
  },
);

test("a ledger of an earlier version counts in its directory, whatever the device, and is tied anew when it is written", async () => {
  for (const device of [lstatSync("/").dev, 77]) {
    using stage = openStage();
    const mtimeMs = stage.touch();
    await ask(stage, "s");
    rmSync(stage.userState(), { recursive: true });
    const ledger = readLedger(stage);
    const old = { ...ledger, tree: `${device}:${lstatSync(stage.state()).ino}` };
    writeFileSync(stage.state("session.json"), JSON.stringify(old));
    expectSilence(await ask(stage, "s"));
    expectAnswer(await ask(stage, "t"), { files: stage.files, mtimeMs });
    expect(readLedger(stage).tree).toMatch(/^1\.[0-9a-z]+@\d+$/);
    expectSilence(await ask(stage, "s"));
    expect(asides(stage)).toEqual([]);
  }
});

test("without the user's state directory a ledger counts where it was made, and nowhere else", async () => {
  using stage = openStage({ entries: { "copy/.git/": { dir: true } } });
  const mtimeMs = stage.touch();
  await ask(stage, "default");
  cpSync(stage.repository, stage.tree.path("copy"), { recursive: true, preserveTimestamps: true });
  rmSync(stage.userState(), { recursive: true });
  expectSilence(await ask(stage, "default"));
  const copied = stage.files.map((file) => file.replace(stage.repository, stage.tree.path("copy")));
  const cwd = stage.tree.path("copy");
  const stderr = /set aside as .+: it was made for another directory\n$/;
  expectAnswer(await ask(stage, "default", [], { cwd }), { files: copied, mtimeMs, stderr });
});

test("the last four ledgers that were set aside are kept, and whatever is no file", async () => {
  using stage = openStage();
  await ask(stage, "s");
  rmSync(stage.state("session.json"));
  mkdirSync(stage.state("session.json"));
  await ask(stage, "s");
  const [directory = ""] = asides(stage);
  for (let round = 0; round < 8; round++) {
    writeFileSync(stage.state("session.json"), `garbage ${round}`);
    await ask(stage, "s");
  }
  const texts = asides(stage)
    .filter((name) => name !== directory)
    .map((name) => readFileSync(stage.state(name), "utf8"));
  expect(texts).toEqual([4, 5, 6, 7].map((round) => `garbage ${round}`));
  expect(lstatSync(stage.state(directory)).isDirectory()).toBe(true);
});

/** What comes back from before a compaction, and how. */
const RETURNS: readonly (readonly [what: string, keep: (stage: Stage) => void, bringBack: (stage: Stage) => void])[] = [
  [
    "a ledger that was moved away",
    (stage) => renameSync(stage.state("session.json"), stage.tree.path("kept")),
    (stage) => renameSync(stage.tree.path("kept"), stage.state("session.json")),
  ],
  [
    "a '.codelia' that was moved away",
    (stage) => renameSync(stage.state(), stage.tree.path("kept")),
    (stage) => {
      rmSync(stage.state(), { recursive: true });
      renameSync(stage.tree.path("kept"), stage.state());
    },
  ],
  [
    "a copy of the ledger",
    (stage) => cpSync(stage.state("session.json"), stage.tree.path("kept")),
    (stage) => cpSync(stage.tree.path("kept"), stage.state("session.json")),
  ],
  [
    "a copy of the '.codelia'",
    (stage) => cpSync(stage.state(), stage.tree.path("kept"), { recursive: true }),
    (stage) => {
      rmSync(stage.state(), { recursive: true });
      cpSync(stage.tree.path("kept"), stage.state(), { recursive: true });
    },
  ],
];
for (const [what, keep, bringBack] of RETURNS) {
  test(`${what} from before a compaction doesn't bring back what was forgotten`, async () => {
    using stage = openStage();
    stage.touch();
    await ask(stage, "s");
    keep(stage);
    await compact(stage, "s");
    bringBack(stage);
    const { stdout, exit } = await ask(stage, "s");
    expect(exit).toBe(0);
    expect(stdout).toContain(`- ${stage.files[1]} (mtime: `);
    expect((await ask(stage, "s")).stdout).toBe("");
  });

  test(`${what} counts if nothing was forgotten since`, async () => {
    using stage = openStage();
    stage.touch();
    await ask(stage, "s");
    keep(stage);
    if (namesIn(stage.state()).length === 0) mkdirSync(stage.state());
    bringBack(stage);
    expectSilence(await ask(stage, "s"));
    expect(asides(stage)).toEqual([]);
  });
}

function git(stage: Stage, ...args: readonly string[]) {
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
  const env = { PATH: process.env["PATH"] ?? "", HOME: stage.home, GIT_CONFIG_NOSYSTEM: "1" };
  return spawnSync("git", [...identity, ...args], { cwd: stage.repository, env, encoding: "utf8" });
}

function stagedRepository(): Stage {
  const stage = openStage();
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
    ["commit", "--quiet", "--message=one"],
  ])
    git(stage, ...args);
  return stage;
}

test("'git stash -a' and 'pop' with no call between them: what was told stays told", async () => {
  using stage = stagedRepository();
  await ask(stage, "s");
  git(stage, "stash", "-a");
  expect(namesIn(stage.state())).toEqual([]);
  expect(git(stage, "stash", "pop").status).toBe(0);
  expectSilence(await ask(stage, "s"));
});

test("a call between 'git stash -a' and 'pop': what it was told stays told, and nothing else is taken for told", async () => {
  using stage = stagedRepository();
  const mtimeMs = stage.touch();
  await ask(stage, "s");
  git(stage, "stash", "-a");
  const root = { files: stage.files.slice(0, 1), mtimeMs };
  expectAnswer(await stage.run(["resolve", "--session", "s", "x.ts"]), root);
  git(stage, "stash", "pop");
  expectSilence(await stage.run(["resolve", "--session", "s", "x.ts"]));
  expectAnswer(await ask(stage, "s"), { files: stage.files.slice(1), mtimeMs });
});

test("a compaction between 'git stash -a' and 'pop' isn't lost, even if the ledger is stashed back", async () => {
  using stage = stagedRepository();
  stage.touch();
  await ask(stage, "s");
  git(stage, "stash", "-a");
  await compact(stage, "s");
  // git overwrites nothing that it does not know: the user makes room.
  expect(git(stage, "stash", "pop").status).toBe(1);
  rmSync(stage.state(), { recursive: true });
  git(stage, "checkout", "--", ".");
  git(stage, "clean", "-fdxq");
  expect(git(stage, "stash", "pop").status).toBe(0);
  expect(namesIn(stage.state())).toContain("session.json");
  expect((await ask(stage, "s")).stdout).toContain(`- ${stage.files[1]} (mtime: `);
});

test("an archive that a killed process left says nothing of a later epoch", async () => {
  using stage = openStage();
  stage.touch();
  await ask(stage, "s");
  makeIdle(stage, "s", 25);
  await ask(stage, "t");
  cpSync(stage.state("sessions"), stage.tree.path("archive"), { recursive: true });
  await compact(stage, "s");
  // As if the process had died that took the session out of its archive; then the ledger is lost.
  cpSync(stage.tree.path("archive"), stage.state("sessions"), { recursive: true });
  for (const lose of [
    () => writeFileSync(stage.state("session.json"), "garbage"),
    () => rmSync(stage.state("session.json")),
  ]) {
    lose();
    expect((await ask(stage, "s")).stdout).toContain(`- ${stage.files[1]} (mtime: `);
  }
});

test("a ledger that was forgotten without its lock doesn't come back when the lock's holder records", async () => {
  using stage = openStage();
  using living = livingHolder();
  stage.touch();
  await ask(stage, "s");
  using blocked = blockUnderLock(stage, ["resolve", "--session", "t", ...stage.paths]);
  // Nobody can break its lock, nor record anything beside the ledger.
  const lock = stage.state("session.json.lock");
  const right = `${lock}.${JSON.parse(readFileSync(lock, "utf8")).nonce}.gone`;
  writeFileSync(right, JSON.stringify(living.holder));
  mkdirSync(stage.state("session.json.late"));
  const { exit, stderr } = await compact(stage, "s");
  expect({ exit, stderr: stderr.includes("could not record") }).toEqual({ exit: 0, stderr: true });
  rmSync(stage.state("session.json.late"), { recursive: true });
  rmSync(right);
  await blocked.finish();
  expect((await ask(stage, "s")).stdout).toContain(`- ${stage.files[1]} (mtime: `);
});
