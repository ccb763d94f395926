import { expect, test } from "bun:test";
import { parseYaml } from "../../src/lib/yaml.ts";

const READ: [what: string, text: string, data: unknown][] = [
  ["an empty file", "", null],
  ["a comment", "# x\n", null],
  [
    "plain values",
    'a: 1\nb: "2"\nc: true\nd: null\ne: x y\nf: 1.5\ng:\n',
    { a: 1, b: "2", c: true, d: null, e: "x y", f: 1.5, g: null },
  ],
  [
    "tables and lists",
    "a:\n  b: [1, {c: 2}]\n  d:\n    - e\n    - f: g\n",
    { a: { b: [1, { c: 2 }], d: ["e", { f: "g" }] } },
  ],
  ["long texts", "a: |\n  x\n  y\nb: >-\n  x\n  y\n", { a: "x\ny\n", b: "x y" }],
  ["words that old YAML takes for truth", "a: yes\nb: off\nc: NO\n", { a: "yes", b: "off", c: "NO" }],
  ["a date as text", "a: 2001-01-01\n", { a: "2001-01-01" }],
  ["a merge key as a key", "<<: x\n", { "<<": "x" }],
  ["names of every object's properties", "constructor: 1\ntoString: 2\n", { constructor: 1, toString: 2 }],
  ["an anchor that nothing uses", "a: &x 1\n", { a: 1 }],
  ["Windows line ends", "a: 1\r\nb: 2\r\n", { a: 1, b: 2 }],
  ["one document with its marks", "---\na: 1\n...\n", { a: 1 }],
  ["16 flow collections in each other", `a: ${"[".repeat(16)}${"]".repeat(16)}`, expect.anything()],
];
for (const [what, text, data] of READ) {
  test(`parseYaml() reads ${what}`, () => {
    expect(parseYaml(text)).toEqual({ kind: "data", data });
  });
}

const REFUSED: [what: string, text: string, line: number, message: RegExp][] = [
  ["a key that stands twice", "a: 1\nb: 2\na: 3\n", 3, /^duplicate key 'a'$/],
  ["a key that stands twice in another form", 'a: 1\n"a": 2\n', 2, /^duplicate key 'a'$/],
  ["a key that stands twice deeper", "x:\n  a: 1\n  a: 2\n", 3, /^duplicate key 'a'$/],
  ["an alias", "a: &x 1\nb: *x\n", 2, /aliases are not supported/],
  ["an alias to nothing", "a: *x\n", 1, /alias/i],
  ["an alias as a key", "&x a: 1\n*x : 2\n", 2, /key must be a string/],
  ["the key '__proto__'", "a:\n  __proto__: {b: 1}\n", 2, /'__proto__' is not allowed/],
  ["the key '__proto__' in quotes", '"__proto__": 1\n', 1, /'__proto__' is not allowed/],
  ["a number as a key", "1: a\n", 1, /key must be a string/],
  ["a truth value as a key", "x: 1\ntrue: a\n", 2, /key must be a string/],
  ["no key at all", ": a\n", 1, /key must be a string/],
  ["a list as a key", "? [a]\n: b\n", 1, /key must be a string/],
  ["a table as a key", "{a: 1}: b\n", 1, /./],
  ["several documents", "a: 1\n---\nb: 2\n", 2, /multiple documents/],
  ["a tab for an indent", "a:\n\tb: 1\n", 2, /./],
  ["a value with a colon", "description: Use when: x\n", 1, /./],
  ["a text that is not closed", 'a: "x\n', 2, /./],
  ["17 flow collections in each other", `a: 1\nb: ${"[".repeat(17)}${"]".repeat(17)}`, 2, /nested too deeply/],
  ["400 tables in each other", "{a: ".repeat(400) + "}".repeat(400), 1, /nested too deeply/],
  ["400 keys in each other", "? ".repeat(400), 1, /nested too deeply/],
  ["400 lists in each other on one line", "- ".repeat(400), 1, /nested too deeply/],
  ["a thousand colons in a line", `a: 1\n${":: ".repeat(1000)}`, 2, /nested too deeply/],
];
for (const [what, text, line, message] of REFUSED) {
  test(`parseYaml() refuses ${what}`, () => {
    expect(parseYaml(text)).toEqual({ kind: "error", line, message: expect.stringMatching(message) });
  });
}

const HINT = "[--flag] ".repeat(40).trim();
for (const text of [`c: Use it when "x" isn't y\na: "${HINT}"\n`, `a: "${HINT}"\n`, `b: 1\na: '${HINT}'\r\n`]) {
  test(`parseYaml() reads many brackets in a quoted text: ${text.slice(0, 12)}…`, () => {
    expect(parseYaml(text)).toMatchObject({ kind: "data", data: expect.objectContaining({ a: HINT }) });
  });
}

