import { equal, ok } from "node:assert/strict";
import { isPatch, patchPaths } from "../../../src/touched/patch.ts";
import { pathsOfToolUse } from "../../../src/touched/with-grammar.ts";
import { assertTouched, PLACE } from "../lib/touched-paths.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** An envelope of apply_patch, or a unified diff; alone, and in a shell's heredoc. */
export const target: FuzzTarget = {
  read: (input) => [patchPaths(input), pathsOfToolUse({ tool: "apply_patch", input: { input }, ...PLACE })],
  check(input) {
    const paths = patchPaths(input);
    ok(paths.length <= 512 + 1, `${paths.length} paths`);
    for (const { path, access } of paths) {
      ok(path !== "" && !path.includes("\n"), `no path: ${JSON.stringify(path)}`);
      ok(input.includes(path), "a path that the patch does not name");
      ok(access === "read" || access === "write", access);
    }
    equal(typeof isPatch(input), "boolean");
    for (const use of [input, { input }, { command: ["apply_patch", input] }, { patchText: input }]) {
      assertTouched(pathsOfToolUse({ tool: "apply_patch", input: use, ...PLACE }));
    }
    assertTouched(pathsOfToolUse({ tool: "shell", input: { command: ["apply_patch", input] }, ...PLACE }));
    const heredoc = `cd sub && apply_patch <<'EOF'\n${input}\nEOF\n`;
    assertTouched(pathsOfToolUse({ tool: "Bash", input: { command: heredoc }, ...PLACE }));
  },
  words: ["*** Begin Patch\n", "*** Add File: a/b.ts\n", "\n*** End Patch\n", "--- a/x\n+++ b/x\n", "@@ -1,2 +3,4 @@\n", "diff --git a/x b/x\n", "rename from ", '"a/\\303\\251"'],
  parts: ["*** Begin Patch\n", "*** Add File: ", "--- a/", "+++ b/", "\n", "@@ -1,9999 +1,9999 @@\n", "diff --git ", "a", "/", " ", "+", "-", '"', "\\", "\t", "rename from №\n", "1"],
  growth: [16_384, 65_536],
}; // prettier-ignore
