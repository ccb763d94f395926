import { describe, expect, test } from "bun:test";
import { WITH_CODELIA } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Clients known from their documentation: events in the documented form, and the exact answers.

const MTIME = 1_760_000_000_000;
const TREE: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/AGENTS.md": { text: "Root rules.\n", mtimeMs: MTIME },
  "repo/app/AGENTS.md": { text: "App rules.\n", mtimeMs: MTIME },
  "repo/app/main.ts": "",
  "repo/lib/AGENTS.md": { text: "Lib rules.\n", mtimeMs: MTIME },
  "repo/lib/one.ts": "",
  "repo/pkg/AGENTS.md": { text: "Package rules.\n", mtimeMs: MTIME },
  "repo/pkg/.agents/skills/publish/SKILL.md": "---\nname: publish\ndescription: Publish it\n---\nBody.\n",
  "repo/.agents/skills/release-notes/SKILL.md": "---\nname: release-notes\ndescription: Notes\n---\nBody.\n",
};

type Fields = Readonly<Record<string, unknown>>;

interface Contract {
  readonly client: string;
  /** The fields of every event. */
  common(tree: TempTree): Fields;
  /** A session's start; undefined if nothing can be told at that time. */
  readonly start: Fields | undefined;
  /** Whether the client loads the root's file itself, so that it is not told. */
  readonly hasRoot: boolean;
  /** The event at which the paths of a tool are told; the tool reads, unless `edits`. */
  touch(path: string): Fields;
  /** The tool of that event edits. */
  readonly edits?: true;
  /** The call of that event is refused once; where the client names the files itself, and for skills alone, it is not. */
  readonly refuses?: true;
  /** The same for a shell command, with its output if it has run by then. */
  shell(command: string, said?: string): Fields;
  /** A prompt, if it can be answered. */
  prompt?(text: string): Fields;
  /** The client has forgotten. */
  readonly forgotten: Fields | undefined;
  /** A later event that can tell the rest of a start, if it is not a touch. */
  readonly carries?: Fields;
  /** What wraps a text; `event` as in the event's name. */
  answer(text: string, event: string): object;
  readonly nameOf: (event: Fields) => string;
  /** Events that print and record nothing. */
  readonly silent: readonly Fields[];
}

const claudeLike = (text: string, event: string) => ({
  hookSpecificOutput: { hookEventName: event, additionalContext: text },
});
const KEPT =
  "Nothing was done: the call is kept back once, for you to know what applies there. Read the files above whose text you do not have, then make the call again.\n";
interface SomeAnswer extends Record<
  "additionalContext" | "additional_context" | "contextModification" | "context" | "message",
  string
> {
  readonly hookSpecificOutput?: { readonly additionalContext?: string; readonly permissionDecisionReason?: string };
}
const contextIn = (answer: SomeAnswer): string =>
  answer.hookSpecificOutput?.permissionDecisionReason?.replace(KEPT, "") ??
  answer.hookSpecificOutput?.additionalContext ??
  answer.additionalContext ??
  answer.additional_context ??
  answer.contextModification ??
  answer.message ??
  answer.context;
/** What a session says that begins once more. */
const AGAIN: Readonly<Record<string, Fields>> = { qwen: { source: "compact" }, gemini: { source: "clear" } };
const hookEventName = (event: Fields) => String(event["hook_event_name"]);

