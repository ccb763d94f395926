import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { versionOf } from "../e2e/lib/clients.ts";
import { COLUMNS, type Column } from "./columns.ts";
import { renderDrift, type Failure } from "./drift.ts";
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
process.exitCode = FLAGS.has("--latest") ? await lookAtLatest() : await measure();

async function measure(): Promise<number> {
  const keep = (record: ConformanceRecord) => writeFileSync(RECORD, `${JSON.stringify(record, undefined, 2)}\n`);
  const measured = await playAll(readRecord(), keep);
  keep(measured.record);
  writePages(measured.record);
  for (const { client, tree, why } of measured.failures) console.error(`${client}, ${tree}: ${why}`);
  return measured.failures.length === 0 ? 0 : 1;
}

/** With the packages that `.tools/with-bun.mjs` has installed. */
async function lookAtLatest(): Promise<number> {
  const recorded = readRecord();
  const { record, failures } = await playAll({ ...recorded, cells: {} });
  const absent = COLUMNS.flatMap(({ name, client }) => {
    return client.client.missing === undefined ? [] : [{ client: name, why: client.client.missing }];
  });
  const { text, isSame } = renderDrift({ recorded, played: record, absent, failures, trees: loadTrees() });
  process.stdout.write(text);
  return isSame ? 0 : 1;
}

interface Measured {
  readonly record: ConformanceRecord;
  readonly failures: readonly Failure[];
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
  const failures: Failure[] = [];
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
          const why = error instanceof Error ? error.message : String(error);
          failures.push({ client: name, tree: tree.name, why });
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
