import { expect, test } from "bun:test";
import { walkProgress } from "../../src/check/scene.ts";
import { fakeWorld, type FakeWorldOptions } from "../support/fake-world.ts";

const TERMINAL: FakeWorldOptions = { terminals: ["stderr"] };

test("a walk of less than a second says nothing", () => {
  const world = fakeWorld(TERMINAL);
  const progress = walkProgress(world, false);
  for (const ticks of [0, 500, 999]) {
    world.clock.ticks = ticks;
    progress?.add(1_000);
  }
  progress?.end();
  expect(world.complaints).toEqual([]);
});

test("a longer one says how far it has come, ten times a second, and leaves nothing behind", () => {
  const world = fakeWorld(TERMINAL);
  const progress = walkProgress(world, false);
  for (const ticks of [500, 1_000, 1_050, 1_100]) {
    world.clock.ticks = ticks;
    progress?.add(1_000);
  }
  progress?.end();
  expect(world.complaints).toEqual([
    "\r\u001B[Kcodelia: 2000 files and directories…",
    "\r\u001B[Kcodelia: 4000 files and directories…",
    "\r\u001B[K",
  ]);
});

const SILENT: [why: string, options: FakeWorldOptions, isQuiet: boolean][] = [
  ["there is no terminal", {}, false],
  ["only standard output is one", { terminals: ["stdout"] }, false],
  ["NO_COLOR is set", { ...TERMINAL, env: { NO_COLOR: "1" } }, false],
  ["the terminal is a dumb one", { ...TERMINAL, env: { TERM: "dumb" } }, false],
  ["--quiet is given", TERMINAL, true],
];
for (const [why, options, isQuiet] of SILENT) {
  test(`nothing is said where ${why}`, () => expect(walkProgress(fakeWorld(options), isQuiet)).toBeUndefined());
}