const CONTRACTS: readonly Contract[] = [
  {
    client: "gemini",
    common: (tree) => ({
      session_id: "s",
      transcript_path: tree.path("home/t.json"),
      cwd: tree.path("repo"),
      timestamp: "2026-08-21T16:16:56.000Z",
    }),
    start: { hook_event_name: "SessionStart", source: "startup" },
    hasRoot: false,
    touch: (path) => ({
      hook_event_name: "AfterTool",
      tool_name: "read_file",
      tool_input: { file_path: path },
      tool_response: { llmContent: "", returnDisplay: "" },
    }),
    shell: (command, said = "") => ({
      hook_event_name: "AfterTool",
      tool_name: "run_shell_command",
      tool_input: { command, description: "Looks" },
      tool_response: { llmContent: `Command: ${command}\nOutput: (see below)\n${said}`, returnDisplay: said },
    }),
    prompt: (prompt) => ({ hook_event_name: "BeforeAgent", prompt }),
    forgotten: undefined,
    answer: claudeLike,
    nameOf: hookEventName,
    silent: [
      { hook_event_name: "BeforeTool", tool_name: "read_file", tool_input: { file_path: "app/main.ts" } },
      { hook_event_name: "PreCompress", trigger: "auto" },
      { hook_event_name: "AfterAgent", prompt: "x", prompt_response: "y", stop_hook_active: false },
      { hook_event_name: "BeforeModel", llm_request: { model: "m", messages: [] } },
      { hook_event_name: "Notification", notification_type: "ToolPermission", message: "x", details: {} },
    ],
  },
  {
    client: "qwen",
    common: (tree) => ({
      session_id: "s",
      transcript_path: tree.path("home/t.jsonl"),
      cwd: tree.path("repo"),
      timestamp: "2026-08-22T18:50:24.000Z",
      permission_mode: "default",
    }),
    start: { hook_event_name: "SessionStart", source: "startup", model: "qwen3-coder-plus" },
    hasRoot: true,
    touch: (path) => ({
      hook_event_name: "PostToolUse",
      tool_name: "read_file",
      tool_input: { file_path: path },
      tool_use_id: "toolu_1",
      tool_call_id: "call_1",
    }),
    shell: (command, said = "") => ({
      hook_event_name: "PostToolUse",
      tool_name: "run_shell_command",
      tool_input: { command, is_background: false },
      tool_response: { llmContent: said, returnDisplay: said },
      tool_use_id: "toolu_2",
    }),
    prompt: (prompt) => ({ hook_event_name: "UserPromptSubmit", prompt, submitted_prompt: prompt }),
    forgotten: undefined,
    answer: claudeLike,
    nameOf: hookEventName,
    silent: [
      { hook_event_name: "PreToolUse", tool_name: "read_file", tool_input: { file_path: "app/main.ts" } },
      { hook_event_name: "MessageDisplay", message_id: "m", displayed_text: "x", is_final: true },
      { hook_event_name: "PreCompact", trigger: "auto", custom_instructions: "" },
      { hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "x" },
    ],
  },
  {
    client: "vscode",
    common: (tree) => ({
      timestamp: "2026-08-19T10:00:00.000Z",
      cwd: tree.path("repo"),
      session_id: "s",
      transcript_path: tree.path("home/t.json"),
    }),
    start: { hook_event_name: "SessionStart", source: "new" },
    hasRoot: true,
    touch: (path) => ({
      hook_event_name: "PreToolUse",
      tool_name: "read_file",
      tool_input: { filePath: path, startLine: 1, endLine: 20 },
      tool_use_id: "tool-1",
    }),
    shell: (command) => ({
      hook_event_name: "PreToolUse",
      tool_name: "run_in_terminal",
      tool_input: { command, explanation: "Looks", isBackground: false },
      tool_use_id: "tool-2",
    }),
    forgotten: { hook_event_name: "PreCompact", trigger: "auto" },
    carries: {
      hook_event_name: "PostToolUse",
      tool_name: "run_in_terminal",
      tool_input: { command: "true" },
      tool_response: "",
    },
    answer: claudeLike,
    nameOf: hookEventName,
    silent: [
      // What a hook answers to a prompt does not reach the model.
      { hook_event_name: "UserPromptSubmit", prompt: "look at @app/main.ts and $release-notes" },
      { hook_event_name: "Stop", stop_hook_active: false },
      { hook_event_name: "SubagentStop", stop_hook_active: false },
    ],
  },
  {
    client: "cursor",
    common: (tree) => ({
      conversation_id: "s",
      generation_id: "g",
      model: "m",
      cursor_version: "2.4.0",
      workspace_roots: [tree.path("repo")],
      user_email: null,
      transcript_path: null,
    }),
    start: { hook_event_name: "sessionStart", session_id: "s", is_background_agent: false, composer_mode: "agent" },
    hasRoot: true,
    touch: (path) => ({
      hook_event_name: "postToolUse",
      tool_name: "Read",
      tool_input: { file_path: path },
      tool_output: "{}",
      tool_use_id: "abc123",
      cwd: "",
      duration: 12,
    }),
    shell: (command, stdout = "") => ({
      hook_event_name: "postToolUse",
      tool_name: "Shell",
      tool_input: { command, working_directory: "" },
      tool_output: JSON.stringify({ exitCode: 0, stdout }),
      tool_use_id: "abc124",
      cwd: "",
      duration: 12,
    }),
    forgotten: { hook_event_name: "preCompact", trigger: "auto", context_usage_percent: 85 },
    answer: (text) => ({ additional_context: text }),
    nameOf: hookEventName,
    silent: [
      { hook_event_name: "preToolUse", tool_name: "Read", tool_input: { file_path: "app/main.ts" }, tool_use_id: "a" },
      { hook_event_name: "beforeSubmitPrompt", prompt: "look at @app/main.ts", attachments: [] },
      { hook_event_name: "stop", status: "completed", loop_count: 0 },
    ],
  },
  ...["opencode", "kilo"].map((client): Contract => ({
    client,
    common: (tree) => ({ sessionID: "s", directory: tree.path("repo") }),
    start: { event: "session.start" },
    hasRoot: true,
    touch: (path) => ({ event: "tool.execute.after", tool: "edit", args: { filePath: path, oldString: "a" } }),
    edits: true,
    shell: (command, output = "") => ({
      event: "tool.execute.after",
      tool: "bash",
      args: { command, description: "Looks" },
      output,
    }),
    forgotten: undefined,
    answer: (text) => ({ context: text }),
    nameOf: (event) => String(event["event"]),
    silent: [
      { event: "session.idle" },
      { event: "tool.execute.before", tool: "read", args: { filePath: "app/main.ts" } },
    ],
  })),
  {
    client: "copilot",
    common: (tree) => ({ sessionId: "s", timestamp: 1_795_120_995_815, cwd: tree.path("repo") }),
    start: { source: "new", initialPrompt: "Go." },
    hasRoot: true,
    touch: (path) => ({
      toolName: "edit",
      toolArgs: { path, old_str: "a", new_str: "b" },
      toolResult: { resultType: "success", textResultForLlm: "done" },
    }),
    edits: true,
    shell: (command, said = "") => ({
      toolName: "bash",
      toolArgs: { command, description: "Looks", mode: "sync" },
      toolResult: { resultType: "success", textResultForLlm: said },
    }),
    prompt: (prompt) => ({ prompt }),
    forgotten: { transcriptPath: "/t.jsonl", trigger: "auto", customInstructions: "" },
    answer: (text) => ({ additionalContext: text }),
    nameOf: () => "",
    silent: [
      { toolName: "edit", toolArgs: { path: "app/main.ts" } },
      { stopReason: "end_turn", stop_hook_active: false },
      // Its hooks for VS Code, and those that VS Code reads.
      { hook_event_name: "SessionStart", session_id: "s", source: "new" },
      { hook_event_name: "PreToolUse", session_id: "s", tool_name: "Read", tool_input: { path: "app/main.ts" } },
    ],
  },
  {
    client: "kimi",
    common: (tree) => ({
      session_id: "s",
      cwd: tree.path("repo"),
      client_type: "kimi-code-cli",
      session_title: "New Session",
    }),
    start: { hook_event_name: "UserPromptSubmit", prompt: [{ type: "text", text: "Go." }], is_steer: false },
    hasRoot: true,
    touch: (path) => ({
      hook_event_name: "PreToolUse",
      tool_name: "mcp__files__read",
      tool_input: { path },
      tool_call_id: "call_1",
    }),
    refuses: true,
    shell: (command) => ({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_call_id: "call_2",
    }),
    prompt: (text) => ({ hook_event_name: "UserPromptSubmit", prompt: [{ type: "text", text }], is_steer: false }),
    forgotten: { hook_event_name: "PreCompact", trigger: "auto", token_count: 200_000 },
    answer: (text, event) =>
      event === "PreToolUse"
        ? {
            hookSpecificOutput: {
              hookEventName: event,
              permissionDecision: "deny",
              permissionDecisionReason: text + KEPT,
            },
          }
        : { message: text },
    nameOf: hookEventName,
    silent: [
      { hook_event_name: "SessionStart", source: "startup", model: "m", profile: "agent" },
      // What a hook answers to these does not reach the model.
      { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "true" }, tool_output: "" },
      { hook_event_name: "SubagentStart", agent_name: "coder", prompt: "Look at @app/main.ts" },
      { hook_event_name: "Stop", stop_hook_active: false },
    ],
  },
  {
    client: "pi",
    common: (tree) => ({ sessionID: "s", directory: tree.path("repo") }),
    start: { event: "session_start", reason: "startup" },
    hasRoot: true,
    touch: (path) => ({
      event: "tool_result",
      tool: "edit",
      args: { path, edits: [{ oldText: "a", newText: "b" }] },
      output: "Done.",
    }),
    edits: true,
    shell: (command, output = "") => ({ event: "tool_result", tool: "bash", args: { command }, output }),
    prompt: (prompt) => ({ event: "before_agent_start", prompt }),
    forgotten: { event: "session_compact" },
    answer: (text) => ({ context: text }),
    nameOf: (event) => String(event["event"]),
    silent: [
      { event: "agent_start" },
      { event: "tool_call", tool: "read", args: { path: "app/main.ts" } },
      { event: "session_shutdown" },
    ],
  },
  {
    client: "cline",
    common: (tree) => ({
      clineVersion: "3.40.0",
      timestamp: "1787400000000",
      taskId: "s",
      workspaceRoots: [tree.path("repo")],
      userId: "u",
      model: { provider: "p", slug: "m" },
    }),
    start: undefined,
    hasRoot: true,
    touch: (path) => ({ hookName: "PreToolUse", preToolUse: { toolName: "read_file", parameters: { path } } }),
    shell: (command) => ({
      hookName: "PreToolUse",
      preToolUse: { toolName: "run_commands", parameters: { commands: JSON.stringify(["pwd", command]) } },
    }),
    forgotten: { hookName: "PreCompact", preCompact: { taskId: "s", ulid: "", compactionStrategy: "auto-condense" } },
    answer: (text) => ({ cancel: false, contextModification: text }),
    nameOf: (event) => String(event["hookName"]),
    silent: [
      // What a hook answers to these does not reach the model.
      { hookName: "UserPromptSubmit", userPromptSubmit: { prompt: "look at @app/main.ts", attachments: [] } },
      { hookName: "TaskComplete", taskComplete: { taskMetadata: { taskId: "s" } } },
    ],
  },
];

