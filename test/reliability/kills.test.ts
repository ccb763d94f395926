import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { leftovers } from "./lib/aftermath.ts";
import { expectAnswer } from "./lib/expect-answer.ts";
import { playKills } from "./lib/kills.ts";
import { openStage } from "./lib/stage.ts";
import { playStops } from "./lib/stops.ts";

setDefaultTimeout(60_000);

// The short form; `npm run reliability` kills 2,000, and at every single system call.
const [KILLS, STOPS, SEED] = [100, 2, 4];
/** Enough that nothing litters without bound: what each kill may leave, most leave nothing. */
const MOST_LEFT = 20;

test("100 calls killed with -9 lose nothing, and hold nobody up", async () => {
  const figures = await playKills(KILLS, SEED);
  expect(figures.faults).toEqual([]);
  expect(figures).toMatchObject({ kills: KILLS, lost: 0 });
  expect(figures.mostLeft).toBeLessThan(MOST_LEFT);
});

test("a call stopped under the lock holds nobody up, and may go on or die", async () => {
  const figures = await playStops(STOPS, SEED);
  expect(figures.faults).toEqual([]);
});

test("what killed processes left is gone when a session begins, once it is a minute old", async () => {
  using stage = openStage({
    entries: {
      "repo/.codelia/session.json.lock.abcdefgh12.gone": "{}",
      "repo/.codelia/session.json.abcdefgh12.new": "{}",
      "repo/.codelia/session.json.lock.ijklmnop34.gone": "young",
      "repo/.codelia/session.json.20260101T000000000Z.aside": "a ledger that was set aside",
      "repo/.codelia/notes.new": "the user's own",
    },
  });
  const old = Date.now() / 1000 - 120;
  for (const name of readdirSync(stage.state())) {
    if (!name.includes("ijklmnop34")) utimesSync(join(stage.state(), name), old, old);
  }
  const mtimeMs = stage.touch();
  expectAnswer(await stage.run(["resolve", ...stage.paths]), { files: stage.files, mtimeMs });
  expect(leftovers(stage)).toEqual(["session.json.20260101T000000000Z.aside", "session.json.lock.ijklmnop34.gone"]);
  expect(stage.tree.read("repo/.codelia/notes.new")).toBe("the user's own");
});