for (const before of [
  'x: !t"y',
  "x: !<t>'y",
  "x: &a !t 'y",
  'x: "y\\"',
  'x: a: "y',
  "- 'y",
  "x: 'y",
  "x: [y",
  "x: {y: z",
  "x: |\n  'y",
]) {
  test(`parseYaml() counts the brackets of a quoted text behind ${JSON.stringify(before)}`, () => {
    const text = `${before}\nb: "${"[".repeat(17)}${"]".repeat(17)}"`;
    expect(parseYaml(text)).toMatchObject({ kind: "error", message: "nested too deeply" });
  });
}

test("parseYaml() does not take closing brackets for room to nest in", () => {
  for (const before of ["# ", "a: x ", "a: '", 'a: "x']) {
    const text = `${before}${"]".repeat(400)}${before.slice(3, 4).trim()}\nb: ${"[".repeat(17)}${"]".repeat(17)}`;
    expect(parseYaml(text)).toMatchObject({ kind: "error", message: "nested too deeply" });
  }
});

// Neither quote opens anything: it stands inside a text.
for (const text of ["a: it 's so", 'a: x "y', "a: |\n  'y"]) {
  test(`parseYaml() takes nothing after ${JSON.stringify(text)} for a quoted text to nest in`, () => {
    const deep = `${text}\nb: ${"[".repeat(17)}${"]".repeat(17)}`;
    expect(parseYaml(deep)).toMatchObject({ kind: "error", message: "nested too deeply" });
  });
}

// The first quote opens nothing; whoever thinks so takes the inside of each later text for the outside.
test("parseYaml() counts no closing bracket of a quoted text when an apostrophe has put its quotes out of step", () => {
  const nest = `${"[".repeat(15)}' ${"]".repeat(15)} ',`;
  const text = `a: it 's\nb: ${nest.repeat(40)}${"]".repeat(600)}`;
  expect(parseYaml(text)).toMatchObject({ kind: "error", message: "nested too deeply" });
});

test("parseYaml() reads a line of text with many dashes and question marks", () => {
  for (const text of ["a - b ".repeat(20), "why? ".repeat(20)]) {
    expect(parseYaml(`description: ${text.trim()}\n`)).toMatchObject({ kind: "data" });
  }
});

// A size that the callers allow: 16 KiB of frontmatter, 64 KiB of config.
const KIB = 1024;
const nested = (mark: string, depth: number) =>
  Array.from({ length: depth }, (_, index) => " ".repeat(index) + mark).join("\n");
const wide = (mark: string, lines: number) =>
  Array.from({ length: lines }, (_, index) => " ".repeat(index * 32) + mark.repeat(16)).join("\n");
const aliases = Array.from({ length: 30 }, (_, index) => `a${index}: &a${index} [${`*a${index - 1},`.repeat(9)}]`);
const BOMBS: [what: string, text: string][] = [
  ["'? ' on one line", "? ".repeat(8 * KIB)],
  ["'? ' at the limit of each line", wide("? ", 60)],
  ["'?' on lines of their own", nested("?", 350)],
  ["'- ' at the limit of each line", wide("- ", 60)],
  ["'-' on lines of their own", nested("-", 350)],
  ["keys in keys", nested("a:", 350)],
  ["aliases of aliases", aliases.join("\n")],
  ["open flow tables", "{".repeat(16 * KIB)],
  ["open flow tables with keys", "{? {".repeat(4 * KIB)],
  ["flow lists at the limit of depth", `[${`${"[".repeat(15)}${"]".repeat(15)},`.repeat(500)}]`],
  ["closing brackets", "]".repeat(16 * KIB)],
  ["colons", ": ".repeat(8 * KIB)],
  ["anchors", "&a ".repeat(5 * KIB)],
  ["tags", "!a ".repeat(5 * KIB)],
  ["one key many times", "k: v\n".repeat(3 * KIB)],
  ["many keys", Array.from({ length: 2000 }, (_, index) => `k${index}:`).join("\n")],
  ["open quotes", '"\\'.repeat(8 * KIB)],
  ["directives", "%a\n".repeat(5 * KIB)],
];
for (const [what, text] of BOMBS) {
  test(`parseYaml() ends soon over ${what}`, () => {
    const startedAt = performance.now();
    expect(["data", "error"]).toContain(parseYaml(text).kind);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
}
