import { equal } from "node:assert/strict";
import { unifiedDiff } from "../../../src/lib/diff.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** What stands before this is the file as it was. */
const BETWEEN = "\u001F";

function halves(input: string): [before: string, after: string] {
  const at = input.indexOf(BETWEEN);
  // Without it, what changes is at both ends.
  return at < 0 ? [`a\n${input}`, `${input}\nb`] : [input.slice(0, at), input.slice(at + 1)];
}

/** What a command would change in a file, as a diff. */
export const target: FuzzTarget = {
  read(input) {
    const [before, after] = halves(input);
    return unifiedDiff("/r/a", { before, after });
  },
  check(input) {
    const [before, after] = halves(input);
    const diff = unifiedDiff("/r/a", { before, after });
    equal(diff === "", before === after, "a diff of what is the same, or none of what is not");
    equal(applied(before, diff), after, "what the diff says is something else");
  },
  words: ["a\n", "b\n", BETWEEN, "+\n", "-\n", "@@ -1 +1 @@\n", "\\ No newline at end of file\n"],
  parts: ["a\n", "\n", "l№\n", "a", "№", "\r\n", BETWEEN, " ", "+", "-"],
  growth: [65_536, 262_144],
};

/** A small reader of what the writer writes. */
function applied(before: string, diff: string): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let [result, at, mark] = ["", 0, ""];
  for (const line of diff.match(/[^\n]*\n/g)?.slice(2) ?? []) {
    const start = /^@@ -(\d+),(\d+) /.exec(line);
    if (start !== null) {
      const until = Number(start[1]) - (start[2] === "0" ? 0 : 1);
      while (at < until) result += lines[at++];
    } else if (line.startsWith("\\")) {
      // No newline stands at the end of the line before, which may be one that is gone.
      if (mark !== "-") result = result.slice(0, -1);
    } else {
      [mark = ""] = line;
      if (mark !== "-") result += line.slice(1);
      if (mark !== "+") at++;
    }
  }
  return result + lines.slice(at).join("");
}
