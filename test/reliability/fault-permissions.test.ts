import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync } from "node:fs";
import { expectAnswer, expectSilence, UNRECORDED } from "./lib/expect-answer.ts";
import { deadHolder } from "./lib/holders.ts";
import { mountReadOnly, WHY_NO_MOUNTS } from "./lib/mounts.ts";
import { namesIn, openStage, readLedger, type Stage } from "./lib/stage.ts";
import { giveAway, UNPRIVILEGED, WHY_NOT_UNPRIVILEGED } from "./lib/unprivileged.ts";

setDefaultTimeout(60_000);

const mountTest = test.skipIf(WHY_NO_MOUNTS !== undefined);
const userTest = test.skipIf(WHY_NOT_UNPRIVILEGED !== undefined);
const NO_MOUNT = WHY_NO_MOUNTS === undefined ? "" : ` (skipped: ${WHY_NO_MOUNTS})`;
const NO_USER = WHY_NOT_UNPRIVILEGED === undefined ? "" : ` (skipped: ${WHY_NOT_UNPRIVILEGED})`;

function resolve(stage: Stage) {
  return stage.run(["resolve", ...stage.paths]);
}

function resolveAsUser(stage: Stage) {
  return stage.run(["resolve", ...stage.paths], { through: UNPRIVILEGED });
}

mountTest(`a read-only tree: told once, recorded with the user's own state${NO_MOUNT}`, async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  using _ = mountReadOnly(stage.repository);
  expectAnswer(await resolve(stage), { files: stage.files, mtimeMs });
  expectSilence(await resolve(stage));
  expect(namesIn(stage.state())).toEqual([]);
});

mountTest(`a read-only tree with a ledger in it: told once more, the ledger stays as it was${NO_MOUNT}`, async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  await resolve(stage);
  const before = stage.tree.read("repo/.codelia/session.json");
  using _ = mountReadOnly(stage.repository);
  expectAnswer(await resolve(stage), { files: stage.files, mtimeMs });
  expectSilence(await resolve(stage));
  expect(stage.tree.read("repo/.codelia/session.json")).toBe(before);
});

mountTest(`a read-only tree and a read-only home: told each time, with a warning${NO_MOUNT}`, async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  using _ = mountReadOnly(stage.tree.root);
  for (let call = 0; call < 2; call++) {
    expectAnswer(await resolve(stage), { files: stage.files, mtimeMs, stderr: UNRECORDED });
  }
});

mountTest(`a dead process's lock in a read-only home: told in time, with a warning${NO_MOUNT}`, async () => {
  using stage = openStage({ entries: { "repo/.codelia": { link: "elsewhere" } } });
  await resolve(stage);
  const [place] = namesIn(stage.userState());
  stage.tree.write(`home/.local/state/codelia/${place}/session.json.lock`, JSON.stringify(deadHolder()));
  const mtimeMs = stage.touch();
  using _ = mountReadOnly(stage.tree.root);
  expectAnswer(await resolve(stage), { files: stage.files, mtimeMs, stderr: UNRECORDED });
});

userTest(`an unreadable directory: it is named, and what applies above it is told${NO_USER}`, async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  giveAway(stage.tree.root);
  chmodSync(`${stage.repository}/a`, 0o000);
  const ending = await resolveAsUser(stage);
  expectAnswer(ending, { files: stage.files.slice(0, 1), mtimeMs, stderr: /^(codelia: warning: .*repo\/a\b.*\n)+$/ });
  expect((await resolveAsUser(stage)).stdout).toBe("");
  chmodSync(`${stage.repository}/a`, 0o755);
  expectAnswer(await resolveAsUser(stage), { files: stage.files.slice(1), mtimeMs });
});

userTest(`an unreadable instruction file: passed over and named, told when it can be read${NO_USER}`, async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  giveAway(stage.tree.root);
  chmodSync(`${stage.repository}/a/AGENTS.md`, 0o000);
  const ending = await resolveAsUser(stage);
  expectAnswer(ending, { files: stage.files.slice(0, 1), mtimeMs, stderr: /^codelia: warning: .*a\/AGENTS\.md.*\n$/ });
  chmodSync(`${stage.repository}/a/AGENTS.md`, 0o644);
  expectAnswer(await resolveAsUser(stage), { files: stage.files.slice(1), mtimeMs });
});

userTest(`a '.codelia' that we may not write: recorded in the user's state directory${NO_USER}`, async () => {
  using stage = openStage({ entries: { "repo/.codelia/config.json": "{}" } });
  const mtimeMs = stage.touch();
  giveAway(stage.tree.root);
  chmodSync(stage.state(), 0o555);
  expectAnswer(await resolveAsUser(stage), { files: stage.files, mtimeMs });
  expectSilence(await resolveAsUser(stage));
  expect(namesIn(stage.state())).toEqual(["config.json"]);
});

userTest(`neither '.codelia' nor the home writable: told each time, with a warning${NO_USER}`, async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  giveAway(stage.tree.root);
  chmodSync(stage.repository, 0o555);
  chmodSync(stage.home, 0o555);
  for (let call = 0; call < 2; call++) {
    expectAnswer(await resolveAsUser(stage), { files: stage.files, mtimeMs, stderr: UNRECORDED });
  }
});

userTest(`a ledger we may not read: set aside, kept, and begun anew${NO_USER}`, async () => {
  using stage = openStage();
  stage.touch();
  await resolve(stage);
  const before = stage.tree.read("repo/.codelia/session.json");
  giveAway(stage.tree.root);
  chmodSync(stage.state("session.json"), 0o000);
  const mtimeMs = stage.touch();
  const ending = await resolveAsUser(stage);
  expectAnswer(ending, { files: stage.files, mtimeMs, stderr: /set aside as/ });
  const aside = namesIn(stage.state()).find((name) => name.endsWith(".aside"));
  chmodSync(stage.state(aside ?? ""), 0o600);
  expect(stage.tree.read(`repo/.codelia/${aside}`)).toBe(before);
  expectSilence(await resolveAsUser(stage));
  expect(Object.keys(readLedger(stage).sessions)).toEqual(["default"]);
});

// Where anyone may write and only the owner may remove, a lock that is not ours can't be broken.
test.skipIf(process.getuid?.() !== 0 || WHY_NOT_UNPRIVILEGED !== undefined)(
  `a dead lock that we may not remove: told in time, and once${NO_USER}`,
  async () => {
    using stage = openStage({ entries: { "repo/.codelia/session.json.lock": JSON.stringify(deadHolder()) } });
    const mtimeMs = stage.touch();
    giveAway(stage.tree.root);
    chownSync(stage.state(), 0, 0);
    chownSync(stage.state("session.json.lock"), 0, 0);
    chmodSync(stage.state(), 0o1777);
    expectAnswer(await resolveAsUser(stage), { files: stage.files, mtimeMs });
    expectSilence(await resolveAsUser(stage));
  },
);
