import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY } from "../support/run-codelia.ts";
import { describeFuzz, playTarget, TARGETS } from "../fuzz/lib/play-target.ts";
import { ANSWER_LIMIT_MS } from "./lib/aftermath.ts";
import { CRASH_SCENES, playCrashPoints, WHY_NO_CRASH_POINTS } from "./lib/crash-points.ts";
import { playFaults } from "./lib/fault-play.ts";
import { FAULT_SCENES } from "./lib/fault-scenes.ts";
import { playEvents } from "./lib/hook-events.ts";
import { playHistories } from "./lib/histories.ts";
import { makeInterposer } from "./lib/interpose.ts";
import { playKills } from "./lib/kills.ts";
import { playOnce } from "./lib/once.ts";
import { ONCE_VARIANTS } from "./lib/once-variants.ts";
import { playRaces, RACE_STAGES } from "./lib/race-play.ts";
import { makeRow, renderLines, renderTable, skippedRow, type Row } from "./lib/report.ts";
import { compileFloors, playSoak } from "./lib/soak.ts";
import { playStarts } from "./lib/starts.ts";
import { playStops } from "./lib/stops.ts";

// npm run reliability [-- --processes 64 --rounds 50 --kills 10000 --stops 40 --inputs 1000000 --sessions 200 --calls 50000
// --starts 400 --events 100000 --every 20 --seed N --only faults,soak]: the promises about many processes, failing disks, sudden deaths, any input and a long day's work at
// full length, or some parts of them. Exits 1 when one is missed; dist/reliability/results.json has the rest.
const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "64" },
    rounds: { type: "string", default: "50" },
    kills: { type: "string", default: "10000" },
    stops: { type: "string", default: "40" },
    inputs: { type: "string", default: "1000000" },
    sessions: { type: "string", default: "200" },
    calls: { type: "string", default: "50000" },
    starts: { type: "string", default: "400" },
    events: { type: "string", default: "100000" },
    every: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", default: "once,faults,races,kills,stops,crashes,histories,starts,fuzz,server,soak" },
  },
});
/** Of each session. */
const SOAK = { agents: 5, calls: 50, width: 16 };
const HISTORY_ROOTS = [1, 3];
/** Of an event in a running server about which there is nothing new, in processor time. */
const MAX_EVENT_MS = 1;
/** Over two fifths of the way. */
const MAX_GROWN_KB = 16 * 1024;
/** For each reader; of the slow ones as many inputs as there is time for. */
const SHAPES = 50_000;
const FUZZ_SECONDS = 600;
const processes = count("processes");
const rounds = count("rounds");
const seed = count("seed");
const startedAt = performance.now();
const rows: Row[] = [];
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  once: () => addEach(ONCE_VARIANTS, tellOnceRow),
  faults: async () => add(await faultRow()),
  races: () => addEach(Object.keys(RACE_STAGES), raceRow),
  kills: async () => add(await killRow()),
  stops: async () => add(await stopRow()),
  crashes: () => addEach(CRASH_SCENES, crashRow),
  histories: () => addEach(HISTORY_ROOTS, historyRow),
  starts: async () => add(await startRow()),
  fuzz: () => addEach(TARGETS, fuzzRow),
  server: async () => add(await serverRow()),
  soak: async () => add(await soakRow()),
};
for (const name of values.only.split(",")) {
  const play = PARTS[name];
  if (play === undefined) throw new Error(`--only can't be '${name}'; some of ${Object.keys(PARTS).join(",")}`);
  await play();
}
report();

async function addEach<Item>(items: readonly Item[], play: (item: Item) => Promise<Row>): Promise<void> {
  for (const item of items) add(await play(item));
}

async function tellOnceRow(variant: (typeof ONCE_VARIANTS)[number]): Promise<Row> {
  const { calls, slowestMs, unrecorded, glances, faults } = await playOnce(variant, rounds, processes);
  return makeRow({
    what: `once each: ${variant.name}`,
    target: `${processes} processes × ${rounds}: told once, and recorded`,
    measured: `${calls} calls, ${unrecorded} unrecorded, ${faults.length} faults`,
    notes: [`slowest call ${whole(slowestMs)} ms; ledger read ${glances} times meanwhile`],
    faults,
  });
}

