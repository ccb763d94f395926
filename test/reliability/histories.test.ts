import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { playHistories } from "./lib/histories.ts";
import { newHistoryOracle, type CallKind, type PlayedCall } from "./lib/history-oracle.ts";
import { makeInterposer } from "./lib/interpose.ts";

setDefaultTimeout(120_000);

// The short form; `npm run reliability -- --only histories` plays 50,000 calls with one root and as many with three.
const interposer = makeInterposer();
afterAll(() => interposer[Symbol.dispose]());
const SEED = 3;

for (const { roots, calls } of [
  { roots: 1, calls: 300 },
  { roots: 3, calls: 600 },
]) {
  test(`${roots === 1 ? "one root" : `${roots} roots`}, with kills, stops, lost and restored directories, jumping clocks: nothing is lost`, async () => {
    const figures = await playHistories({ roots, calls, seed: SEED, isWild: true, interposer });
    expect(figures).toMatchObject({ lost: [], faults: [] });
    expect(figures.told).toBeGreaterThan(calls / 10);
    expect(figures.kills).toBeGreaterThan(0);
  });
}

test("three roots where nothing goes wrong: nothing is lost, and nothing told twice", async () => {
  const figures = await playHistories({ roots: 3, calls: 250, seed: SEED, isWild: false, interposer });
  expect(figures).toMatchObject({ lost: [], unexcused: [], repeated: 0, faults: [] });
});

// The judge is judged.
const FILE = "/r/AGENTS.md";
const STANDING = new Map([[FILE, "1"]]);

function played(kind: CallKind, tells: readonly string[], more: Partial<PlayedCall> = {}): PlayedCall {
  const stdout = tells.map((path) => `- ${path} (mtime: 5)\n`).join("");
  const applying = kind === "touch" ? [{ path: FILE, version: STANDING.get(FILE) ?? "" }] : [];
  return { kind, contexts: ["s/main"], applying, stdout, isDone: true, label: "a call", ...more };
}

const TOLD = [played("touch", [FILE])];
const SILENT = [played("touch", [])];
const KILLED = { isDone: false };
/** Rounds of calls at once, and how often something is lost, repeated, and repeated without excuse. */
const JUDGED: readonly (readonly [
  what: string,
  rounds: readonly (readonly PlayedCall[])[],
  counts: readonly [lost: number, repeated: number, unexcused: number],
])[] = [
  ["what is told and stays told", [TOLD, SILENT], [0, 0, 0]],
  ["what is never told", [SILENT], [1, 0, 0]],
  ["one loss, however many calls come after it", [SILENT, SILENT, SILENT], [1, 0, 0]],
  ["what is told by another call at the same time", [[...SILENT, ...TOLD]], [0, 0, 0]],
  ["what only another context was told", [[played("touch", [FILE], { contexts: ["s/a"] })], SILENT], [1, 0, 0]],
  ["what is told twice", [TOLD, TOLD], [0, 1, 1]],
  ["what is told twice at once", [[...TOLD, ...TOLD]], [0, 1, 1]],
  ["what is told again after a kill", [TOLD, [played("touch", [], KILLED)], TOLD], [0, 1, 0]],
  ["what a killed call told", [[played("touch", [FILE], KILLED)], SILENT], [0, 0, 0]],
  ["what is not told after a compaction", [TOLD, [played("begin", [])], SILENT], [1, 0, 0]],
  ["what is told after a compaction", [TOLD, [played("begin", [])], TOLD], [0, 0, 0]],
  ["what a compaction tells", [TOLD, [played("begin", [FILE])], SILENT], [0, 0, 0]],
  ["a compaction that was killed", [TOLD, [played("begin", [], KILLED)], SILENT], [0, 0, 0]],
  ["what is not told after a reset", [TOLD, [played("reset", [])], SILENT], [1, 0, 0]],
  ["a reset that refused", [TOLD, [played("reset", [], KILLED)], SILENT], [0, 0, 0]],
  ["a start that two entries ask for", [[played("begin", [FILE]), played("begin", [])], SILENT], [0, 0, 0]],
  ["a start that is told by both of two entries", [[played("begin", [FILE]), played("begin", [FILE])]], [0, 1, 1]],
  ["what is told while the context forgets", [[played("begin", []), ...TOLD], SILENT], [0, 0, 0]],
  ["a context that is over and begins again", [TOLD, [played("end", [])], SILENT], [1, 0, 0]],
  ["a text instead of a name", [[played("begin", [], { stdout: `Instructions from: ${FILE}\n` })], SILENT], [0, 0, 0]],
];
for (const [what, rounds, [lost, repeated, unexcused]] of JUDGED) {
  test(`the oracle counts ${what}`, () => {
    const oracle = newHistoryOracle();
    for (const calls of rounds) oracle.judge(calls, STANDING);
    expect([oracle.lost.length, oracle.repeated, oracle.unexcused.length]).toEqual([lost, repeated, unexcused]);
  });
}

test("the oracle asks for another version, and for an earlier one that came back", () => {
  const oracle = newHistoryOracle();
  for (const version of ["1", "2", "1"]) {
    const call = (tells: readonly string[]) => played("touch", tells, { applying: [{ path: FILE, version }] });
    oracle.judge([call([])], new Map([[FILE, version]]));
    expect(oracle.lost.splice(0).length).toBe(1);
    oracle.judge([call([FILE])], new Map([[FILE, version]]));
    oracle.judge([call([])], new Map([[FILE, version]]));
  }
  expect([oracle.lost, oracle.repeated]).toEqual([[], 0]);
});
