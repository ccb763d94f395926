import { expect, test } from "bun:test";
import { layOutHelp } from "../../src/cli/help.ts";

// As citty renders it: names to the right, in a column as wide as the longest.
const USAGE = [
  "Find problems. (codelia check)",
  "",
  "\u001B[4mUSAGE\u001B[24m codelia check [OPTIONS] [PATH]",
  "",
  "ARGUMENTS",
  "",
  "  PATH=<PATH…>    only these paths",
  "  CLIENT=<CLIENT>    whose settings",
  "",
  "OPTIONS",
  "",
  "                                    -q, --quiet    print no warnings   ",
  "    --format=<text|json|github|sarif|checkstyle>    how to print findings, which may take many words to say",
  "                                           --fix    apply safe fixes    ",
  "",
].join("\n");

test("names stand to the left, long ones on a line of their own, and common flags last", () => {
  expect(layOutHelp(USAGE, Number.POSITIVE_INFINITY)).toBe(`Find problems. (codelia check)

USAGE codelia check [OPTIONS] [PATH]

ARGUMENTS

  PATH…        only these paths
  CLIENT       whose settings

OPTIONS

  --format=<text|json|github|sarif|checkstyle>
               how to print findings, which may take many words to say
  --fix        apply safe fixes
  -q, --quiet  print no warnings`);
});

test("on a terminal no sentence is wider, and on a narrow one all stand below the names", () => {
  const lines = (columns: number) => layOutHelp(USAGE, columns).split("\n");
  expect(lines(48).filter((line) => line.length > 48)).toEqual([]);
  expect(lines(48)).toContain("               how to print findings, which may");
  expect(lines(36)).toContain("  --fix");
  expect(lines(36)).toContain("    apply safe fixes");
});
