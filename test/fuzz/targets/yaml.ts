import { deepStrictEqual, ok } from "node:assert/strict";
import { locateYaml, parseYaml } from "../../../src/lib/yaml.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** A config, and the header of a skill that is not plain. */
export const target: FuzzTarget = {
  read: (input) => (parseYaml(input).kind === "data" ? locateYaml(input) : undefined),
  check(input) {
    const read = parseYaml(input);
    if (read.kind === "error") {
      ok(read.line >= 1 && read.line <= input.split("\n").length + 1, `an error in line ${read.line}`);
      ok(read.message !== "", "an error without a sentence");
      return;
    }
    const located = locateYaml(input);
    if (located !== undefined) ok(located.start >= 0 && located.end <= input.length, "it stands outside of the text");
    deepStrictEqual(parseYaml(input), read, "read twice it says something else");
  },
  words: ["a: 1\n", "- a\n", "? a\n: b\n", "&a ", "*a", "!!str ", "<<: *a\n", "|\n  a\n", ">-\n  a\n", "{a: 1}", "[1, 2]", "---\n", "...\n", "%YAML 1.1\n", "# a\n", "'a'", '"\\x41"', "~", "0o7", "0x1f", ".inf"],
  parts: ["a", ": ", "- ", "\n", "&a ", '"', "[", "  ", "k№: 1\n"],
  growth: [8192, 32_768],
}; // prettier-ignore
