import { expect, test } from "bun:test";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { GEMINI, OPENCODE, QWEN } from "./lib/clients.ts";
import { installHooks, RULED_FILES, told } from "./lib/codelia-scene.ts";
import { runGemini, runOpencode, runQwen, type OtherRun } from "./lib/other-clients.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import type { ToolUse } from "./lib/script.ts";
import { countSeen, whereSeen } from "./lib/seen.ts";

// What the models of the real Gemini CLI, Qwen Code and opencode received, with what `codelia install` registers.

const TIMEOUT_MS = 90_000;
const FILES = {
  ...RULED_FILES,
  ".agents/skills/release-notes/SKILL.md": "---\nname: release-notes\ndescription: Draft notes\n---\nText.\n",
};
const RULES = "the user overrides all.";

async function play(
  host: string,
  run: (options: OtherRun) => Promise<ClientRun>,
  uses: (tree: TempTree) => readonly ToolUse[],
  check: (run: ClientRun, tree: TempTree) => void,
): Promise<void> {
  using tree = tempTree(FILES);
  using home = tempTree();
  installHooks(host, tree, home);
  const script = { main: uses(tree).map((use) => ({ toolUses: [use] })) };
  const played = await run({ tree, home, script });
  expect({ exitCode: played.exitCode, leftBehind: played.leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
  check(played, tree);
}

test.skipIf(GEMINI.missing !== undefined)(
  "Gemini CLI: the root's text at the start, a nested file with the first touch, each once",
  () =>
    play(
      "gemini",
      runGemini,
      (tree) => [
        { name: "read_file", input: { file_path: tree.path("app/main.ts") } },
        { name: "run_shell_command", input: { command: "cat lib/one.ts", description: "Looks" } },
        { name: "read_file", input: { file_path: tree.path("lib/two.ts") } },
      ],
      (run, tree) => {
        expect(countSeen(run, RULES)).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1]);
        expect(whereSeen(run, told(tree, "app/AGENTS.md"))).toEqual(["tool tool_result"]);
      },
    ),
  TIMEOUT_MS,
);

test.skipIf(QWEN.missing !== undefined)(
  "Qwen Code: rules and skills with the first prompt, its own files not told by us, nested ones with the first touch",
  () =>
    play(
      "qwen",
      runQwen,
      (tree) => [
        { name: "read_file", input: { file_path: tree.path("app/main.ts") } },
        { name: "run_shell_command", input: { command: "cat lib/one.ts", is_background: false } },
        { name: "read_file", input: { file_path: tree.path("lib/two.ts") } },
      ],
      (run, tree) => {
        expect(countSeen(run, RULES)).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(whereSeen(run, "Rule of the root.")).toEqual(["system text"]);
        expect(countSeen(run, "release-notes/SKILL.md")).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1]);
      },
    ),
  TIMEOUT_MS,
);

test.skipIf(OPENCODE.missing !== undefined)(
  "opencode: rules and skills in the system prompt, its own files not told by us, others behind the tool's output",
  () =>
    play(
      "opencode",
      runOpencode,
      (tree) => [
        { name: "bash", input: { command: "cat app/main.ts", description: "Looks" } },
        { name: "read", input: { filePath: tree.path("lib/one.ts") } },
        { name: "bash", input: { command: "cat lib/two.ts", description: "Looks" } },
      ],
      (run, tree) => {
        expect(countSeen(run, RULES)).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, "Rule of the app.")).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        // The client brings this one with what it reads.
        expect(countSeen(run, "Rule of the lib.")).toEqual([0, 0, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 0, 0]);
      },
    ),
  TIMEOUT_MS,
);
