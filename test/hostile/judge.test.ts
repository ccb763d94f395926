import { expect, test } from "bun:test";
import type { RunResult } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";
import { treeEntries } from "../support/tree-entries.ts";
import { COMMANDS } from "./lib/commands.ts";
import { EVIDENCE, SECRET, type CommandName, type Expected } from "./lib/hostile-case.ts";
import { judge } from "./lib/judge.ts";
import { judgeTree } from "./lib/play-case.ts";

// The judge of the hostile cases finds what it is there to find.

const FINE: RunResult = { stdout: "", stderr: "", exitCode: 0 };
const hookSays = (text: string) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: text } });

const FAULTS: readonly (readonly [
  what: string,
  command: CommandName,
  result: Partial<RunResult>,
  expected?: Expected,
])[] = [
  ["an exit code that blocks", "hook claude, tool", { exitCode: 2 }],
  ["an internal error", "resolve", { stderr: "codelia: internal error, please report it: x\n" }],
  ["a secret", "resolve", { stdout: SECRET }],
  ["a secret on standard error", "resolve", { stderr: SECRET }],
  ["a hook that speaks on standard error", "hook codex, tool", { stderr: "codelia: warning: x\n" }],
  ["a hook's answer that is no JSON", "hook claude, tool", { stdout: "x" }],
  [
    "a hook's answer with another field",
    "hook claude, tool",
    { stdout: '{"decision":"block","hookSpecificOutput":{}}' },
  ],
  ["a bidi character", "skills list", { stdout: "<skills_list>\u202E</skills_list>" }],
  ["an escape sequence on standard error", "config", { stderr: "\u001B[31m" }],
  ["an unseen character in a hook's answer", "hook claude, tool", { stdout: hookSays("a\u200Bb") }],
  ["a tag that is not closed", "init-context", { stdout: "<agents_usage>" }],
  ["more than anyone reads", "inspect", { stdout: "x".repeat(5 * 1024 * 1024) }],
  ["what is not said", "config", { stderr: "x" }, { says: /y/ }],
  ["what is not shown", "hook claude, tool", { stdout: hookSays("x") }, { shows: ["y"] }],
  ["what is shown", "resolve", { stdout: "x" }, { hides: ["x"] }],
  ["an exit code that is not the one of the case", "config", { exitCode: 0 }, { exit: 3 }],
];

for (const [what, name, result, expected = {}] of FAULTS) {
  test(`judge() finds ${what}`, () => {
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (command === undefined) throw new Error(`no command '${name}'`);
    expect(judge(command, {}, FINE)).toEqual([]);
    expect(judge(command, expected, { ...FINE, ...result })).toHaveLength(1);
  });
}

test("judgeTree() finds what was made, changed or removed outside our own places, and code that was run", () => {
  using tree = tempTree({ "repo/kept": "x", "repo/changed": "x", "repo/gone": "x" });
  const before = treeEntries(tree.root);
  expect(judgeTree(tree, before)).toEqual([]);
  tree.write("repo/changed", "other");
  tree.write("repo/made", "");
  tree.write(`home/.cache/codelia/${EVIDENCE}`, "");
  tree.write("repo/.codelia/session.json", "{}");
  tree.remove("repo/gone");
  const faults = judgeTree(tree, before);
  expect(faults.filter((fault) => fault.includes("'repo/")).map((fault) => fault.split("'")[1])).toEqual([
    "repo/changed",
    "repo/made",
    "repo/gone",
  ]);
  expect(faults).toContain(`code was run: 'home/.cache/codelia/${EVIDENCE}'`);
});
