import { expect, setDefaultTimeout, test } from "bun:test";
import { playFaults, type FaultScene } from "./lib/fault-play.ts";
import { FAULT_SCENES } from "./lib/fault-scenes.ts";

setDefaultTimeout(60_000);

// The short form: `npm run reliability` plays every point.
const EVERY = 23;

for (const [index, scene] of FAULT_SCENES.entries()) {
  test(`one call on the disk that fails, or a kill there, breaks no promise: ${scene.name}`, async () => {
    const { points, faults } = await playFaults(scene, EVERY, index * 7);
    expect(faults).toEqual([]);
    expect(points).toBeGreaterThan(2);
  });
}

test("there are more than 1,600 points at which a single call is struck", async () => {
  let points = 0;
  for (const scene of FAULT_SCENES) points += (await playFaults(scene, Number.MAX_SAFE_INTEGER, 1)).possible;
  expect(points).toBeGreaterThan(1600);
});

test("playFaults() finds what is lost because nobody tells it again", async () => {
  const resolve = FAULT_SCENES[0] as FaultScene;
  const { lost } = await playFaults({ ...resolve, follow: () => ({ argv: ["config"] }) }, EVERY);
  expect(lost).toBeGreaterThan(2);
});

test("playFaults() finds a changed file of the user's", async () => {
  const install = FAULT_SCENES.find(({ name }) => name === "install") as FaultScene;
  const { faults } = await playFaults({ ...install, changes: [] }, EVERY);
  expect(faults.join("\n")).toContain("'repo/.claude/settings.json' is not as it was");
});
