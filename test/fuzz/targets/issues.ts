import { equal, ok } from "node:assert/strict";
import { baseBranchIn } from "../../../src/agent/issue/origin.ts";
import { statedDelay } from "../../../src/agent/engines/codex.ts";
import { parseWorktrees } from "../../../src/agent/issue/worktree.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** The text of an issue, a sentence of a service, what git says of its worktrees. */
export const target: FuzzTarget = {
  read: (input) => [baseBranchIn(input), statedDelay(input, 0), parseWorktrees(input)],
  check(input) {
    const branch = baseBranchIn(input);
    if (branch !== undefined) equal(branch, branch.trim(), "not trimmed");
    const delay = statedDelay(input, 0);
    if (delay !== undefined) ok(delay >= 0, `a delay of ${delay} ms`);
    for (const { path } of parseWorktrees(input)) ok(input.includes(path), "a path that is not there");
  },
  words: ["### Base branch\n\nmain\n", "base_branch: x", "**Base-branch**: `x`", "_No response_", "try again in 7s", "try again at 5:12 PM", "worktree /r\0branch refs/heads/a\0\0"],
  parts: ["#", "# a", " ", "\t", "\n", "a", "*", "`", ":", "base_branch", "-", "try again in ", "try again at ", "1", "\0", "worktree ", "prunable"],
  growth: [16_384, 131_072],
}; // prettier-ignore