const reminder = (tree: TempTree, ...names: string[]) => `<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
${names.map((name) => `- ${tree.path("repo", name)} (mtime: ${MTIME})\n`).join("")}Read and apply these files before editing files in this scope.
</system-reminder>
`;

/** The same with the result of an edit. */
const checking = (text: string) =>
  text.replace(
    /^Read and apply .*$/m,
    "Read these files, check this edit against them, and apply them when you edit more in this scope.",
  );

function call(tree: TempTree, client: string, event: Fields): string {
  const { stdout, stderr, exitCode } = runCodelia(["hook", client], {
    cwd: tree.path("repo"),
    home: tree.path("home"),
    env: { PATH: WITH_CODELIA },
    stdin: JSON.stringify(event),
  });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout;
}

/** The text of a start, "" if there is none, and that of an edit. */
function previewed(tree: TempTree, args: readonly string[]): string[] {
  const options = { cwd: tree.path("repo"), home: tree.path("home"), env: { PATH: WITH_CODELIA } };
  const { stdout } = runCodelia(["preview", "--json", ...args], options);
  const texts: { when: string; text: string }[] = JSON.parse(stdout).texts;
  return ["start", "edit"].map((word) => texts.find(({ when }) => when.includes(word))?.text ?? "");
}

// Their plugin asks for the start of a session once in each process, and again after a compaction.
describe.each(["opencode", "kilo"])("hook %s, asked for a start that may be one of a resumed session", (client) => {
  const { common, touch } = CONTRACTS.find((contract) => contract.client === client) as Contract;
  const hook = (tree: TempTree, event: Fields, cwd = tree.path("repo")) =>
    call(tree, client, { ...common(tree), directory: cwd, ...event });
  const start = { event: "session.start", mayGoOn: true };
  const compacted = { event: "session.start" };

  test("what tools had brought is not told again, the start is", () => {
    using tree = tempTree(TREE);
    const begun = hook(tree, start);
    expect(begun).toContain("agents_usage");
    expect(hook(tree, touch(tree.path("repo/app/main.ts")))).toContain("app/AGENTS.md");
    expect(hook(tree, start)).toBe(begun);
    expect(hook(tree, touch(tree.path("repo/app/main.ts")))).toBe("");
    expect(hook(tree, touch(tree.path("repo/lib/one.ts")))).toContain("lib/AGENTS.md");
    expect(hook(tree, compacted)).toBe(begun);
    expect(hook(tree, touch(tree.path("repo/app/main.ts")))).toContain("app/AGENTS.md");
    expect(hook(tree, start)).toBe(begun);
    expect(hook(tree, touch(tree.path("repo/app/main.ts")))).toBe("");
  });

  test("resumed in another directory, the start is that of this directory, and what it gave elsewhere is told again", () => {
    using tree = tempTree(TREE);
    hook(tree, start, tree.path("repo/app"));
    expect(hook(tree, touch(tree.path("repo/lib/one.ts")), tree.path("repo/app"))).toContain("lib/AGENTS.md");
    hook(tree, start);
    expect(hook(tree, touch(tree.path("repo/lib/one.ts")))).toBe("");
    hook(tree, start, tree.path("repo/lib"));
    hook(tree, start);
    expect(hook(tree, touch(tree.path("repo/lib/one.ts")))).toContain("lib/AGENTS.md");
  });

  test("what changed meanwhile is told with the next touch", () => {
    using tree = tempTree(TREE);
    hook(tree, start);
    hook(tree, touch(tree.path("repo/app/main.ts")));
    tree.write("repo/app/AGENTS.md", "Other rules of the app.\n");
    hook(tree, start);
    expect(hook(tree, touch(tree.path("repo/app/main.ts")))).toContain("app/AGENTS.md");
  });
});