async function faultRow(): Promise<Row> {
  const notes: string[] = [];
  const faults: string[] = [];
  let [points, lost] = [0, 0];
  for (const scene of FAULT_SCENES) {
    const played = await playFaults(scene);
    points += played.points;
    lost += played.lost;
    faults.push(...played.faults);
    notes.push(`${scene.name}: ${played.points} points at ${played.sites} calls`);
  }
  return makeRow({
    what: "one call on the disk fails",
    target: "each call × each error, short write and kill: nothing lost, nothing of the user's changed",
    measured: `${points} points, ${lost} lost, ${faults.length} faults`,
    notes,
    faults,
  });
}

async function raceRow(stage: keyof typeof RACE_STAGES): Promise<Row> {
  const { sites, points, lost, repeated, faults } = await playRaces(RACE_STAGES[stage] ?? {});
  return makeRow({
    what: `a second process at each call: ${stage}`,
    target: "told by one of them; by both only while the first stands still between telling and recording",
    measured: `${points} races, ${lost} lost, ${faults.length} faults`,
    notes: [`${repeated} told by both; the first makes ${sites} calls on the disk`],
    faults,
  });
}

async function killRow(): Promise<Row> {
  const kills = count("kills");
  const figures = await playKills(kills, seed);
  const blows = Object.entries(figures.blows).map(([blow, times]) => `${times} ${blow}`);
  return makeRow({
    what: "kill -9 at random moments",
    target: `${kills} kills: nothing lost, next answer in ${ANSWER_LIMIT_MS} ms`,
    measured: `${figures.kills} kills, ${figures.lost} lost, slowest ${whole(figures.slowestMs)} ms`,
    notes: [
      `blows: ${blows.join("; ")}; an undisturbed call takes ${whole(figures.lifeMs)} ms`,
      `${figures.repeated} tellings repeated; files left beside the ledger ${figures.left}, at most ${figures.mostLeft}`,
    ],
    faults: figures.faults,
  });
}

async function stopRow(): Promise<Row> {
  const stops = count("stops");
  const figures = await playStops(stops, seed);
  return makeRow({
    what: "SIGSTOP, then SIGCONT or SIGKILL",
    target: `${stops} stops: nothing lost, next answer in ${ANSWER_LIMIT_MS} ms`,
    measured: `${figures.stops} stops, ${figures.lost} lost, slowest ${whole(figures.slowestMs)} ms`,
    notes: [`${figures.underLock} stopped under the lock; ${figures.repeated} tellings repeated`],
    faults: figures.faults,
  });
}

async function crashRow(scene: (typeof CRASH_SCENES)[number]): Promise<Row> {
  const what = `killed at each system call: ${scene.name}`;
  const target = `nothing lost, next answer in ${ANSWER_LIMIT_MS} ms`;
  if (WHY_NO_CRASH_POINTS !== undefined) return skippedRow(what, target, WHY_NO_CRASH_POINTS);
  const { points, lost, slowestMs, left, faults } = await playCrashPoints(scene);
  return makeRow({
    what,
    target,
    measured: `${points} points, ${lost} lost, slowest ${whole(slowestMs)} ms`,
    notes: left.map((name) => `left behind: ${name}`),
    faults,
  });
}

async function historyRow(roots: number): Promise<Row> {
  const calls = count("calls");
  using interposer = makeInterposer();
  const figures = await playHistories({ roots, calls, seed, isWild: true, interposer });
  const { lost, repeated, told, mostAside, refused, faults } = figures;
  const without = interposer.why === undefined ? "" : `; clocks and devices as they are: ${interposer.why}`;
  return makeRow({
    what: `histories with ${roots} roots`,
    target: `${calls} calls, with kills, stops, lost and restored directories, jumping clocks: nothing lost`,
    measured: `${figures.calls} calls, ${told} tellings, ${lost.length} lost, ${repeated} repeated`,
    notes: [
      `${figures.kills} kills, ${figures.stops} stops, ${figures.happenings} happenings${without}`,
      `slowest call ${whole(figures.slowestMs)} ms; ${refused} resets refused; at most ${mostAside} set aside in a root`,
      `${whole(figures.seconds)} s`,
    ],
    faults: [...lost, ...faults],
  });
}

async function startRow(): Promise<Row> {
  const histories = count("starts");
  const { calls, starts, messages, slow, faults } = await playStarts(histories, seed);
  return makeRow({
    what: "starts in many ways",
    target: `${histories} sessions: each line, skill and usage rule that applies arrives once, within the limits`,
    measured: `${starts} starts, ${messages} messages, ${faults.length} faults`,
    notes: [`${calls} calls; ${slow} starts took too long to be judged for repetitions`],
    faults,
  });
}

