/** How a client speaks with hooks, as far as histories of starts need it. */
export interface StartClient {
  readonly name: string;
  /** The most that one answer may have; a whole start has no limit. */
  readonly limit: { readonly max: number; measure(text: string): number } | undefined;
  /** In how many parts a start may be asked for; 0: without saying. */
  readonly parts: readonly number[];
  /** Beginnings that tell something; undefined if the first prompt begins. */
  start?(source: string): object;
  /** A compaction that can tell nothing. */
  readonly forget?: object;
  readonly agentStart?: object;
  readonly resume?: object;
  readonly prompt: object;
  /** A tool that is about to touch a file, or has. */
  touch(path: string, isShell: boolean, isBefore: boolean): object;
  textIn(answer: Record<string, unknown>): string;
}

const units = { max: 10_000, measure: (text: string) => text.length };
const bytes = { max: 10_000, measure: (text: string) => Buffer.byteLength(text) };
const inContext = (answer: Record<string, unknown>) =>
  (answer["hookSpecificOutput"] as { additionalContext?: string } | undefined)?.additionalContext ?? "";

const common = {
  limit: units,
  parts: [0, 1, 2, 4, 16],
  start: (source: string) => ({ hook_event_name: "SessionStart", source }),
  agentStart: { hook_event_name: "SubagentStart" },
  resume: { hook_event_name: "SessionStart", source: "resume" },
  prompt: { hook_event_name: "UserPromptSubmit", prompt: "Go." },
  touch: (path: string, isShell: boolean, isBefore: boolean) => ({
    hook_event_name: isBefore ? "PreToolUse" : "PostToolUse",
    tool_name: isShell ? "Bash" : "Read",
    tool_input: isShell ? { command: `touch ${path}` } : { file_path: path },
    tool_response: {},
  }),
  textIn: inContext,
};

export const START_CLIENTS: readonly StartClient[] = [
  { ...common, name: "claude" },
  { ...common, name: "codex", limit: bytes },
  {
    name: "gemini",
    limit: undefined,
    parts: [0],
    start: common.start,
    resume: common.resume,
    prompt: { hook_event_name: "BeforeAgent", prompt: "Go." },
    touch: (path, isShell) => ({
      hook_event_name: "AfterTool",
      tool_name: isShell ? "run_shell_command" : "read_file",
      tool_input: isShell ? { command: `touch ${path}` } : { file_path: path },
      tool_response: {},
    }),
    textIn: inContext,
  },
  {
    name: "copilot",
    limit: units,
    parts: [0],
    start: (source) => ({ sessionId: "s", source }),
    forget: { sessionId: "s", trigger: "auto" },
    prompt: { sessionId: "s", prompt: "Go." },
    touch: (path, isShell) => ({
      sessionId: "s",
      toolName: isShell ? "bash" : "view",
      toolArgs: isShell ? { command: `touch ${path}` } : { path },
      toolResult: {},
    }),
    textIn: ({ additionalContext = "" }) => additionalContext as string,
  },
  {
    name: "kimi",
    limit: undefined,
    parts: [0],
    forget: { hook_event_name: "PreCompact" },
    prompt: { hook_event_name: "UserPromptSubmit", prompt: [{ type: "text", text: "Go." }] },
    touch: (path, isShell) => ({
      hook_event_name: "PostToolUse",
      tool_name: isShell ? "Bash" : "ReadFile",
      tool_input: isShell ? { command: `touch ${path}` } : { path },
    }),
    textIn: ({ message = "" }) => message as string,
  },
];
