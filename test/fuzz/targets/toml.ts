import { equal, ok } from "node:assert/strict";
import { parseToml } from "../../../src/lib/toml.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** A config of a clone's, and of Codex's. */
export const target: FuzzTarget = {
  read: parseToml,
  check(input) {
    const read = parseToml(input);
    if (read.kind === "error") {
      ok(read.line >= 1 && read.line <= input.split("\n").length + 1, `an error in line ${read.line}`);
      ok(read.message !== "", "an error without a sentence");
      return;
    }
    equal(Object.getPrototypeOf(read.data), Object.prototype, "data with a prototype of its own");
    equal(JSON.stringify(read.data)?.includes('"__proto__":'), false, "a name that is a prototype's");
  },
  words: ["a = 1\n", "[a]\n", "[[a]]\n", '"""', "'''", "= [", "]", "= {", "}", "a.b", "1979-05-27T07:32:00Z", "1e3", "0x1F", "inf", "nan", "true", "#", "\\u0041"],
  parts: ["1", "a=", "[", "{", "#", '"', "'", "\n", ",", "№=1\n", "[t№]\n"],
  frames: [["", ""], ["a=[", "]\n"], ["a=[", ""]],
  growth: [16_384, 65_536],
}; // prettier-ignore
