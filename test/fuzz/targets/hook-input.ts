import { deepStrictEqual, ok } from "node:assert/strict";
import type { Host, HostEvent } from "../../../src/core/hooks/host.ts";
import { pathsOfToolUse } from "../../../src/core/paths/tool-use-paths.ts";
import { pathsOfPrompt } from "../../../src/core/paths/prompt-paths.ts";
import { isTable } from "../../../src/core/table.ts";
import { host as claude } from "../../../src/hosts/claude.ts";
import { host as codex } from "../../../src/hosts/codex.ts";
import type { FuzzTarget } from "../lib/target.ts";
import { assertTouched, PLACE } from "../lib/touched-paths.ts";

const HOSTS: readonly Host[] = [claude, codex];

function eventsOf(input: string): HostEvent[] {
  const value = parsed(input);
  if (!isTable(value)) return [];
  return HOSTS.flatMap((host) => host.readEvent(value) ?? []);
}

function pathsOf({ cwd, what }: HostEvent) {
  const { home } = PLACE;
  if (what.kind === "prompt") return pathsOfPrompt(what.text, cwd, home);
  if (what.kind !== "before-tool" && what.kind !== "after-tool") return [];
  return pathsOfToolUse({ tool: what.tool, input: what.input, cwd, home });
}

/** What a host writes to a hook's standard input. */
export const target: FuzzTarget = {
  read: (input) => eventsOf(input).map(pathsOf),
  check(input) {
    for (const [index, event] of eventsOf(input).entries()) {
      for (const text of [event.name, event.session, event.context, event.cwd]) {
        ok(typeof text === "string" && text !== "", "an event without a name, session, context or directory");
      }
      // A relative directory has no place to start from but this process's own.
      if (event.cwd.startsWith("/")) assertTouched(pathsOf(event));
      const said = (HOSTS[index] as Host).tell(event, input);
      const answer = { hookSpecificOutput: { hookEventName: event.name, additionalContext: input } };
      ok(said.indexOf("\n") === said.length - 1, "an answer of more than one line");
      deepStrictEqual(JSON.parse(said), JSON.parse(JSON.stringify(answer)), "an answer that says something else");
    }
  },
  words: ['"hook_event_name":"', '"session_id":"', '"tool_name":"', '"tool_input":{', '"agent_id":"a"', '"cwd":"/r"', '"PreToolUse"', '"PostToolUse"', '"UserPromptSubmit"', '"SessionStart"', '"SubagentStart"', '"SubagentStop"', '"PostCompact"', '"SessionEnd"', '"command":"cat a"', '"file_path":"a"', "@src/a.ts", "[", "]", "{", "}", ",", '"Bash"', '"Read"', '"Grep"', '"Glob"', '"pattern":"a/**"', '"apply_patch"'],
  parts: ["@a ", "a/", '","', "[", "{", "}", "*", "..", " ", "\\n", "(@", "]"],
  frames: [
    ['{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/r","tool_name":"Bash","tool_input":{"command":"', '"}}'],
    ['{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/r","tool_name":"mcp__a__b","tool_input":{"paths":["', '"]}}'],
    ['{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/r","tool_name":"Glob","tool_input":{"pattern":"', '"}}'],
    ['{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/r","prompt":"', '"}'],
  ],
  growth: [16_384, 65_536],
}; // prettier-ignore

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
