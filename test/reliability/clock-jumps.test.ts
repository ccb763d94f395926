import { describe, expect, test } from "bun:test";
import { run } from "../../src/cli.ts";
import { acquireLock } from "../../src/lib/lock.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { deadHolder, livingHolder } from "./lib/holders.ts";
import { openStage, readLedger, type Stage } from "./lib/stage.ts";
import { countTold } from "./lib/told.ts";

// A clock that is set, a machine that slept, an empty battery: nothing is lost, at worst it is told again.

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

async function resolveAt(stage: Stage, epochMs: number, session: string): Promise<{ stdout: string; stderr: string }> {
  const world = fakeWorld({
    argv: ["resolve", "--session", session, ...stage.paths],
    cwd: stage.repository,
    home: stage.home,
    env: { HOME: stage.home },
    epochMs,
  });
  expect(await run(world)).toBe("ok");
  return { stdout: world.written(), stderr: world.complaints.join("") };
}

const JUMPS: readonly (readonly [what: string, byMs: number])[] = [
  ["an hour back", -HOUR_MS],
  ["ten years back", -3650 * DAY_MS],
  ["to the beginning of time", -Date.now()],
  ["an hour ahead", HOUR_MS],
  ["two days ahead", 2 * DAY_MS],
  ["forty days ahead", 40 * DAY_MS],
  ["a hundred years ahead", 36_500 * DAY_MS],
];

for (const [what, byMs] of JUMPS) {
  test(`the clock jumps ${what}: what was told stays told, what is new is told`, async () => {
    using stage = openStage();
    const now = Date.now();
    stage.touch();
    await resolveAt(stage, now, "here");
    expect(await resolveAt(stage, now + byMs, "here")).toEqual({ stdout: "", stderr: "" });
    const mtimeMs = stage.touch();
    const { stdout, stderr } = await resolveAt(stage, now + byMs, "here");
    expect([...countTold([stdout], stage.files, mtimeMs).values(), stderr]).toEqual([1, 1, ""]);
    expect(await resolveAt(stage, now, "here")).toEqual({ stdout: "", stderr: "" });
  });

  test(`the clock jumps ${what} and back while another session works: the idle one loses nothing`, async () => {
    using stage = openStage();
    const now = Date.now();
    const mtimeMs = stage.touch();
    await resolveAt(stage, now, "idle");
    await resolveAt(stage, now + byMs, "busy");
    await resolveAt(stage, now + 2 * byMs, "late");
    const later = stage.touch(stage.files.slice(1));
    const { stdout, stderr } = await resolveAt(stage, now, "idle");
    expect(countTold([stdout], stage.files.slice(1), later).get(stage.files[1] ?? "")).toBe(1);
    expect(stderr).toBe("");
    // Repeating the rest is allowed, once.
    expect(countTold([stdout], stage.files.slice(0, 1), mtimeMs).get(stage.files[0] ?? "")).toBeLessThanOrEqual(1);
    expect((await resolveAt(stage, now, "idle")).stdout).toBe("");
    expect(Object.keys(readLedger(stage).sessions)).toContain("idle");
  });
}

describe("of two starts by the same event, the clock set back in between,", () => {
  /** Of a context begun by a compaction, by a process that began at this time of the clock and of the machine. */
  async function compactAt(stage: Stage, epochMs: number, uptimeMs: number | undefined, part: string): Promise<string> {
    const event = { session_id: "s", cwd: stage.repository, hook_event_name: "SessionStart", source: "compact" };
    const world = fakeWorld({
      argv: ["hook", "claude", "--part", part],
      cwd: stage.repository,
      home: stage.home,
      env: { HOME: stage.home },
      stdin: JSON.stringify(event),
      epochMs,
      ...(uptimeMs !== undefined && { uptimeMs }),
    });
    expect(await run(world)).toBe("ok");
    return world.written();
  }

  const SECOND_MS = 1000;
  const now = Date.now();
  const up = 3600 * SECOND_MS;

  for (const [back, later] of [
    [5, 4],
    [9, 30],
    [3600, 3601],
  ] as const) {
    test(`by ${back} s, ${later} s later: the second is told anew`, async () => {
      using stage = openStage();
      const first = await compactAt(stage, now, up, "1/4");
      expect(first).not.toBe("");
      const second = (part: string) => compactAt(stage, now + (later - back) * SECOND_MS, up + later * SECOND_MS, part);
      expect(await second("1/4")).toBe(first);
      // Asked for by two entries at once, it is told once.
      expect(await second("1/4")).toBe("");
    });
  }

  test("by five seconds, at the same time: it is the same start, told once", async () => {
    using stage = openStage();
    expect(await compactAt(stage, now, up, "1/4")).not.toBe("");
    expect(await compactAt(stage, now - 5 * SECOND_MS, up, "1/4")).toBe("");
  });

  test("the machine started anew meanwhile: the second is told anew", async () => {
    using stage = openStage();
    const first = await compactAt(stage, now, up, "1/4");
    expect(await compactAt(stage, now + 2 * 3600 * SECOND_MS, up, "1/4")).toBe(first);
  });

  test("where the system does not say how long it runs, the wall clock decides", async () => {
    using stage = openStage();
    const first = await compactAt(stage, now, undefined, "1/4");
    expect(await compactAt(stage, now, undefined, "1/4")).toBe("");
    expect(await compactAt(stage, now + 3 * SECOND_MS, undefined, "1/4")).toBe(first);
  });
});

const linuxTest = test.skipIf(process.platform !== "linux");

linuxTest("the clock jumps a day ahead while a living process holds the lock: it is not broken", () => {
  using living = livingHolder();
  using stage = openStage({ entries: { "repo/.codelia/session.json.lock": JSON.stringify(living.holder) } });
  const world = fakeWorld({ epochMs: Date.now() + DAY_MS, alive: [living.holder.pid] });
  const attempt = acquireLock(world, { path: stage.state("session.json.lock"), waitMs: 1000 });
  expect(attempt).toEqual({ kind: "failed", reason: "held by another process" });
  expect(JSON.parse(stage.tree.read("repo/.codelia/session.json.lock"))).toEqual(living.holder);
});

linuxTest(
  "the clock jumps a day back: a lock from the future that can't be judged is taken over within its time",
  () => {
    const elsewhere = JSON.stringify(deadHolder({ pidNamespace: "pid:[1]" }));
    using stage = openStage({ entries: { "repo/.codelia/session.json.lock": elsewhere } });
    const world = fakeWorld({ epochMs: Date.now() - DAY_MS });
    const attempt = acquireLock(world, { path: stage.state("session.json.lock"), waitMs: 1000 });
    expect(attempt.kind).toBe("locked");
    expect(world.clock.ticks).toBeLessThan(1000);
  },
);

test("a file of 1970, of the far future, or with an older mtime than before is told in each version", async () => {
  using stage = openStage();
  for (const time of [0, Date.UTC(2200, 0, 1), Date.UTC(2001, 0, 1), Date.UTC(2000, 0, 1)]) {
    stage.tree.touch("repo/AGENTS.md", time);
    const { stdout } = await resolveAt(stage, Date.now(), "s");
    expect(stdout).toContain(`- ${stage.files[0]} (mtime: ${time})`);
    expect((await resolveAt(stage, Date.now(), "s")).stdout).toBe("");
  }
});
