import { expect, setDefaultTimeout, test } from "bun:test";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { leftovers } from "./lib/aftermath.ts";
import { makeIdle } from "./lib/idle.ts";
import { playKills } from "./lib/kills.ts";
import { namesIn, openStage } from "./lib/stage.ts";
import { playStops } from "./lib/stops.ts";

setDefaultTimeout(60_000);

// The short form; `npm run reliability` kills 10,000, and at every single system call.
const [KILLS, STOPS, SEED] = [100, 2, 4];
/** What killed calls may leave, so that nothing litters without bound. Most leave nothing. */
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

const SWEEPS: readonly (readonly [when: string, idleHours: number, args: readonly string[]])[] = [
  ["a context begins", 1, ["init-context"]],
  ["an idle session is archived", 25, ["resolve", "--session", "new", "x"]],
];
for (const [when, idleHours, args] of SWEEPS) {
  test(`what killed processes left is gone when ${when}, once it is a minute old`, async () => {
    using stage = openStage();
    await stage.run(["resolve", "--session", "idle", ...stage.paths]);
    makeIdle(stage, "idle", idleHours);
    const left = {
      "session.json.lock.abcdefgh12.gone": "{}",
      "session.json.abcdefgh12.new": "{}",
      "session.json.lock.ijklmnop34.gone": "young",
      "session.json.20260101T000000000Z.aside": "a ledger that was set aside",
      "notes.new": "the user's own",
    };
    const old = Date.now() / 1000 - 120;
    for (const [name, text] of Object.entries(left)) {
      stage.tree.write(`repo/.codelia/${name}`, text);
      if (text !== "young") utimesSync(join(stage.state(), name), old, old);
    }
    expect(await stage.run(args)).toMatchObject({ exit: 0, stderr: "" });
    expect(leftovers(stage)).toEqual(["session.json.20260101T000000000Z.aside", "session.json.lock.ijklmnop34.gone"]);
    expect(stage.tree.read("repo/.codelia/notes.new")).toBe("the user's own");
  });
}

test("what killed processes left in the user's state directory is gone when a context begins, once it is old enough", async () => {
  using stage = openStage();
  await stage.run(["resolve", "--session", "s", ...stage.paths]);
  const root = namesIn(stage.userState()).find((name) => name !== "sessions") ?? "";
  const [claim = ""] = namesIn(stage.userState("sessions"));
  const [minutes, days] = [Date.now() / 1000 - 120, Date.now() / 1000 - 31 * 86_400];
  const left = {
    [`${root}/tree.abcdefgh12.tmp`]: minutes,
    [`sessions/${claim}.abcdefgh12.tmp`]: minutes,
    [`sessions/${claim}.lock.abcdefgh12.gone`]: minutes,
    "sessions/0123456789abcdef.lock": days,
    "sessions/fedcba9876543210.lock": minutes,
  };
  for (const [name, seconds] of Object.entries(left)) {
    writeFileSync(stage.userState(name), "{}");
    utimesSync(stage.userState(name), seconds, seconds);
  }
  expect(await stage.run(["init-context", "--session", "s"])).toMatchObject({ exit: 0, stderr: "" });
  expect(namesIn(stage.userState(root))).toEqual(["tree"]);
  expect(namesIn(stage.userState("sessions"))).toEqual([claim, "fedcba9876543210.lock"].toSorted());
});
