import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { binaryPath } from "../../.tools/lib/artifacts.mjs";
import { compile } from "../../.tools/lib/build.mjs";
import { ensureInstalled } from "../../.tools/lib/install.mjs";
import { measure, peakBytes, type Subject, type Timing } from "./measure.ts";
import { makeCheckRows } from "./check-rows.ts";
import { makeRows, type Row } from "./rows.ts";

// npm run bench [-- --rounds N]: every speed promise as a ratio to the floor of the same run, with target and verdict.
// A benchmark, not a test: it always exits 0 when it could measure.
const ROUNDS = Number(process.argv[process.argv.indexOf("--rounds") + 1]) || 60;
const output = join(import.meta.dirname, "../../dist/bench");

mkdirSync(output, { recursive: true });
await ensureInstalled(join(import.meta.dirname, "../peers"));
const base = mkdtempSync(join(tmpdir(), "codelia-bench-"));
try {
  const programs = {
    codelia: freshCopy(binaryPath),
    floor: await compiled("floor"),
    readSkills: await compiled("read-skills"),
  };
  const walk = await compiled("walk");
  const groups = [...makeRows(base, programs, callOnce), makeCheckRows(base, { ...programs, walk })];
  const rows = groups.flat();
  const timings = await measureAll(groups);
  const memory = await Promise.all(rows.map(judgeMemory));
  const results = [...rows.map((row) => judge(row, timings)), ...memory.flat()];
  writeFileSync(join(output, "results.json"), `${JSON.stringify({ rounds: ROUNDS, results }, undefined, 2)}\n`);
  console.log(table(results));
  console.log(`\n${ROUNDS} rounds, one run of each in turn; medians. Machine-readable: dist/bench/results.json`);
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function compiled(name: string): Promise<string> {
  const outfile = join(output, name);
  await compile({ entry: join(import.meta.dirname, `${name}.ts`), outfile });
  return freshCopy(outfile);
}

/**
 * Everything that is timed was written just now, by the same hand: a program whose file the kernel read in small pieces,
 * as it does after a while, takes a fifth longer than the same program just written.
 */
function freshCopy(program: string): string {
  const copy = join(base, basename(program));
  copyFileSync(program, copy);
  return copy;
}

interface Result {
  readonly name: string;
  readonly measured: string;
  readonly ratio: number | null;
  readonly target: string;
  readonly verdict: "met" | "MISSED" | "-";
  readonly medianMs?: number;
  readonly p95Ms?: number;
}

function judge(row: Row, timings: ReadonlyMap<string, Timing>): Result {
  const own = timings.get(row.name) as Timing;
  const ratio = own.medianMs / (timings.get(row.against) as Timing).medianMs;
  return {
    name: row.name,
    measured: `${own.medianMs.toFixed(2)} ms`,
    ratio: round(ratio),
    target: row.target === undefined ? "-" : `${row.target} × ${row.against}`,
    verdict: row.target === undefined ? "-" : ratio <= row.target ? "met" : "MISSED",
    medianMs: round(own.medianMs),
    p95Ms: round(own.p95Ms),
  };
}

async function judgeMemory(row: Row): Promise<Result[]> {
  if (row.peakMB === undefined) return [];
  const peakMB = (await peakBytes(row)) / 1024 / 1024;
  return [
    {
      name: `memory of '${row.name}'`,
      measured: `${peakMB.toFixed(1)} MB`,
      ratio: null,
      target: `${row.peakMB} MB`,
      verdict: peakMB <= row.peakMB ? "met" : "MISSED",
    },
  ];
}

function table(results: readonly Result[]): string {
  const lines = results.map(({ name, measured, ratio, target, verdict }) => [
    name,
    measured,
    ratio === null ? "-" : ratio.toFixed(2),
    target,
    verdict,
  ]);
  const all = [["what", "median", "ratio", "at most", "verdict"], ...lines];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all.map((line) => line.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join("  ")).join("\n");
}

/** Words to the left, figures to the right. */
function pad(cell: string, width: number, column: number): string {
  return column === 1 || column === 2 ? cell.padStart(width) : cell.padEnd(width);
}

async function measureAll(groups: readonly (readonly Row[])[]): Promise<Map<string, Timing>> {
  const all = new Map<string, Timing>();
  for (const group of groups) for (const [name, timing] of await measure(group, ROUNDS)) all.set(name, timing);
  return all;
}

function callOnce(subject: Subject): void {
  Bun.spawnSync([...subject.command], {
    cwd: subject.cwd,
    env: { ...subject.env },
    stdin: subject.input === undefined ? "ignore" : new TextEncoder().encode(subject.input),
    stdout: "ignore",
    stderr: "ignore",
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