const TOLD_BY_REFUSAL = { "home/.codelia/config.json": '{"agents":{"resolver":{"gate":"tell"}}}' };

describe.each(CONTRACTS)("hook $client", (contract) => {
  const { client, start, hasRoot, forgotten, silent } = contract;
  const files = contract.refuses === true ? { ...TREE, ...TOLD_BY_REFUSAL } : TREE;

  const hook = (tree: TempTree, event: Fields) => call(tree, client, { ...contract.common(tree), ...event });
  const wrapped = (text: string, event: Fields) => `${JSON.stringify(contract.answer(text, contract.nameOf(event)))}\n`;

  test("the first touch of a directory is answered with its files, exactly in the client's form; the second with nothing", () => {
    using tree = tempTree(files);
    const root = start === undefined && !hasRoot ? ["AGENTS.md"] : [];
    begin(tree);
    const touch = contract.touch(tree.path("repo/app/main.ts"));
    const told = reminder(tree, ...root, "app/AGENTS.md");
    expect(hook(tree, touch)).toBe(wrapped(contract.edits === true ? checking(told) : told, touch));
    expect(hook(tree, touch)).toBe("");
    expect(hook(tree, contract.touch("app/other.ts"))).toBe("");
    const shell = contract.shell("cat lib/one.ts | head");
    expect(hook(tree, shell)).toBe(wrapped(reminder(tree, "lib/AGENTS.md"), shell));
    expect(hook(tree, shell)).toBe("");
  });

  const begin = (tree: TempTree) => start !== undefined && hook(tree, start);

  if (start !== undefined) {
    test("a start is answered with what the client does not load itself", () => {
      using tree = tempTree(files);
      const said = hook(tree, start);
      const parsed = JSON.parse(said);
      const text = contextIn(parsed);
      expect(said).toBe(wrapped(text, start));
      expect(text.includes("Root rules.")).toBe(!hasRoot);
      // Some clients list it themselves.
      expect(text.includes("<name>release-notes</name>")).toBe(
        !["gemini", "qwen", "opencode", "kilo", "copilot", "kimi", "pi"].includes(client),
      );
    });
  }

  test("preview shows what it gives, and records nothing", () => {
    using tree = tempTree(files);
    const [begun = "", edited = ""] = previewed(tree, ["app/new.ts", "--as", client]);
    const said = start === undefined ? "" : hook(tree, start);
    expect(begun).toBe(said === "" ? "" : contextIn(JSON.parse(said)));
    const told = contextIn(JSON.parse(hook(tree, contract.touch(tree.path("repo/app/new.ts")))));
    const expected = contract.edits === true ? told : checking(told);
    expect(edited).toBe(contract.refuses === true ? "" : expected);
  });

  test("what was forgotten is told once more", () => {
    using tree = tempTree(files);
    begin(tree);
    const touch = contract.touch(tree.path("repo/app/main.ts"));
    expect(hook(tree, touch)).toContain("app/AGENTS.md");
    // Without an event of its own, the session begins again.
    if (forgotten === undefined) hook(tree, { ...start, ...AGAIN[client] });
    else expect(hook(tree, forgotten)).toBe("");
    expect(hook(tree, touch)).toContain("app/AGENTS.md");
    if (forgotten !== undefined && start !== undefined) {
      // The texts of the start come with a later event.
      const later = hook(tree, contract.carries ?? contract.prompt?.("Go on.") ?? contract.shell("true"));
      expect(later).toContain("agents_usage");
      expect(later.includes("are already in your context")).toBe(hasRoot);
      expect(later.includes("Root rules.")).toBe(!hasRoot);
    }
    expect(hook(tree, touch)).toBe("");
    expect(hook(tree, contract.shell("true"))).toBe("");
  });

  test("a file that the tool itself reads is not told", () => {
    using tree = tempTree(files);
    begin(tree);
    const said = hook(tree, contract.shell("cat app/AGENTS.md", "App rules.\n"));
    expect(said).not.toContain("app/AGENTS.md (mtime");
  });

  test.skipIf(contract.refuses === true)(
    "the skills of a package are told once, though its instruction files are what the tool reads",
    () => {
      using tree = tempTree(files);
      begin(tree);
      const touch = contract.touch(tree.path("repo/pkg/AGENTS.md"));
      const said = hook(tree, touch);
      const text = contextIn(JSON.parse(said));
      expect(said).toBe(wrapped(text, touch));
      expect(text).toContain("<skills_nearby>\n");
      expect(text).toContain("<name>publish</name>");
      expect(hook(tree, contract.touch(tree.path("repo/pkg/main.ts")))).not.toContain("publish");
    },
  );

  const { prompt } = contract;
  if (prompt !== undefined) {
    test("a prompt is answered with its files and skills", () => {
      using tree = tempTree(files);
      begin(tree);
      const event = prompt("Look at @lib/one.ts with $release-notes");
      const stdout = hook(tree, event);
      const text = contextIn(JSON.parse(stdout));
      expect(stdout).toBe(wrapped(text, event));
      expect(text).toContain("lib/AGENTS.md (mtime");
      expect(text).toContain("release-notes: codelia skills load ");
    });
  }

  test("silence for all else, which leaves nothing behind", () => {
    using tree = tempTree(files);
    for (const event of silent) expect(hook(tree, event)).toBe("");
    begin(tree);
    expect(hook(tree, contract.touch(tree.path("repo/app/main.ts")))).toContain("app/AGENTS.md");
  });
});

