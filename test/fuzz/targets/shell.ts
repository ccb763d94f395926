import { deepStrictEqual, equal } from "node:assert/strict";
import { normalize } from "node:path";
import { plainCommands } from "../../../src/touched/plain-command.ts";
import { commandPaths } from "../../support/command-paths.ts";
import { assertTouched, PLACE } from "../lib/touched-paths.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** Of what is longer, the two find as much as they have time for. */
const MAX_EQUAL = 2000;

/** A command line, as a model sends it. */
export const target: FuzzTarget = {
  read: (input) => commandPaths(input, PLACE),
  check(input) {
    const result = commandPaths(input, PLACE);
    assertTouched(result?.paths ?? []);
    if (result?.cwdAfter !== undefined) equal(normalize(result.cwdAfter), result.cwdAfter);
    const isPlain = input.length <= MAX_EQUAL && plainCommands(input) !== undefined;
    if (isPlain) deepStrictEqual(result, commandPaths(`{ :\n${input}\n}`, PLACE), "the grammar says something else");
  },
  words: ["cd ", "src/a.ts", "<<EOF\n", "<<'E'\n", "\nEOF\n", "\nE\n", "$(", "$((", "${x:-", "${x[@]}", "${x/", "for x in a b; do ", "done;", "'", '"', "|", "&&", "||", ">", "2>&1", "<", "<(", "bash -c ", "xargs ", "{a,b}", "~/", "../", "f() ", "[[ ", "]]", "case x in a) ", "esac"],
  parts: ["a ", "\n", ";", "|", "(", ")", "{", "'", '"', "`", "${", "$(", "<<E\n", "\\", ",", "for x in ", "${a:", "}", "$((", "<(", "f() "],
  growth: [8192, 32_768],
}; // prettier-ignore