async function fuzzRow(name: string): Promise<Row> {
  const inputs = count("inputs");
  const figures = await playTarget({ name, inputs, seed, seconds: FUZZ_SECONDS, shapes: SHAPES });
  return makeRow({
    what: `fuzz: ${name}`,
    target: `${inputs} inputs, or ${FUZZ_SECONDS} s: no promise broken, none takes a second, none grows out of proportion`,
    measured: `${figures.inputs} inputs, ${figures.faults.length} faults`,
    notes: [describeFuzz(figures)],
    faults: figures.faults.map(({ message, input }) => `${message}, input ${JSON.stringify(input)}`),
  });
}

async function serverRow(): Promise<Row> {
  const everyProcess = count("every");
  const figures = await playEvents({ events: count("events"), everyProcess, seed });
  const { compared, told, medianMs, medianWaitMs, memoryKB, grownKB, mostKB, faults } = figures;
  const slow = medianMs > MAX_EVENT_MS ? [`an event with nothing new takes ${medianMs.toFixed(2)} ms`] : [];
  const isFlat = grownKB <= MAX_GROWN_KB;
  const grown = isFlat ? [] : [`its memory grew by ${grownKB} KB`];
  const megabytes = memoryKB.map((size) => whole(size / 1024)).join(", ");
  return makeRow({
    what: "events through one 'codelia mcp'",
    target: `${count("events")} events: as new processes answer, memory flat, median ≤ ${MAX_EVENT_MS} ms`,
    measured: `${compared} compared, ${faults.length} differ, memory ${isFlat ? "flat" : "grows"}, median ${medianMs.toFixed(2)} ms`,
    notes: [
      `one in ${everyProcess} was also answered by a new process; ${told} answers told something`,
      `whoever asks waits ${medianWaitMs.toFixed(2)} ms at the median, with what else the machine does meanwhile`,
      `memory in each fifth: ${megabytes} MB, ${whole(mostKB / 1024)} at most`,
      `last two fifths against the two before: ${grownKB < 0 ? "" : "+"}${(grownKB / 1024).toFixed(1)} MB, at most +${whole(MAX_GROWN_KB / 1024)} is flat`,
    ],
    faults: [...faults, ...slow, ...grown],
  });
}

async function soakRow(): Promise<Row> {
  const plan = { sessions: count("sessions"), ...SOAK, seed };
  const output = join(REPOSITORY, "dist/reliability");
  const figures = await playSoak({ ...plan, ...(await compileFloors(output)) });
  const times = (["p50", "p95", "p99", "max"] as const).map((at) => {
    const ratio = figures.hook[at] / figures.floor[at];
    return `${at} ${whole(figures.hook[at])} ms = ${ratio.toFixed(2)} × floor`;
  });
  const memory = (figures.hookPeakMB / figures.floorPeakMB).toFixed(2);
  return makeRow({
    what: "soak",
    target: `${plan.sessions} sessions × ${plan.agents} sub-agents × ${plan.calls} calls, ${plan.width} at once: told once, none lost`,
    measured: `${figures.calls} calls, ${figures.told} tellings, ${figures.faults.length} faults`,
    notes: [
      `${whole(figures.seconds)} s; ${figures.changes} files changed meanwhile`,
      `a hook under this load: ${times.join(", ")}`,
      `memory ${figures.hookPeakMB.toFixed(1)} MB = ${memory} × floor`,
      `ledger ${whole(figures.mostLedgerKB)} KB at most, ${whole(figures.ledgerKB)} KB in the end`,
    ],
    faults: figures.faults,
  });
}

function add(row: Row): void {
  rows.push(row);
  console.error(`${row.verdict.padEnd(7)} ${row.what}`);
}

function report(): void {
  const seconds = whole((performance.now() - startedAt) / 1000);
  const output = join(REPOSITORY, "dist/reliability");
  mkdirSync(output, { recursive: true });
  const results = { processes, rounds, seed, seconds, rows };
  writeFileSync(join(output, "results.json"), `${JSON.stringify(results, undefined, 2)}\n`);
  console.log(renderTable(rows));
  console.log(`\n${renderLines(rows, "notes")}`);
  console.log(`\nseed ${seed}, ${seconds} s. Machine-readable: dist/reliability/results.json`);
  console.error(renderLines(rows, "faults"));
  if (rows.some((row) => row.verdict === "MISSED")) process.exitCode = 1;
}

function count(name: keyof typeof values): number {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0`);
  return value;
}

function whole(value: number): number {
  return Math.round(value);
}