describe("a client's settings say what it loads itself", () => {
  const SETTINGS: [client: string, path: string, settings: object, hasRoot: boolean][] = [
    ["gemini", "home/.gemini/settings.json", { context: { fileName: ["GEMINI.md", "AGENTS.md"] } }, true],
    ["gemini", "repo/.gemini/settings.json", { context: { fileName: "AGENTS.md" } }, true],
    ["gemini", "repo/.gemini/settings.json", { context: { fileName: "OTHER.md" } }, false],
    ["qwen", "home/.qwen/settings.json", { context: { fileName: "QWEN.md" } }, false],
    ["vscode", "repo/.vscode/settings.json", { "chat.useAgentsMdFile": false }, false],
    ["vscode", "repo/.vscode/settings.json", { "chat.useAgentsMdFile": true }, true],
  ];
  test.each(SETTINGS)("%s, %s: %j", (client, path, settings, hasRoot) => {
    using tree = tempTree({ ...TREE, [path]: JSON.stringify(settings) });
    const { common, start } = CONTRACTS.find((contract) => contract.client === client)!;
    expect(call(tree, client, { ...common(tree), ...start }).includes("Root rules.")).toBe(!hasRoot);
  });
});

test("hook cline: what begins a session comes with the first tool call, and after a compaction again", () => {
  using tree = tempTree(TREE);
  const task = { taskId: "s", workspaceRoots: [tree.path("repo")], clineVersion: "3.0.65" };
  const hook = (event: Fields) => call(tree, "cline", { ...task, ...event });
  const started = { hookName: "agent_start", taskStart: { taskMetadata: {} } };
  const parameters = { path: "app/main.ts" };
  const before = { hookName: "tool_call", preToolUse: { toolName: "read_files", parameters } };
  const after = { hookName: "tool_result", postToolUse: { toolName: "read_files", parameters, result: "[]" } };
  for (const again of [started, { hookName: "PreCompact", preCompact: {} }]) {
    expect(hook(again)).toBe("");
    expect(hook(before)).toContain("app/AGENTS.md (mtime");
    const said = contextIn(JSON.parse(hook(after)));
    expect(said).toContain("are already in your context");
    expect(said).toContain("<name>release-notes</name>");
    expect(said).not.toContain("Root rules.");
    expect(hook(before) + hook(after)).toBe("");
  }
});

