import { expect, test } from "bun:test";
import fc from "fast-check";
import { readUsualHeader, readPlainHeader, factsOfYaml, parseHeader } from "../../src/skills/header.ts";
import { checkHeader } from "../../src/skills/header-rules.ts";
import { parseYaml } from "../../src/lib/yaml.ts";
import { SkillFrontmatterSchema } from "../../src/skills/schema.ts";

const RUNS = { numRuns: 3000 };

const oddPieces = [
  ": ", ":", " #", "#", " ", "  ", "\t", "-", "- ", "---", "...", "?", "? ", "!", "!!str ", "&a ", "*a", "|", ">", ">-",
  "'", '"', "''", "\\n", "[", "]", "{", "}", ",", "%", "@", "`", "~", "null", "Null", "true", "no", "y", "on", "0x1F", "0o17",
  "017", "1_000", "1.0", "1.0.0", "-1", "+1", ".5", "1e3", "1.", ".inf", "-.INF", ".NaN", "2024-01-01", "12:30", "<<", "=",
  "\r", "\n", "\r\n", "\n  ", "\u0085", "\u00A0", "\u2028", "\u2029", "\uFEFF", "\u0000", "\u001B", "\u007F", "日本", "é", "😀",
  "https://x.y/z?a=b#c", "Use when: x", "Bash(git:*)",
]; // prettier-ignore

const keys = fc.oneof(
  { weight: 12, arbitrary: fc.stringMatching(/^[a-z][a-z0-9_-]{0,9}$/) },
  { weight: 1, arbitrary: fc.constantFrom("true", "NULL", "y", "__proto__", "constructor", "<<", "1", "a b", "é", "") },
);
const words = fc.stringMatching(/^[A-Za-z0-9.,()_/-]{1,8}( [a-z]{1,8}){0,3}$/);
const odd = fc.oneof(fc.constantFrom(...oddPieces), fc.stringMatching(/^[ -~]{1,3}$/), fc.string({ unit: "binary" }));
const values = fc.oneof(
  words,
  odd,
  fc.tuple(words, odd).map(([left, right]) => left + right),
  fc.tuple(odd, words).map(([left, right]) => left + right),
  fc.tuple(words, odd, words).map((pieces) => pieces.join("")),
);
const separators = fc.oneof(
  { weight: 15, arbitrary: fc.constant(": ") },
  { weight: 1, arbitrary: fc.constantFrom(":   ", ":", ":\t", " : ") },
);
const headers = fc
  .array(fc.tuple(keys, separators, values), { minLength: 1, maxLength: 3 })
  .chain((lines) => fc.constantFrom("\n", "\r\n", "\n\n").map((end) => lines.map((line) => line.join("")).join(end)));

test("readPlainHeader() gives what the YAML parser gives when it accepts a header", () => {
  let accepted = 0;
  fc.assert(
    fc.property(headers, (header) => {
      const plain = readPlainHeader(header);
      if (plain === undefined) return;
      accepted++;
      expect(parseYaml(header)).toEqual({ kind: "data", data: plain });
    }),
    RUNS,
  );
  expect(accepted).toBeGreaterThan(RUNS.numRuns / 50);
});

const optional = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom("", "x".repeat(500), "x".repeat(501)),
  fc.constantFrom(null, 1, true, [], {}, undefined),
);
const frontmatter = fc.record(
  {
    name: fc.oneof(
      fc.constantFrom("a", "a-b", "a--b", "-a", "a-", "A", "a".repeat(64), "a".repeat(65), "", "é", "a\n", 1, null),
      fc.stringMatching(/^[a-z0-9-]{1,6}$/),
    ),
    description: fc.oneof(
      fc.constantFrom("d", "", " ", "\n", "d".repeat(1024), "d".repeat(1025), ` ${"d".repeat(1024)}\n`, 1, null, []),
      fc.string(),
    ),
    version: optional,
    license: optional,
    compatibility: optional,
    "allowed-tools": optional,
    metadata: fc.oneof(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constantFrom(1, null))), optional),
    other: fc.anything(),
  },
  { requiredKeys: [] },
);

