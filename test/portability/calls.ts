// The calls that every target plays, each target in its own fresh tree.

/** A call: its arguments, and what it is given to read. `at` gives a path of the tree as the target's system writes it. */
export interface Call {
  readonly args: readonly string[];
  readonly stdin?: (at: (path: string) => string) => string;
}

export const FILES: Readonly<Record<string, string>> = {
  "home/.codelia/AGENTS.md": "Home rules.\n",
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  "repo/.codelia/config.yaml": "agents:\n  initial:\n    maxFiles: 5\nskills:\n  initial:\n    maxEntries: 3\n",
  "repo/AGENTS.md": "# Root\n\nKeep it short. See `docs/guide.md`.\n",
  "repo/CLAUDE.md": "@AGENTS.md\n",
  "repo/docs/guide.md": "x\n",
  "repo/pkg/AGENTS.md": "Only in pkg.\n",
  "repo/pkg/foo/AGENTS.override.md": "Override.\n",
  "repo/pkg/foo/AGENTS.md": "Foo.\n",
  "repo/pkg/foo/x.ts": "x\n",
  "repo/pkg/bar/y.ts": "y\n",
  "repo/日本/AGENTS.md": "Unicode.\n",
  "repo/日本/é.txt": "",
  "repo/sp ace/AGENTS.md": "Space.\n",
  "repo/sp ace/f.txt": "",
  "repo/crlf/AGENTS.md": "line one\r\nline two\r\n",
  "repo/crlf/z": "",
  "repo/.agents/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets people\n---\nSay hello.\n",
  "repo/.agents/skills/greet/scripts/run.sh": "#!/bin/sh\n",
  "repo/.agents/skills/broken/SKILL.md": "---\nname: other\n---\n",
  "repo/.agents/skills/crlf/SKILL.md": "---\r\nname: crlf\r\ndescription: Windows lines\r\n---\r\nText.\r\n",
  "repo/agent/agent.json": JSON.stringify({
    name: "hello",
    entryStep: "hello",
    steps: { hello: { prompt: { path: "hello.md" }, check: { type: "output", onPass: "complete" } } },
  }),
  "repo/agent/hello.md": "Say hello.\n",
};

const MCP = [
  { method: "initialize", params: { protocolVersion: "2025-06-18" } },
  { method: "tools/list" },
  { method: "tools/call", params: { name: "agents_resolve", arguments: { paths: ["pkg/foo/x.ts"] } } },
];

export const CALLS: readonly Call[] = [
  ...lines(`
    --version
    --help
    resolve --help
    init-context --no-state
    init-context
    resolve pkg/foo/x.ts
    resolve pkg/foo/x.ts
    resolve --json --no-state pkg/foo/x.ts pkg/bar/y.ts
    resolve --no-state 日本/é.txt crlf/z no/such/file
    init-context --no-state --as claude
    init-context --no-state --as codex
    init-context --json --no-state
    skills list
    skills list --json
    skills search greet
    skills search --json people
    skills load greet
    skills load crlf
    skills load nope
    skills check
    check
    check --format json
    check --format sarif
    explain pkg/foo/x.ts
    explain --json pkg/foo/x.ts
    inspect
    config
    config --json
    preview pkg/foo/x.ts
    session list
    resume-diff
    doctor --calls 0
    schema config
    completions powershell
    agent validate agent
    agent status
    plugins
    trust
  `),
  { args: ["resolve", "--no-state", "sp ace/f.txt"] },
  {
    args: ["mcp"],
    stdin: () => MCP.map((each, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...each })}\n`).join(""),
  },
  event("claude", "SessionStart", () => ({ source: "startup" })),
  event("claude", "PreToolUse", (at) => ({ tool_name: "Edit", tool_input: { file_path: at("repo/pkg/foo/x.ts") } })),
  event("claude", "PreToolUse", (at) => ({ tool_name: "Edit", tool_input: { file_path: at("repo/pkg/foo/x.ts") } })),
  event("claude", "PreToolUse", () => ({ tool_name: "Bash", tool_input: { command: "cd 日本 && cat é.txt" } })),
  event("claude", "PreToolUse", () => ({ tool_name: "PowerShell", tool_input: { command: "gc 'sp ace/f.txt'" } })),
  event("claude", "UserPromptSubmit", () => ({ prompt: "look at @crlf/z" })),
  event("claude", "PostCompact", () => ({ trigger: "auto" })),
  event("claude", "SessionStart", () => ({ source: "resume" })),
  event("codex", "SessionStart", () => ({ source: "startup", model: "m" })),
  event("codex", "PreToolUse", () => ({ tool_name: "Bash", tool_input: { command: "sed -n 1p pkg/foo/x.ts" } })),
  event("gemini", "BeforeTool", (at) => ({
    tool_name: "read_file",
    tool_input: { absolute_path: at("repo/sp ace/f.txt") },
  })),
  { args: ["hook", "claude"], stdin: () => "not json" },
  { args: ["hook", "claude"], stdin: () => "" },
  { args: ["trim", "--max-bytes", "20"], stdin: () => `${"a".repeat(100)}\n${"é".repeat(40)}` },
  ...lines(`
    install claude --dry-run --scope project
    install claude --yes --scope project
    install codex --yes --scope project
    uninstall claude --yes --scope project
    session reset
    no-such-verb
    resolve --no-such-flag
    resolve
  `),
];

function lines(text: string): Call[] {
  return text
    .trim()
    .split("\n")
    .map((line) => ({ args: line.trim().split(" ") }));
}

function event(client: string, name: string, more: (at: (path: string) => string) => object): Call {
  return {
    args: ["hook", client],
    stdin: (at) => {
      const common = { session_id: client, hook_event_name: name, cwd: at("repo") };
      return JSON.stringify({ ...common, transcript_path: at("home/t.jsonl"), ...more(at) });
    },
  };
}