test("hook qwen: without a start the first prompt begins the session, and the second does not", () => {
  using tree = tempTree(TREE);
  const prompted = { session_id: "s", cwd: tree.path("repo"), hook_event_name: "UserPromptSubmit" };
  const hook = (prompt: string) => call(tree, "qwen", { ...prompted, prompt });
  const first = JSON.parse(hook("Go.")).hookSpecificOutput;
  expect(first.hookEventName).toBe("UserPromptSubmit");
  expect(first.additionalContext).toContain("<agents_usage>");
  expect(hook("Go on.")).toBe("");
});

describe("one event that two entries answer: VS Code and Cursor read Claude Code's settings, too", () => {
  type Call = readonly [client: string, event: Fields];
  const vscodeStart = { hook_event_name: "SessionStart", source: "new", timestamp: "2026-08-19T10:00:00.000Z" };
  const vscodeTool = { hook_event_name: "PreToolUse", tool_name: "read_file", tool_input: { filePath: "lib/one.ts" } };
  const cursor = { cursor_version: "2.4.0", conversation_id: "s" };
  const cursorInput = { tool_name: "Read", tool_input: { file_path: "lib/one.ts" } };
  const CALLS: [client: string, pairs: readonly (readonly [Call, Call])[]][] = [
    [
      "VS Code",
      [
        [
          ["claude", vscodeStart],
          ["vscode", vscodeStart],
        ],
        [
          ["claude", vscodeTool],
          ["vscode", vscodeTool],
        ],
      ],
    ],
    [
      "Cursor",
      [
        [
          ["claude", { ...cursor, hook_event_name: "SessionStart", source: "startup" }],
          ["cursor", { ...cursor, hook_event_name: "sessionStart" }],
        ],
        [
          ["claude", { ...cursor, ...cursorInput, hook_event_name: "PreToolUse" }],
          ["cursor", { ...cursor, ...cursorInput, hook_event_name: "postToolUse" }],
        ],
      ],
    ],
  ];
  test.each(CALLS)("%s: one of them tells, whichever is first", (_, pairs) => {
    for (const isReversed of [false, true]) {
      using tree = tempTree(TREE);
      const answer = ([client, event]: Call) =>
        call(tree, client, { session_id: "s", cwd: tree.path("repo"), ...event });
      for (const pair of pairs) {
        const order = isReversed ? pair.toReversed() : pair;
        expect(order.map(answer).filter((said) => said !== "")).toHaveLength(1);
      }
    }
  });
});

