import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../support/run-codelia.ts";
import { COLUMNS } from "./columns.ts";
import { renderPages } from "./pages.ts";
import { readRecord } from "./record.ts";
import { hashOf, loadTrees } from "./tree.ts";

// The published pages say what the record says, and the record is about the trees that are there.

const record = readRecord();
const trees = loadTrees();

test("the pages are those of the record: run 'npm run conformance'", () => {
  const pages = renderPages(record);
  for (const [path, text] of pages) expect(readFileSync(join(REPOSITORY, path), "utf8"), path).toBe(text);
  const names = readdirSync(join(REPOSITORY, "docs/conformance")).map((name) => `docs/conformance/${name}`);
  expect(names.filter((name) => !pages.has(name))).toEqual([]);
});

test("every cell is a run of the tree as it is, with the version that its column names", () => {
  const stale = trees.flatMap((tree) =>
    COLUMNS.filter(({ name }) => {
      const cell = record.cells[tree.name]?.[name];
      return cell?.tree !== hashOf(tree) || cell.version !== record.clients[name]?.version;
    }).map(({ name }) => `${tree.name}, ${name}`),
  );
  expect(stale).toEqual([]);
  expect(Object.keys(record.cells).toSorted()).toEqual(trees.map(({ name }) => name).toSorted());
});

test("what shows one file or skill of a tree shows no other", () => {
  const confused = trees.flatMap(({ name, watch }) =>
    watch.flatMap((one) => {
      const others = watch.filter((each) => each !== one).flatMap(({ text, name: skill = "" }) => [text, skill]);
      const marks = [one.text, one.name].filter((mark) => mark !== undefined);
      return marks.filter((mark) => others.some((other) => other.includes(mark))).map((mark) => `${name}: ${mark}`);
    }),
  );
  expect(confused).toEqual([]);
});

test("there are at least 25 rows, and at least eight clients", () => {
  expect(trees.length).toBeGreaterThanOrEqual(25);
  expect(new Set(COLUMNS.map(({ client }) => client.name)).size).toBeGreaterThanOrEqual(8);
});

test("the versions are those that test/e2e installs", () => {
  const { devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(REPOSITORY, "test/e2e/package.json"), "utf8"),
  );
  const pinned = new Set(Object.values({ ...devDependencies, ...optionalDependencies }));
  expect(Object.values(record.clients).filter(({ version }) => !pinned.has(version))).toEqual([]);
});
