import { fits } from "../../src/clients/events.ts";
import { describe, expect, test } from "bun:test";
import { loadClient, loadSettings } from "../../src/clients/registry.ts";

const claude = (await loadClient("claude"))!;
const codex = (await loadClient("codex"))!;
const SETTINGS = await loadSettings();

const COMMON = { session_id: "s", cwd: "/r", transcript_path: "/t", permission_mode: "default", new_field: { x: 1 } };
const SUB = { agent_id: "a1", agent_type: "general-purpose" };

const events: [what: string, fields: Record<string, unknown>, kind: unknown, context?: string][] = [
  ["a start", { hook_event_name: "SessionStart", source: "startup" }, { kind: "begin", inherits: false }],
  ["a start after /clear", { hook_event_name: "SessionStart", source: "clear" }, { kind: "begin", inherits: false }],
  ["a compaction", { hook_event_name: "SessionStart", source: "compact" }, { kind: "begin", inherits: false }],
  ["a forked session", { hook_event_name: "SessionStart", source: "fork" }, { kind: "begin", inherits: false }],
  ["a resume", { hook_event_name: "SessionStart", source: "resume" }, { kind: "resume" }],
  ["a sub-agent", { hook_event_name: "SubagentStart", ...SUB }, { kind: "begin", inherits: false }, "a1"],
  ["a compacted sub-agent", { hook_event_name: "PostCompact", ...SUB }, { kind: "forget" }, "a1"],
  ["a prompt", { hook_event_name: "UserPromptSubmit", prompt: "hi" }, { kind: "prompt", text: "hi" }],
  [
    "a tool",
    { hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: "/r/x" } },
    { kind: "before-tool", tool: "Read", input: { file_path: "/r/x" } },
  ],
  [
    "a sub-agent's tool",
    { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "ls" }, ...SUB },
    { kind: "after-tool", tool: "Bash", input: { command: "ls" } },
    "a1",
  ],
  ["a tool without input", { hook_event_name: "PreToolUse" }, { kind: "before-tool", tool: "", input: undefined }],
  [
    "the end of an answer",
    { hook_event_name: "Stop", last_assistant_message: "Done.", stop_hook_active: false },
    { kind: "stop", message: "Done.", isContinued: false },
    "main",
  ],
  [
    "the end of an answer that a hook asked for, and that says nothing",
    { hook_event_name: "Stop", last_assistant_message: null, stop_hook_active: true },
    { kind: "stop", message: "", isContinued: true },
    "main",
  ],
  ["a sub-agent's end", { hook_event_name: "SubagentStop", ...SUB }, { kind: "end-of-context" }, "a1"],
  ["a session's end", { hook_event_name: "SessionEnd", reason: "exit" }, { kind: "end-of-session" }],
];

for (const client of [claude, codex]) {
  describe(`events of ${client.name}`, () => {
    for (const [what, fields, kind, context = "main"] of events) {
      test(what, () => {
        // It comes behind the `SessionStart` of the same compaction.
        const isSilent = client === claude && fields["hook_event_name"] === "PostCompact";
        if (isSilent) return expect(client.readEvent({ ...COMMON, ...fields })).toBeUndefined();
        expect(client.readEvent({ ...COMMON, ...fields })).toEqual({
          name: fields["hook_event_name"] as string,
          session: "s",
          context,
          cwd: "/r",
          what: kind as never,
          ...(client === claude && { transcript: "/t" }),
          ...("source" in fields && { cause: fields["source"] as string }),
        });
      });
    }

    const silent: Record<string, unknown>[] = [
      { hook_event_name: "Notification" },
      { hook_event_name: "PostCompact" },
      { hook_event_name: "SubagentStop" },
      { hook_event_name: "Stop", ...SUB },
      { hook_event_name: "SessionStart", session_id: "" },
      { hook_event_name: "SessionStart", session_id: 7 },
      { hook_event_name: "SessionStart", cwd: undefined },
      { hook_event_name: ["SessionStart"] },
      {},
    ];
    for (const fields of silent) {
      test(`none: ${JSON.stringify(fields)}`, () => expect(client.readEvent({ ...COMMON, ...fields })).toBeUndefined());
    }

    test("the answer that has the model go on has nothing else in it", () => {
      expect(JSON.parse(client.continuation?.answer('a "b"\n') ?? "")).toEqual({
        decision: "block",
        reason: 'a "b"\n',
      });
    });

    test("an answer names its event and has nothing else in it", () => {
      const event = client.readEvent({ ...COMMON, hook_event_name: "PreToolUse" });
      if (event === undefined) throw new Error("no event");
      expect(JSON.parse(client.tell(event, 'a "b"\n'))).toEqual({
        hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: 'a "b"\n' },
      });
    });
  });
}

test("the limit of Claude Code counts UTF-16 units, that of Codex bytes", () => {
  expect([fits(claude, "x".repeat(10_000)), fits(claude, "x".repeat(10_001))]).toEqual([true, false]);
  expect([fits(claude, "日".repeat(10_000)), fits(codex, "日".repeat(3_334))]).toEqual([true, false]);
  expect([fits(codex, "日".repeat(3_333)), fits(codex, "x".repeat(10_001))]).toEqual([true, false]);
});

test("only Claude Code has sub-agents with their parent's history", () => {
  const fork = { ...COMMON, hook_event_name: "SubagentStart", agent_id: "a2", agent_type: "fork" };
  expect(claude.readEvent(fork)?.what).toEqual({ kind: "begin", inherits: true });
  expect(codex.readEvent(fork)?.what).toEqual({ kind: "begin", inherits: false });
});

describe("odd values of any field are no accident", () => {
  const ODD = [null, 7, true, [], [[]], {}, { "": "" }, "", "\u0000", "x".repeat(70_000), "[", "{}"];
  test.each(SETTINGS)("$name", async ({ name, sampleEvent }) => {
    const client = await loadClient(name);
    const sample = sampleEvent("/r", "/r/AGENTS.md") as Readonly<Record<string, unknown>>;
    for (const key of [...Object.keys(sample), "agent_id", "source", "postToolUse", "workspace_roots"]) {
      for (const value of ODD) {
        const event = client?.readEvent({ ...sample, [key]: value });
        if (event === undefined) continue;
        expect([typeof event.session, typeof event.context, typeof event.cwd]).toEqual(["string", "string", "string"]);
        expect(JSON.parse(client?.tell(event, "x") ?? "")).toBeObject();
      }
    }
  });
});
