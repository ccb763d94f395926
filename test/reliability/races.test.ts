import { expect, setDefaultTimeout, test } from "bun:test";
import { playRaces, RACE_STAGES } from "./lib/race-play.ts";

setDefaultTimeout(60_000);

// The short form: `npm run reliability` lets the second process run before each single call of the first. Most of it is
// waiting for a lock.
const EVERY = 23;
const WHY_NOT = process.env["CODELIA_TEST_ALL"] === "1" ? undefined : "only under npm run test:all";

for (const [stage, options] of Object.entries(RACE_STAGES)) {
  const name = `of two processes one tells, at any moment of: ${stage}`;
  const skip = process.platform === "linux" ? WHY_NOT : "only Linux tells whose pid it is";
  test.skipIf(skip !== undefined)(`${name}${skip === undefined ? "" : ` (skipped: ${skip})`}`, async () => {
    const { points, lost, faults } = await playRaces(options, EVERY);
    expect([lost, faults]).toEqual([0, []]);
    expect(points).toBeGreaterThan(1);
  });
}
