import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { expectAnswer, expectSilence, UNRECORDED } from "./lib/expect-answer.ts";
import { fillDisk, fillInodes } from "./lib/full-disk.ts";
import { deadHolder } from "./lib/holders.ts";
import { mountTmpfs, WHY_NO_MOUNTS } from "./lib/mounts.ts";
import { namesIn, openStage, readLedger, type Stage } from "./lib/stage.ts";
import { toldLines } from "./lib/told.ts";

setDefaultTimeout(60_000);

const diskTest = test.skipIf(WHY_NO_MOUNTS !== undefined);
const SKIPPED = WHY_NO_MOUNTS === undefined ? "" : ` (skipped: ${WHY_NO_MOUNTS})`;
const SIZE = "size=64k";
/** The lock, the draft and the right to remove the lock take a page each. */
const PAGES_LEFT = [0, 1, 2, 3, 4];

/** A stage whose `.codelia` alone is a small file system. */
function smallStage(): Stage & Disposable {
  const stage = openStage({ entries: { "repo/.codelia/": { dir: true } } });
  const mount = mountTmpfs(stage.state(), SIZE);
  return {
    ...stage,
    [Symbol.dispose]() {
      mount[Symbol.dispose]();
      stage[Symbol.dispose]();
    },
  };
}

function resolve(stage: Stage) {
  return stage.run(["resolve", ...stage.paths]);
}

diskTest(`a full disk without a ledger: told each time, with a warning${SKIPPED}`, async () => {
  using stage = smallStage();
  fillDisk(stage.state());
  const mtimeMs = stage.touch();
  for (let call = 0; call < 2; call++) {
    expectAnswer(await resolve(stage), { files: stage.files, mtimeMs, stderr: UNRECORDED });
  }
  expect(namesIn(stage.state()).filter((name) => name.startsWith("session.json"))).toEqual([]);
});

diskTest(`a full disk with a ledger: news is told, the ledger stays as it was${SKIPPED}`, async () => {
  using stage = smallStage();
  const first = stage.touch();
  expectAnswer(await resolve(stage), { files: stage.files, mtimeMs: first });
  const before = readLedger(stage);
  fillDisk(stage.state());
  expectSilence(await resolve(stage));
  const mtimeMs = stage.touch();
  expectAnswer(await resolve(stage), { files: stage.files, mtimeMs, stderr: UNRECORDED });
  expect(readLedger(stage)).toEqual(before);
  rmSync(stage.state("filler"));
  expectAnswer(await resolve(stage), { files: stage.files, mtimeMs });
  expectSilence(await resolve(stage));
});

diskTest(`a full disk with a dead process's lock on it: told in time, with a warning${SKIPPED}`, async () => {
  using stage = smallStage();
  stage.tree.write("repo/.codelia/session.json.lock", JSON.stringify(deadHolder()));
  fillDisk(stage.state());
  const mtimeMs = stage.touch();
  expectAnswer(await resolve(stage), { files: stage.files, mtimeMs, stderr: UNRECORDED });
});

diskTest(`a disk without room for another file: told each time, with a warning${SKIPPED}`, async () => {
  using stage = openStage({ tmpfs: "size=256k,nr_inodes=16", marker: "none" });
  fillInodes(stage.repository);
  const mtimeMs = stage.touch();
  for (let call = 0; call < 2; call++) {
    expectAnswer(await resolve(stage), { files: stage.files, mtimeMs, stderr: UNRECORDED });
  }
});

diskTest(`a full disk when a context begins anew: what was not printed is told afterwards${SKIPPED}`, async () => {
  using stage = smallStage();
  const mtimeMs = stage.touch();
  await resolve(stage);
  fillDisk(stage.state());
  const begun = await stage.run(["init-context", "--only", "agents"]);
  expect(begun.exit).toBe(0);
  const next = await resolve(stage);
  expect(toldLines(next.stdout)).toContainEqual({ path: stage.files[1] ?? "", mtimeMs });
});

for (const pages of PAGES_LEFT) {
  for (const hasLedger of [false, true]) {
    const name = `a disk with ${pages} pages left, ${hasLedger ? "with" : "without"} a ledger`;
    diskTest(`${name}: recorded, or told again with a warning${SKIPPED}`, async () => {
      using stage = smallStage();
      stage.touch();
      if (hasLedger) await resolve(stage);
      fillDisk(stage.state(), pages);
      const mtimeMs = stage.touch();
      const ending = await resolve(stage);
      const isRecorded = ending.stderr === "";
      expectAnswer(ending, { files: stage.files, mtimeMs, ...(isRecorded ? {} : { stderr: UNRECORDED }) });
      if (isRecorded) expectSilence(await resolve(stage));
      rmSync(stage.state("filler"));
      expectAnswer(await resolve(stage), { files: isRecorded ? [] : stage.files, mtimeMs });
      expectSilence(await resolve(stage));
      expect(namesIn(stage.state()).filter((file) => file.startsWith("session.json"))).toEqual(["session.json"]);
    });
  }
}
