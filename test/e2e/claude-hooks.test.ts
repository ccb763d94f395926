import { describe, expect, test } from "bun:test";
import { tempTree } from "../support/temp-tree.ts";
import { runClaude } from "./lib/claude.ts";
import { bash, spawn } from "./lib/claude-tools.ts";
import { CLAUDE } from "./lib/clients.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { playClaude, SCENE_FILES } from "./lib/play-claude.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import type { Script } from "./lib/script.ts";
import { countSeen, findSeen, turnsOf, whereSeen } from "./lib/seen.ts";

// How Claude Code runs a hook, asserted on the real client.

interface Handler {
  readonly command: string;
  readonly args?: readonly string[];
}

/** One run with these commands as the hooks of SessionStart, whose plain stdout the model reads. */
async function start(handlers: readonly Handler[], script: Script = {}): Promise<{ run: ClientRun; root: string }> {
  using tree = tempTree(SCENE_FILES);
  const hooks = { SessionStart: [{ hooks: handlers.map((handler) => ({ type: "command", ...handler })) }] };
  return { run: await runClaude({ tree, hooks, prompt: "Go.", script }), root: tree.root };
}

const sessionOf = (run: ClientRun): string => JSON.parse(run.stdout).session_id;

describe.skipIf(CLAUDE.missing !== undefined)("Claude Code runs a hook", () => {
  test(
    "in the session's directory, with the session's id in the environment",
    async () => {
      const command = 'echo "in $PWD, $CLAUDE_PROJECT_DIR, $CLAUDE_CODE_SESSION_ID, $CLAUDECODE."';
      const { run, root } = await start([{ command }]);
      expect(countSeen(run, `in ${root}, ${root}, ${sessionOf(run)}, 1.`)).toEqual([1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "with a stdin that can't be opened by its name",
    async () => {
      const { run } = await start([{ command: "(exec 3</dev/stdin) 2>&1 || wc -c <&0 | sed 's/$/ bytes read/'" }]);
      expect(whereSeen(run, "No such device or address")).toHaveLength(1);
      expect(findSeen(run, "bytes read")[0]?.text).toMatch(/[1-9]\d* bytes read/);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "once, however often its command stands there",
    async () => {
      using tree = tempTree(SCENE_FILES);
      using home = tempTree();
      const handlers = ['echo ran >>"$HOME/log"', 'echo ran >>"$HOME/log"', 'echo ran too >>"$HOME/log"'];
      const hooks = { SessionStart: [{ hooks: handlers.map((command) => ({ type: "command", command })) }] };
      await runClaude({ tree, home, hooks, prompt: "Go." });
      expect(home.read("log").trim().split("\n").toSorted()).toEqual(["ran", "ran too"]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "without a shell where it has 'args'",
    async () => {
      const { run } = await start([{ command: "echo", args: ["$HOME is", "not expanded"] }]);
      expect(countSeen(run, "$HOME is not expanded")).toEqual([1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "of Stop again while it blocks, up to eight times, and tells its reason twice, once with the command",
    async () => {
      const { run, calls } = await playClaude({
        prompt: "Go.",
        answers: { Stop: JSON.stringify({ decision: "block", reason: "Not yet." }) },
      });
      expect(turnsOf(run)).toHaveLength(9);
      expect(calls.map(({ stop_hook_active }) => stop_hook_active)).toEqual([
        false,
        ...Array.from({ length: 8 }, () => true),
      ]);
      expect(countSeen(run, "Not yet.").slice(0, 3)).toEqual([0, 2, 4]);
      expect(countSeen(run, "Stop hook feedback:\nNot yet.").slice(0, 3)).toEqual([0, 1, 2]);
      expect(countSeen(run, "record-hook.ts").slice(0, 3)).toEqual([0, 1, 2]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "and the commands of its agents with the same session's id, and nothing that names the agent",
    async () => {
      const echo = bash('echo "session $CLAUDE_CODE_SESSION_ID."; env');
      const { run } = await start([], {
        main: [{ toolUses: [echo] }, { toolUses: [spawn("Find it.")] }],
        agents: { "Find it.": [{ toolUses: [echo] }] },
      });
      const said = `session ${sessionOf(run)}.`;
      expect([whereSeen(run, said), whereSeen(run, said, "Find it.")]).toEqual([
        ["tool tool_result"],
        ["tool tool_result"],
      ]);
      const agentId = run.requests.map(({ headers }) => headers["x-claude-code-agent-id"]).find(Boolean) ?? "none";
      expect(findSeen(run, said, "Find it.")[0]?.text).not.toContain(agentId);
    },
    TEST_TIMEOUT_MS,
  );
});
