import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CRASH_SCENES, playCrashPoints, WHY_NO_CRASH_POINTS } from "./lib/crash-points.ts";
import { expectAnswer, expectSilence } from "./lib/expect-answer.ts";
import { namesIn, openStage, readLedger, type Stage } from "./lib/stage.ts";
import { runTogether } from "./lib/together.ts";
import { ask, askOther, compact, OTHER, OTHER_MTIME, otherFile } from "./lib/two-roots.ts";
import { giveAway, UNPRIVILEGED, WHY_NOT_UNPRIVILEGED } from "./lib/unprivileged.ts";

setDefaultTimeout(60_000);

// A session that works in two roots has one ledger, whatever happens: what a compaction in one of them forgot is told
// again in the other.

const ROUNDS = 10;

function ledgersWith(stage: Stage, session: string): string[] {
  return ["repo", "other"].filter((root) => {
    const directory = stage.tree.path(root, ".codelia");
    if (!namesIn(directory).includes("session.json")) return false;
    return Object.hasOwn(readLedger(stage, directory).sessions, session);
  });
}

test("two first calls of one session at once, in two roots: a compaction in either is known in both", async () => {
  using stage = openStage({ entries: OTHER });
  const other = { files: [otherFile(stage)], mtimeMs: OTHER_MTIME };
  for (let round = 0; round < ROUNDS; round++) {
    const session = `session-${round}`;
    const args = ["resolve", "-", "--session", session];
    const endings = await runTogether(stage, [
      { args, input: "x.ts\n" },
      { args: [...args, "--cwd", stage.tree.path("other")], input: "x.ts\n" },
    ]);
    expect(endings.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual([
      { exit: 0, stderr: "" },
      { exit: 0, stderr: "" },
    ]);
    expectAnswer(endings[1] as never, other);
    expect(ledgersWith(stage, session).length).toBe(1);
    await compact(stage, session);
    expectAnswer(await askOther(stage, session), other);
    await stage.run(["init-context", "--session", session], { cwd: stage.tree.path("other") });
    expect((await ask(stage, session)).stdout).toContain(`- ${stage.files[0]} (mtime: `);
  }
});

test.skipIf(WHY_NO_CRASH_POINTS !== undefined)(
  "killed at any renaming of its first call, a session is still in one ledger",
  async () => {
    const scene = CRASH_SCENES.find(({ judge }) => judge !== undefined);
    const { points, faults } = await playCrashPoints(scene as never, ["rename", "link"]);
    expect(faults).toEqual([]);
    expect(points).toBeGreaterThan(2);
  },
);

test("a lost claim is made again", async () => {
  using stage = openStage({ entries: OTHER });
  stage.touch();
  await ask(stage, "s");
  const [name = ""] = namesIn(stage.userState("sessions"));
  const path = stage.userState("sessions", name);
  const claim = readFileSync(path, "utf8");
  for (const lose of [() => rmSync(path), () => writeFileSync(path, "{")]) {
    lose();
    stage.touch();
    await ask(stage, "s");
    expect(readFileSync(path, "utf8")).toBe(claim);
  }
  expectAnswer(await askOther(stage, "s"), { files: [otherFile(stage)], mtimeMs: OTHER_MTIME });
  expect(ledgersWith(stage, "s")).toEqual(["repo"]);
});

test("a session that is in two ledgers is forgotten by both, and told again", async () => {
  using stage = openStage({ entries: OTHER });
  stage.touch();
  await ask(stage, "s");
  rmSync(stage.userState("sessions"), { recursive: true });
  const other = { files: [otherFile(stage)], mtimeMs: OTHER_MTIME };
  expectAnswer(await askOther(stage, "s"), other);
  expect(ledgersWith(stage, "s")).toEqual(["repo", "other"]);
  const mtimeMs = stage.touch(stage.files.slice(0, 1));
  const { stdout } = await ask(stage, "s");
  for (const file of stage.files) expect(stdout).toContain(`- ${file} (mtime: `);
  expect(stdout).toContain(`(mtime: ${mtimeMs})`);
  expectAnswer(await askOther(stage, "s"), other);
  await compact(stage, "s");
  expectAnswer(await askOther(stage, "s"), other);
});

test("the root where a session began is moved away, and comes back: it knows nothing of what was forgotten meanwhile", async () => {
  using stage = openStage({ entries: OTHER });
  const mtimeMs = stage.touch();
  await ask(stage, "s");
  const away = stage.tree.path("away");
  renameSync(stage.repository, away);
  const other = { files: [otherFile(stage)], mtimeMs: OTHER_MTIME };
  expectAnswer(await askOther(stage, "s"), other);
  await stage.run(["init-context", "--session", "s"], { cwd: stage.tree.path("other") });
  renameSync(away, stage.repository);
  expectAnswer(await ask(stage, "s"), { files: stage.files, mtimeMs });
  expectSilence(await ask(stage, "s"));
  await compact(stage, "s");
  expectAnswer(await askOther(stage, "s"), other);
});

/** A home in which nothing can be written, for an unprivileged user; elsewhere a state directory that can't be. */
const HOMES: readonly (readonly [
  what: string,
  why: string | undefined,
  env: (stage: Stage) => Record<string, string>,
  through: readonly string[],
])[] = [
  [
    "a home that is read-only",
    WHY_NOT_UNPRIVILEGED,
    (stage) => {
      giveAway(stage.tree.root);
      chmodSync(stage.home, 0o555);
      return { HOME: stage.home };
    },
    UNPRIVILEGED,
  ],
  [
    "a state directory that is none",
    undefined,
    (stage) => ({ HOME: stage.home, XDG_STATE_HOME: stage.tree.path("a-file/state") }),
    [],
  ],
];
for (const [what, why, envOf, through] of HOMES) {
  test.skipIf(why !== undefined)(`with ${what} it is kept until the user logs out where a session began`, async () => {
    using stage = openStage({ entries: { ...OTHER, "a-file": "x", "run/": { dir: true } } });
    const options = { env: { ...envOf(stage), XDG_RUNTIME_DIR: stage.tree.path("run") }, through };
    const mtimeMs = stage.touch();
    expectAnswer(await ask(stage, "s", [], options), { files: stage.files, mtimeMs });
    const other = { files: [otherFile(stage)], mtimeMs: OTHER_MTIME };
    expectAnswer(await askOther(stage, "s", options), other);
    await compact(stage, "s", options);
    expectAnswer(await askOther(stage, "s", options), other);
    expectSilence(await askOther(stage, "s", options));
    expect(namesIn(stage.tree.path("run/codelia")).length).toBe(1);
  });
}

test("a claim is kept as long as its ledger knows the session, however old it is", async () => {
  using stage = openStage({ entries: OTHER });
  for (const session of ["known", "gone"]) await ask(stage, session);
  const sessions = "home/.local/state/codelia/sessions";
  for (const name of namesIn(stage.tree.path(sessions))) {
    stage.tree.touch(join(sessions, name), Date.now() - 40 * 24 * 60 * 60 * 1000);
  }
  const ledger = readLedger(stage);
  delete ledger.sessions["gone"];
  writeFileSync(stage.state("session.json"), JSON.stringify(ledger));
  await stage.run(["init-context", "--session", "new"]);
  expect(namesIn(stage.tree.path(sessions)).length).toBe(2);
  expectAnswer(await askOther(stage, "known"), { files: [otherFile(stage)], mtimeMs: OTHER_MTIME });
  expect(ledgersWith(stage, "known")).toEqual(["repo"]);
});
