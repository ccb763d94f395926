import { deepStrictEqual, ok } from "node:assert/strict";
import type { Client, ClientEvent } from "../../../src/clients/client.ts";
import { pathsOfToolUse } from "../../../src/touched/with-grammar.ts";
import { pathsOfPrompt } from "../../../src/touched/prompt.ts";
import { isTable } from "../../../src/lib/table.ts";
import { clientNames, loadClient } from "../../../src/clients/registry.ts";
import type { FuzzTarget } from "../lib/target.ts";
import { assertTouched, PLACE } from "../lib/touched-paths.ts";

const CLIENTS = await Promise.all(clientNames().map(async (name) => (await loadClient(name))!));
/** They give a text in the same form. */
const ALIKE = new Set(["claude", "codex"]);

function eventsOf(input: string): { readonly client: Client; readonly event: ClientEvent }[] {
  const value = parsed(input);
  if (!isTable(value)) return [];
  return CLIENTS.flatMap((client) => {
    const event = client.readEvent(value);
    return event === undefined ? [] : [{ client, event }];
  });
}

function pathsOf({ cwd, what }: ClientEvent) {
  const { home } = PLACE;
  if (what.kind === "prompt") return pathsOfPrompt(what.text, cwd, home);
  if (what.kind !== "before-tool" && what.kind !== "after-tool" && what.kind !== "tool") return [];
  return pathsOfToolUse({ tool: what.tool, input: what.input, cwd, home });
}

/** What a client writes to a hook's standard input. */
export const target: FuzzTarget = {
  read: (input) => eventsOf(input).map(({ event }) => pathsOf(event)),
  check(input) {
    for (const { client, event } of eventsOf(input)) {
      for (const text of [event.name, event.session, event.context, event.cwd]) {
        ok(typeof text === "string" && text !== "", "an event without a name, session, context or directory");
      }
      // A relative directory has no place to start from but this process's own.
      if (event.cwd.startsWith("/")) assertTouched(pathsOf(event));
      const said = client.tell(event, input);
      const answer = { hookSpecificOutput: { hookEventName: event.name, additionalContext: input } };
      ok(said.indexOf("\n") === said.length - 1, "an answer of more than one line");
      const isAlike = ALIKE.has(client.name);
      if (isAlike) deepStrictEqual(JSON.parse(said), JSON.parse(JSON.stringify(answer)), "an answer that says something else");
      else ok(isTable(JSON.parse(said)), "an answer that is no JSON object");
    }
  },
  words: ['"hook_event_name":"', '"session_id":"', '"tool_name":"', '"tool_input":{', '"agent_id":"a"', '"cwd":"/r"', '"PreToolUse"', '"PostToolUse"', '"UserPromptSubmit"', '"SessionStart"', '"SubagentStart"', '"SubagentStop"', '"PostCompact"', '"SessionEnd"', '"command":"cat a"', '"file_path":"a"', "@src/a.ts", "[", "]", "{", "}", ",", '"Bash"', '"Read"', '"Grep"', '"Glob"', '"pattern":"a/**"', '"apply_patch"', '"hookName":"PostToolUse"', '"taskId":"t"', '"workspaceRoots":["/r"]', '"postToolUse":{"toolName":"execute_command","parameters":{"commands":"[]"}}', '"postToolUse"', '"AfterTool"', '"BeforeAgent"', '"event":"tool.execute.after"', '"sessionID":"s"', '"directory":"/r"', '"tool":"bash"', '"args":{'],
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
