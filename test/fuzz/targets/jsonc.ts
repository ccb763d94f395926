import { deepStrictEqual, ok } from "node:assert/strict";
import type { Located } from "../../../src/lib/edit/located.ts";
import { locateJsonc, parseJsonc } from "../../../src/lib/jsonc.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** Configs, settings of clients, agent definitions: JSON with comments. */
export const target: FuzzTarget = {
  read: (input) => [parseJsonc(input), locateJsonc(input)],
  check(input) {
    const read = parseJsonc(input);
    const located = locateJsonc(input);
    if (read.kind === "data" && located !== undefined) checkPlaces(located, 0, input.length);
    if (read.kind === "error") {
      const lines = input.split("\n");
      ok(read.line >= 1 && read.line <= lines.length, `an error in line ${read.line}`);
      ok(read.column >= 1 && read.column <= (lines[read.line - 1]?.length ?? 0) + 1, `an error in column ${read.column}`);
      return;
    }
    const plain = parsed(input);
    if (plain !== undefined) deepStrictEqual(read.data, plain, "a reader of plain JSON says something else");
  },
  words: ['{"a":1}', "[1,2]", "//", "/*", "*/", '"__proto__":', '"a":', "\\u0041", "1e3", "-0", "null", "true", ",", "]", "}"],
  parts: ["{", "[", "]", '"a":', ",", "//", "/*", '"', "\\", "1", "\n", '"k№":1,', "a"],
  frames: [["", ""], ["[", "]"], ['{"a":[', "]}"]],
  growth: [16_384, 65_536],
}; // prettier-ignore

/** Inside what they stand in, and in their order. */
function checkPlaces(located: Located, start: number, end: number): void {
  ok(located.start >= start && located.end <= end && located.start <= located.end, "a part that stands outside of its whole");
  const parts = located.kind === "list" ? located.items : located.kind === "table" ? located.entries.map(({ value }) => value) : [];
  let before = located.start;
  for (const part of parts) {
    checkPlaces(part, before, located.end);
    before = part.end;
  }
} // prettier-ignore

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
