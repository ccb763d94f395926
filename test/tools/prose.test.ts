import { expect, test } from "bun:test";
import { mistakeFinder } from "../../.tools/prose/find-mistakes.mjs";
import { REPOSITORY } from "../support/run-codelia.ts";

const find = mistakeFinder(REPOSITORY);

test.each<[what: string, file: string, text: string, mistakes: string[]]>([
  ["a misspelled word", "a.md", "One.\n\nIt is neccessary.\n", ["a.md:3: 'neccessary' is not in the dictionary"]],
  ["a wrong article", "a.md", "This is an file.\n", ["a.md:1: Unexpected article `an` before `file`, expected `a`"]],
  ["a repeated word", "a.md", "Read the the file.\n", ["a.md:1: Unexpected repeated `the`, remove one occurrence"]],
  ["a phrase over two lines", "a.md", "- Do it in\n  order to win.\n", ["a.md:1: 'in order to': rather 'to'"]],
  [
    "a phrase in a comment",
    "a.ts",
    "/**\n * Findings as\n * grave as\n */\n",
    ["a.ts:2: 'as grave as': rather 'of this severity'"],
  ],
  [
    "a phrase in code of the manual",
    "a.md",
    "```console\n$ x # prior to y\n```\n",
    ["a.md:2: 'prior to': rather 'before'"],
  ],
  [
    "what a schema describes",
    "a.json",
    '{\n  "description": "the seconnd",\n  "const": "wrogn"\n}\n',
    ["a.json:2: 'seconnd' is not in the dictionary"],
  ],
  [
    "no code, address or name",
    "a.md",
    "Run `wrogn`, [see](wrogn.md) <br> SIGWROGN in wrogn.ts.\n\n~~~\nwrogn\n~~~\n",
    [],
  ],
  ["no word in source code", "a.ts", "const wrogn = 1;\n", []],
  ["our own words", "a.md", "Does codelia's config name the monorepo?\n", []],
])("npm run prose finds %s", (_what, file, text, mistakes) => {
  expect(find(file, text)).toEqual(mistakes);
});
