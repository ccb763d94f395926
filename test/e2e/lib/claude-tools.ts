import type { ToolUse } from "./script.ts";

/** The tools of Claude Code as its model calls them. Paths are absolute. */
export function read(path: string): ToolUse {
  return { name: "Read", input: { file_path: path } };
}

export function write(path: string, content = "new\n"): ToolUse {
  return { name: "Write", input: { file_path: path, content } };
}

export function edit(path: string, from: string, to: string): ToolUse {
  return { name: "Edit", input: { file_path: path, old_string: from, new_string: to } };
}

export function bash(command: string): ToolUse {
  return { name: "Bash", input: { command, description: "Looks" } };
}

/** In the foreground, which is not what the client does when it isn't told. */
export function spawn(prompt: string, type = "general-purpose"): ToolUse {
  return { name: "Agent", input: { description: "Helps", prompt, subagent_type: type, run_in_background: false } };
}