test("checkHeader() finds no defect in what SkillFrontmatterSchema accepts, and in nothing else", () => {
  fc.assert(
    fc.property(fc.oneof(frontmatter, fc.anything()), (data) => {
      const parsed = SkillFrontmatterSchema.safeParse(data);
      const facts = checkHeader(data, () => 1);
      expect(facts.defects.length === 0).toBe(parsed.success);
      if (!parsed.success) return;
      expect([facts.name, facts.description]).toEqual([parsed.data.name, parsed.data.description]);
    }),
    RUNS,
  );
});

test("parseHeader() gives what the YAML parser alone would give", () => {
  fc.assert(
    fc.property(headers, (header) => {
      const read = parseHeader(`---\n${header}\n---\n`, true);
      // What holds the mark of a header's end is another header.
      if (read.kind !== "facts" || /^---[ \t]*$/m.test(header)) return;
      expect(read.facts).toEqual(factsOfYaml(header, parseYaml(header)));
    }),
    RUNS,
  );
});

const quickLines = fc
  .tuple(
    fc.oneof(fc.constantFrom("repo-review", "falsey"), values),
    fc.oneof(fc.constant("Reviews a pull request, file by file (all)"), values),
    fc.constantFrom([], [], [], ["license: MIT"], [""], ["name: other"], ["# x"], [" name: x"]),
    fc.boolean(),
  )
  .map(([name, description, more, isSwapped]) => {
    const lines = [`name: ${name}`, `description: ${description}`].concat(more);
    return isSwapped ? lines.toReversed() : lines;
  });

test.each(["\u1680", "\u2003", "\u202F", "\u205F", "\u3000"])(
  "readUsualHeader() leaves a description that ends in a space of another script to the slower reader: %j",
  (space) => {
    const header = (description: string) => `---\nname: repo-review\ndescription: ${description}\n---\n`;
    expect(readUsualHeader(header(`Reviews${space}all`))).toBeDefined();
    expect(readUsualHeader(header(`Reviews all${space}`))).toBeUndefined();
  },
);

const edges: [what: string, name: string, description: string, isQuick: boolean][] = [
  ["the shortest name", "abcde6", "Reviews", true],
  ["a name that could be a word of YAML", "false", "Reviews", false],
  ["the longest name", "a".repeat(64), "Reviews", true],
  ["a name too long", "a".repeat(65), "Reviews", false],
  ["two hyphens", "repo--review", "Reviews", false],
  ["a hyphen at the end", "repo-review-", "Reviews", false],
  ["the shortest description", "repo-review", "abcde6", true],
  ["a description that could be a word of YAML", "repo-review", "False", false],
  ["the longest description", "repo-review", "d".repeat(1024), true],
  ["a description too long", "repo-review", "d".repeat(1025), false],
  ["a blank at the end", "repo-review", "Reviews all ", false],
];
test.each(edges)("readUsualHeader() knows its edges: %s", (_, name, description, isQuick) => {
  const text = `---\nname: ${name}\ndescription: ${description}\n---\n`;
  expect(readUsualHeader(text)).toEqual(isQuick ? { name, nameLine: 2, description, defects: [] } : undefined);
  if (isQuick) expect(parseHeader(text, true)).toMatchObject({ facts: { name, description, defects: [] } });
});

test("readUsualHeader() gives what the slower reader gives when it accepts a file", () => {
  let accepted = 0;
  fc.assert(
    fc.property(quickLines, fc.constantFrom("", "\n", "body\n---\n"), (lines, body) => {
      const text = `---\n${lines.map((line) => `${line}\n`).join("")}---\n${body}`;
      const quick = readUsualHeader(text);
      if (quick === undefined) return;
      accepted++;
      expect(parseHeader(text, true)).toEqual({ kind: "facts", facts: quick });
    }),
    RUNS,
  );
  expect(accepted).toBeGreaterThan(RUNS.numRuns / 50);
});
