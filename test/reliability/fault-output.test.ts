import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, openSync, closeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expectAnswer, expectSilence } from "./lib/expect-answer.ts";
import { openPipe } from "./lib/pipes.ts";
import { openStage, readLedger } from "./lib/stage.ts";
import { toldLines } from "./lib/told.ts";

setDefaultTimeout(60_000);

// What nobody read was not told. Exit codes stay as they are: a host must not be blocked by its own broken pipe.
const unixTest = test.skipIf(process.platform === "win32");
const linuxTest = test.skipIf(process.platform !== "linux");
const LOCK_APPEARS_MS = 2000;

unixTest("a reader that has gone: nothing is recorded, the next call tells", async () => {
  using stage = openStage();
  using pipe = openPipe(stage.tree.path("pipe"));
  const mtimeMs = stage.touch();
  pipe.closeReader();
  expectSilence(await stage.run(["resolve", ...stage.paths], { stdout: pipe.writeEnd }));
  expectAnswer(await stage.run(["resolve", ...stage.paths]), { files: stage.files, mtimeMs });
  expectSilence(await stage.run(["resolve", ...stage.paths]));
});

unixTest("a reader that has gone costs init-context and resume-diff no record either", async () => {
  using stage = openStage();
  using pipe = openPipe(stage.tree.path("pipe"));
  const mtimeMs = stage.touch();
  pipe.closeReader();
  for (const verb of ["init-context", "resume-diff"]) {
    expectSilence(await stage.run([verb], { stdout: pipe.writeEnd }));
  }
  expectAnswer(await stage.run(["resolve", ...stage.paths]), { files: stage.files, mtimeMs });
});

linuxTest("standard output on a full disk: nothing is recorded, the next call tells", async () => {
  using stage = openStage();
  const mtimeMs = stage.touch();
  const full = openSync("/dev/full", "w");
  try {
    expectSilence(await stage.run(["resolve", ...stage.paths], { stdout: full }));
  } finally {
    closeSync(full);
  }
  expectAnswer(await stage.run(["resolve", ...stage.paths]), { files: stage.files, mtimeMs });
});

unixTest("a full pipe that nobody reads for a while: others are told in time, nothing of it is lost", async () => {
  using stage = openStage();
  using pipe = openPipe(stage.tree.path("pipe"));
  const mtimeMs = stage.touch();
  pipe.fill();
  const blocked = stage.start(["resolve", ...stage.paths], { stdout: pipe.writeEnd });
  const deadline = performance.now() + LOCK_APPEARS_MS;
  while (!existsSync(stage.state("session.json.lock")) && performance.now() < deadline) await pause(2);
  const other = await stage.run(["resolve", ...stage.paths]);
  expectAnswer(other, { files: stage.files, mtimeMs });
  let read = pipe.drain();
  const ending = await blocked.ending;
  read += pipe.drain();
  expect({ exit: ending.exit, stderr: ending.stderr }).toEqual({ exit: 0, stderr: "" });
  expect(toldLines(read.replace(/^\.+/, ""))).toEqual(stage.files.map((path) => ({ path, mtimeMs })));
  expectSilence(await stage.run(["resolve", ...stage.paths]));
});

unixTest("standard streams that are closed: exit 0, and none of our files takes their place", async () => {
  using stage = openStage();
  stage.touch();
  const through = ["sh", "-c", 'exec "$0" "$@" <&- >&-'];
  const ending = await stage.run(["resolve", ...stage.paths], { through });
  expect({ exit: ending.exit, stderr: ending.stderr }).toEqual({ exit: 0, stderr: "" });
  if (existsSync(stage.state("session.json"))) readLedger(stage);
});

unixTest(
  "a working directory that was deleted: a sentence and no answer, never exit 2, and nothing is recorded",
  async () => {
    using stage = openStage();
    stage.touch();
    const cwd = stage.tree.path("repo/gone");
    mkdirSync(cwd);
    const through = ["sh", "-c", 'rmdir "$PWD" && exec "$0" "$@"'];
    const ending = await stage.run(["resolve", ...stage.files], { cwd, through });
    expect(ending.stdout).toBe("");
    expect(ending.stderr).toMatch(/directory/);
    expect([0, 1, 64]).toContain(ending.exit as number);
    expect(existsSync(stage.state("session.json"))).toBe(false);
  },
);
