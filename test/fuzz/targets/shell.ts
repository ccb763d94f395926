import { deepStrictEqual, equal } from "node:assert/strict";
import { normalize } from "node:path";
import { commandPaths } from "../../../src/core/paths/command-paths.ts";
import { plainCommands } from "../../../src/core/paths/plain-commands.ts";
import { MAX_STEPS, parseShell } from "../../../src/core/paths/shell-words.ts";
import { asPlain } from "../../support/plain-steps.ts";
import { assertTouched, PLACE } from "../lib/touched-paths.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** A command line, as a model sends it. */
export const target: FuzzTarget = {
  read: (input) => commandPaths(input, PLACE),
  check(input) {
    const result = commandPaths(input, PLACE);
    assertTouched(result?.paths ?? []);
    if (result?.cwdAfter !== undefined) equal(normalize(result.cwdAfter), result.cwdAfter);
    const quick = plainCommands(input);
    // Of more steps than that the grammar reads none.
    const isShort = input.length <= MAX_STEPS;
    if (quick !== undefined && isShort) deepStrictEqual(quick, asPlain(parseShell(input)), "the grammar says something else");
  },
  words: ["cd ", "src/a.ts", "<<EOF\n", "\nEOF\n", "$(", "${x:-", "${x[@]}", "for x in a b; do ", "done;", "'", '"', "|", "&&", "||", ">", "<", "bash -c ", "xargs ", "{a,b}", "~/", "../"],
  growth: [8192, 32_768],
}; // prettier-ignore
