import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { tempTree } from "../support/temp-tree.ts";
import { countBlocks } from "./lib/blocks.ts";
import { newCoverage } from "./lib/coverage.ts";
import { fuzz, type FuzzFigures } from "./lib/engine.ts";
import { playTarget } from "./lib/play-target.ts";

setDefaultTimeout(60_000);

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
  const seen = isBlind ? { ...coverage, hasChanges: () => false } : coverage;
  const target = { read, check: (text: string) => void read(text), words: [], parts: [], growth: [500, 2000] as const };
  return fuzz(target, ["a"], seen, { inputs, seed: 1, seconds: 20, shapes: 0, before: () => {} });
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

/** Each with the first thing that is said of it. */
const READERS: readonly (readonly [what: string, body: string, said: RegExp | undefined])[] = [
  ["in proportion", 'return text.split("a").length', undefined],
  [
    "over all of it again for each part, behind another part",
    'let count = 0; for (const unit of text[0] === "a" && text.endsWith("[") ? text : "") for (const other of text) if (unit !== other) count++; return count',
    /^work grows more than in proportion: \d+ steps for \d+ characters\n {4}a "\["×n/,
  ],
  [
    "with a search from the start for each part",
    `let count = 0; for (let at = text.indexOf("'"); at >= 0; at = text.indexOf("'", at + 1)) if (text.includes("#")) count++; return count`,
    /^work grows more than in proportion: \d+ steps for \d+ characters\n {4}"'"×n/,
  ],
  [
    "with an expression that looks ahead from each blank",
    `return text.endsWith("'") && /a+$/.test(text)`,
    // On a busy machine it takes longer than it may before its growth is measured.
    /^(?:time grows more than in proportion: [\d.]+ ms for \d+ characters\n {4}"a"×n '|does not end within a second|takes more than 1000 ms)/,
  ],
  [
    "as deep as it is nested",
    'return text[0] === "[" ? 1 + Number(read(text.slice(1))) : 0',
    /^RangeError: .*\n.*\n {4}"\["×n/,
  ],
  [
    "without end",
    `if (text.length > 99 && text[0] === "'") for (;;) text = text.slice()`,
    /^does not end within a second/,
  ],
  [
    "without end in an expression, where a thread can't be ended",
    String.raw`if (text.startsWith("[a")) return /x\s*\s*\s*\s*\s*y/.test("x" + " ".repeat(text.length) + "z")`,
    /^(?:does not end within a second|takes more than 1000 ms)/,
  ],
];

describe("a reader goes over an input made of few parts", () => {
  test.each(READERS)("%s", async (_, body, said) => {
    const target = `export { read } from "../src/reader.ts"; import { read } from "../src/reader.ts";
      export const target = { read, check() {}, words: [], parts: ["a", "'", "["], growth: [16384, 65536] };`;
    using tree = tempTree({
      "src/reader.ts": `export function read(text: string): unknown { ${body}; }`,
      "targets/reader.ts": target,
      "corpus/reader/a.txt": "a",
    });
    const order = { name: "reader", place: tree.root, inputs: 0, shapes: 0, seed: 1, seconds: 20 };
    const { faults } = await playTarget(order);
    const [first = ""] = faults.map(({ message }) => message);
    expect(first).toEqual(said === undefined ? "" : expect.stringMatching(said));
  });
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
