import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { versionOf } from "../e2e/lib/clients.ts";
import { COLUMNS, type Column } from "./columns.ts";
import { playTree } from "./play.ts";
import { readRecord, RECORD, type ConformanceRecord, type RecordedCell } from "./record.ts";
import { writePages } from "./pages.ts";
import { hashOf, loadTrees, type Tree } from "./tree.ts";
import { cellText } from "./verdict.ts";

// npm run conformance [-- CLIENT… | TREE…]: plays the trees with the real clients, whose versions test/e2e pins, and writes
// docs/conformance.json and the pages made of it. What a former run has measured with the same tree and version stays,
// unless `--again`. `--latest` installs the newest of each client apart from them, changes no file, and says what differs
// from the record: it ends with 1 if something does.

const ARGUMENTS = process.argv.slice(2);
const FLAGS = new Set(ARGUMENTS.filter((word) => word.startsWith("--")));
const WORDS = ARGUMENTS.filter((word) => !word.startsWith("--"));
/** Their names in npm, for those whose newest version is looked at. */
const PACKAGES = [
  "@anthropic-ai/claude-code",
  "@openai/codex",
  "@google/gemini-cli",
  "@qwen-code/qwen-code",
  "@github/copilot",
  "@moonshot-ai/kimi-code",
  "@earendil-works/pi-coding-agent",
  `opencode-${process.platform}-${process.arch}`,
  `@cline/cli-${process.platform}-${process.arch}`,
];

process.exitCode = FLAGS.has("--latest") ? await lookAtLatest() : await measure();

async function measure(): Promise<number> {
  const keep = (record: ConformanceRecord) => writeFileSync(RECORD, `${JSON.stringify(record, undefined, 2)}\n`);
  const measured = await playAll(readRecord(), keep);
  keep(measured.record);
  writePages(measured.record);
  for (const failure of measured.failures) console.error(failure);
  return measured.failures.length === 0 ? 0 : 1;
}

/** With the newest packages, in a process of its own that finds them by its environment. */
async function lookAtLatest(): Promise<number> {
  const recorded = readRecord();
  if (process.env["E2E_PACKAGES"] === undefined) return installLatest();
  const { record, failures } = await playAll({ ...recorded, cells: {} });
  for (const failure of failures) console.log(failure);
  const changes = loadTrees().flatMap((tree) =>
    Object.entries(record.cells[tree.name] ?? {}).flatMap(([client, cell]) => {
      const before = recorded.cells[tree.name]?.[client];
      const [was, is] = [before && cellText(tree, before), cellText(tree, cell)];
      return was === is ? [] : [`${client} ${before?.version} → ${cell.version}, ${tree.name}: ${was} → ${is}`];
    }),
  );
  for (const change of changes) console.log(change);
  const versions = Object.entries(record.clients).map(([name, { version }]) => `${name} ${version}`);
  console.log(`${changes.length} changes with ${versions.join(", ")}`);
  return changes.length + failures.length === 0 ? 0 : 1;
}

/** Each on its own: one that npm can't install is named, and the others are looked at. */
function installLatest(): number {
  const place = mkdtempSync(join(tmpdir(), "codelia-latest-"));
  const flags = ["--prefix", place, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  for (const name of [`node-${process.platform}-${process.arch}`, ...PACKAGES]) {
    const { status } = spawnSync("npm", ["install", ...flags, `${name}@latest`], { cwd: place, stdio: "ignore" });
    if (status !== 0) console.log(`npm can't install the newest '${name}': skipped`);
  }
  const env = { ...process.env, E2E_PACKAGES: join(place, "node_modules") };
  return spawnSync(process.execPath, process.argv.slice(1), { env, stdio: "inherit" }).status ?? 1;
}

interface Measured {
  readonly record: ConformanceRecord;
  readonly failures: readonly string[];
}

/** @param keep is given the record after each run, so that one that is interrupted goes on where it was */
async function playAll(
  former: ConformanceRecord,
  keep: (record: ConformanceRecord) => void = () => {},
): Promise<Measured> {
  const trees = loadTrees();
  const present = COLUMNS.filter(({ client }) => client.client.missing === undefined);
  const namesClient = WORDS.some((word) => present.some(({ name }) => name === word));
  const namesTree = WORDS.some((word) => trees.some(({ name }) => name === word));
  const chosen = present.filter(({ name }) => !namesClient || WORDS.includes(name));
  const clients = { ...former.clients };
  const cells = new Map(trees.map(({ name }) => [name, { ...former.cells[name] }]));
  const failures: string[] = [];
  const jobs: (() => Promise<void>)[] = [];
  for (const column of chosen) {
    const { name, title } = column;
    const version = versionOf(column.client.client);
    clients[name] = { title, version };
    for (const tree of trees.filter((each) => !namesTree || WORDS.includes(each.name))) {
      const known = cells.get(tree.name)?.[name];
      if (!FLAGS.has("--again") && known?.tree === hashOf(tree) && known.version === version) continue;
      jobs.push(async () => {
        const cell = await play(column, tree, version).catch((error: unknown) => {
          failures.push(`${name}, ${tree.name}: ${error instanceof Error ? error.message : String(error)}`);
        });
        if (cell === undefined) return;
        cells.set(tree.name, { ...cells.get(tree.name), [name]: cell });
        keep(recordOf(clients, cells));
      });
    }
  }
  await inParallel(jobs);
  return { record: recordOf(clients, cells), failures };
}

function recordOf(
  clients: ConformanceRecord["clients"],
  cells: ReadonlyMap<string, Readonly<Record<string, RecordedCell>>>,
): ConformanceRecord {
  return {
    clients: inOrder(clients),
    cells: Object.fromEntries([...cells].map(([tree, row]) => [tree, inOrder(row)])),
  };
}

async function play({ name, client, home }: Column, tree: Tree, version: string): Promise<RecordedCell> {
  const cell = await playTree(client.name, { ...tree, home: { ...home, ...tree.home } });
  const recorded = { tree: hashOf(tree), version, date: new Date().toISOString().slice(0, 10), ...cell };
  console.error(`${name}, ${tree.name}: ${cellText(tree, recorded)}`);
  return recorded;
}

async function inParallel(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...jobs];
  const work = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** As the harness lists the clients, whichever were run first. */
function inOrder<Value>(byClient: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(COLUMNS.flatMap(({ name }) => (name in byClient ? [[name, byClient[name]!]] : [])));
}
