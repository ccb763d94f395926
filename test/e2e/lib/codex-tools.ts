import type { ToolUse } from "./script.ts";

/** How a Codex model calls its tools: directly, or from JavaScript (code mode). Paths may be relative. */
export interface CodexTools {
  readonly run: (command: string, workdir?: string) => ToolUse;
  /** Several commands at once. */
  readonly runAll: (commands: readonly string[]) => readonly ToolUse[];
  readonly patch: (patch: string) => ToolUse;
  readonly spawn: (message: string) => ToolUse;
  /** Until a sub-agent has something to say; the argument is what `spawn` has answered. */
  readonly wait: (spawned: string) => ToolUse;
}

const WAIT_MS = 10_000;

export const DIRECT_TOOLS: CodexTools = {
  run: (cmd, workdir) => ({ name: "exec_command", input: { cmd, ...(workdir && { workdir }) } }),
  runAll: (commands) => commands.map((command) => DIRECT_TOOLS.run(command)),
  patch: (input) => ({ name: "apply_patch", input }),
  spawn: (message) => ({ namespace: "multi_agent_v1", name: "spawn_agent", input: { message } }),
  wait: (spawned) => {
    const targets = [JSON.parse(spawned).agent_id];
    return { namespace: "multi_agent_v1", name: "wait_agent", input: { targets, timeout_ms: WAIT_MS } };
  },
};

export const CODE_MODE_TOOLS: CodexTools = {
  run: (cmd, workdir) => code(`text((await tools.exec_command(${JSON.stringify({ cmd, workdir })})).output)`),
  runAll: (commands) => [
    code(`const run = (cmd) => tools.exec_command({ cmd });
for (const { output } of await Promise.all(${JSON.stringify(commands)}.map(run))) text(output);`),
  ],
  patch: (input) => code(`text(await tools.apply_patch(${JSON.stringify(input)}))`),
  spawn: (message) => {
    const input = { message, task_name: "helper", fork_turns: "none" };
    return { namespace: "collaboration", name: "spawn_agent", input };
  },
  wait: () => ({ namespace: "collaboration", name: "wait_agent", input: { timeout_ms: WAIT_MS } }),
};

/** A patch that adds one file. */
export function addFile(path: string, line = "new"): string {
  return `*** Begin Patch\n*** Add File: ${path}\n+${line}\n*** End Patch\n`;
}

function code(input: string): ToolUse {
  return { name: "exec", input };
}