test("hook copilot: a sub-agent is a context of its own in its parent's session", () => {
  using tree = tempTree(TREE);
  const common = { timestamp: 1, cwd: tree.path("repo") };
  const parent = { ...common, sessionId: "s" };
  const agent = { ...common, sessionId: "a", agentId: "a", agentType: "general-purpose", parentAgentId: "s" };
  const edit = { toolName: "edit", toolArgs: { path: "app/main.ts" }, toolResult: { resultType: "success" } };
  const hook = (event: Fields) => call(tree, "copilot", event);
  expect(hook({ ...parent, source: "new" })).toContain("<agents_usage>");
  expect(hook({ ...parent, ...edit })).toContain("app/AGENTS.md");
  expect(hook({ ...agent, sessionId: "s", agentName: "general-purpose" })).toContain("<agents_usage>");
  expect(hook({ ...agent, prompt: "Look around." })).toBe("");
  expect(hook({ ...agent, ...edit })).toContain("app/AGENTS.md");
  expect(hook({ ...agent, ...edit })).toBe("");
  const stop = { agentName: "general-purpose", stopReason: "end_turn", response: "Done." };
  expect(hook({ ...agent, sessionId: "s", ...stop })).toBe("");
  expect(hook({ ...parent, ...edit })).toBe("");
});
