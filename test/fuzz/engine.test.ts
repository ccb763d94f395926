import { expect, test } from "bun:test";
import { tempTree } from "../support/temp-tree.ts";
import { countBlocks } from "./lib/blocks.ts";
import { newCoverage } from "./lib/coverage.ts";
import { fuzz, type FuzzFigures } from "./lib/engine.ts";

// The judge is judged: what it must find, it finds, and only because it sees where inputs lead.

const MAZE = `export function read(text) {
  if (text[0] === "q") if (text[1] === "\\u007F") if (text.length > 4 && text[2] === "}") for (const unit of text.slice(3))
    if (unit === "z") throw new Error("the end of the maze");
}`;
const QUADRATIC = `export function read(text) {
  let count = 0;
  for (const left of text) for (const right of text) if (left !== right) count++;
  return count;
}`;
const LINEAR = `export const read = (text) => { let count = 0; for (const unit of text) count += unit === "a" ? 1 : 2; return count; };`;

async function play(source: string, inputs: number, isBlind = false): Promise<FuzzFigures> {
  const coverage = newCoverage();
  using tree = tempTree({ "counted.mjs": coverage.count(source) });
  const { read } = (await import(tree.path("counted.mjs"))) as { read: (text: string) => unknown };
  const seen = isBlind ? { ...coverage, isNews: () => false } : coverage;
  const target = { read, check: (text: string) => void read(text), words: [], growth: [500, 2000] as const };
  return fuzz(target, ["a"], seen, { inputs, seed: 1, seconds: 20, before: () => {} });
}

test("an input that goes wrong behind four doors is found, and shortened", async () => {
  const { faults } = await play(MAZE, 40_000);
  expect(faults.map(({ input }) => input)).toEqual([expect.stringMatching(/^q\u007F\}(.z|z.)$/)]);
  expect(faults[0]?.message).toContain("the end of the maze");
});

test("without seeing where inputs lead it is not", async () => {
  expect((await play(MAZE, 40_000, true)).faults).toEqual([]);
});

test("work that grows with the square of the input is found", async () => {
  const { faults } = await play(QUADRATIC, 300);
  expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/^work grows more than in proportion/)]);
  expect((await play(LINEAR, 300)).faults).toEqual([]);
});

test("countBlocks() changes nothing but the counters", async () => {
  const source = `export function all(a, b) {
    const list = [];
    if (a) list.push(1); else list.push(2);
    for (const item of b ? [1, 2] : [3]) { if (item > 1) continue; list.push(item && (() => ({ item }))()); }
    switch (a) { case 1: list.push("one"); break; case 2: case 3: list.push("more"); default: list.push("rest"); }
    do list.push(list.length); while (list.length < 5);
    try { if (a === b) throw new Error("same"); } catch ({ message }) { list.push(message ?? "none"); }
    return list;
  }`;
  const counted = countBlocks(source, 0);
  expect(counted.words.toSorted()).toEqual(["more", "none", "one", "rest", "same"]);
  Object.assign(globalThis, { $blocks: new Uint32Array(counted.blocks) });
  using tree = tempTree({ "plain.mjs": source, "counted.mjs": counted.text });
  const [plain, other] = await Promise.all(["plain.mjs", "counted.mjs"].map((name) => import(tree.path(name))));
  for (const args of [
    [0, 0],
    [1, 0],
    [2, 2],
    [3, "x"],
    [undefined, null],
  ]) {
    expect(other.all(...args)).toEqual(plain.all(...args));
  }
});
