import { describe, expect, test } from "bun:test";
import { parseToml } from "../../src/lib/toml.ts";
import { limitParsing } from "../../src/lib/parse-limit.ts";
import { fakeWorld } from "../support/fake-world.ts";

const READ: readonly (readonly [what: string, text: string, data: unknown])[] = [
  ["an empty file", "", {}],
  ["a comment without a line break", "#", {}],
  ["a byte order mark", "\uFEFFa = 1\n", { a: 1 }],
  [
    "plain values",
    'a = 1\nb = "2"\nc = true\nd = 1.5\ne = 0x1F\nf = 1_000\n',
    { a: 1, b: "2", c: true, d: 1.5, e: 31, f: 1000 },
  ],
  ["tables and lists", "[a]\nb.c = [1, {d = 2}]\n[[a.e]]\nf = 3\n", { a: { b: { c: [1, { d: 2 }] }, e: [{ f: 3 }] } }],
  ["comments in a list", "a = [ # one\n1, # two\n2 # three\n] # four", { a: [1, 2] }],
  ["long texts", "a = \"\"\"\nx\ny\"\"\"\nb = '''x\\n'''\n", { a: "x\ny", b: "x\\n" }],
  ["a date as text", "a = 2001-01-01\nb = 2001-01-01T01:02:03Z\n", { a: "2001-01-01", b: "2001-01-01T01:02:03.000Z" }],
  ["the key of every prototype as a text", 'a = "__proto__" # __proto__\n', { a: "__proto__" }],
  ["Windows line ends", "a = 1\r\nb = 2\r\n", { a: 1, b: 2 }],
  ["64 lists in each other", `a = ${"[".repeat(63)}${"]".repeat(63)}`, expect.anything()],
];
for (const [what, text, data] of READ) {
  test(`parseToml() reads ${what}`, () => {
    expect(parseToml(text)).toEqual({ kind: "data", data });
  });
}

test("parseToml() makes tables like any other, with their prototype", () => {
  const read = parseToml("[a]\nb = [{c = 1}]\n");
  const { a } = (read as { data: { a: { b: object[] } } }).data;
  for (const table of [a, a.b[0]]) expect(Object.getPrototypeOf(table)).toBe(Object.prototype);
});

const REFUSED: readonly (readonly [what: string, text: string, line: number, message: RegExp])[] = [
  ["a comment in a list that has no end", "a=[1#", 1, /./],
  ["a comment in a table that has no end", "a={a=1#", 1, /./],
  ["the same after other lines", "# x\n\na=[1,\n#", 4, /./],
  ["a text without an end", 'a = 1\nb = "x\n', 2, /./],
  ["a long text without an end", 'a = """x\n\n', 1, /./],
  ["a key without a value", "a = 1\nb\n", 2, /./],
  ["a key that stands twice", "a = 1\nb = 2\na = 3\n", 3, /redefine/],
  ["a table that stands twice", "[a]\n[b]\n[a]\n", 3, /redefine/],
  ["the key '__proto__'", "a = 1\n__proto__.b = 1\n", 2, /'__proto__' and 'constructor' are not allowed/],
  ["the key '__proto__', escaped", '["__pro\\u0074o__".a]\nb = 1\n', 1, /not allowed/],
  ["the key '__proto__' in a table", "a = {b = {__proto__ = 1}}\n", 1, /not allowed/],
  ["the key 'constructor'", "[a]\nconstructor = 1\n", 2, /not allowed/],
  ["1000 lists in each other", `a = 1\nb = ${"[".repeat(1000)}${"]".repeat(1000)}`, 2, /^nested too deeply$/],
  ["1000 tables in each other", `a = ${"{a=".repeat(1000)}1${"}".repeat(1000)}`, 1, /^nested too deeply$/],
  ["1000 tables in each other by their keys", `${"a.".repeat(1000)}a = 1`, 1, /^nested too deeply$/],
  ["1000 tables in each other by a header", `[${"a.".repeat(1000)}a]`, 1, /^nested too deeply$/],
  ["a number that loses digits", "a = 9223372036854775807\n", 1, /losslessly/],
];
for (const [what, text, line, message] of REFUSED) {
  test(`parseToml() refuses ${what}`, () => {
    expect(parseToml(text)).toEqual({ kind: "error", line, message: expect.stringMatching(message) });
  });
}

/** Every kind of thing that TOML has. */
const EVERYTHING = `# c
a."b c".'d' = [1, 0x1F, -1, 1_0.5e3, inf, nan, true, false, # e
  "f\\u00e9\\n", 'g', """h\\
  i""", '''j''', 1979-05-27T07:32:00.5-07:00, 07:32:00, 1979-05-27, ] # k
[l.m]
n = { o = 1, p.q = [ ], "r" = { } }
[[s]]
t = 2
`;
const CHARACTERS = ["#", "[", "]", "{", "}", ",", "=", ".", '"', "'", "\\", "\n", "\r", "\0", " ", "1", "-", "_"];

describe("parseToml() ends", () => {
  test("with what was read for the sample itself", () => {
    expect(parseToml(EVERYTHING).kind).toBe("data");
  });

  test("for every text that begins like it, whatever stands at the end or is missing before", () => {
    const limited = limitParsing(fakeWorld());
    let count = 0;
    for (let end = 0; end <= EVERYTHING.length; end++) {
      const start = EVERYTHING.slice(0, end);
      const rest = EVERYTHING.slice(end);
      const texts = CHARACTERS.flatMap((character) => [start + character, start + character + rest]);
      for (const text of [start, start + rest.slice(1), ...texts]) {
        const { kind } = limited(() => parseToml(text));
        if (kind !== "data" && kind !== "error") throw new Error(`${kind}: ${JSON.stringify(text)}`);
        count++;
      }
    }
    expect(count).toBeGreaterThan(8_000);
  });
});
