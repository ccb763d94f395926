import { describe, expect, test } from "bun:test";
import { checkProject, runCheck } from "../support/check-project.ts";

// `codelia check`: the programs of a project's hooks, where a shell would look for them.

const COMMANDS: [command: string, said: string][] = [
  ["cd web && ./run.sh", ""],
  ['cd "$CLAUDE_PROJECT_DIR"/web && ./run.sh', ""],
  ["cat <<END > /dev/null\n./gone.sh\nEND", ""],
  ["node dist/hook.js", "note hook-missing-program 'dist/hook.js' does not exist; add it, or remove the hook"],
  [
    "cd web && ./gone.sh",
    "error hook-missing-program 'web/gone.sh' does not exist or can't be run; add it, or remove the hook",
  ],
  ["python3 -u gone.d/x.py", "error hook-missing-program 'gone.d/x.py' does not exist; add it, or remove the hook"],
  ["timeout 5 ./gone", "error hook-missing-program 'gone' does not exist or can't be run; add it, or remove the hook"],
];

describe("a hook that runs", () => {
  for (const [command, said] of COMMANDS) {
    test(command, () => {
      const settings = { hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } };
      using tree = checkProject({
        ".gitignore": "/dist/\n",
        ".claude/settings.json": JSON.stringify(settings),
        "web/run.sh": { text: "exit 0\n", mode: 0o755 },
      });
      const { stdout, exitCode } = runCheck(tree);
      expect(stdout.replace(/^\S+ /, "")).toBe(said === "" ? "" : `${said}\n`);
      expect(exitCode).toBe(said.startsWith("error") ? 1 : 0);
    });
  }
});

const CLAUDE = ".claude/settings.json";
const CODEX = ".codex/hooks.json";
const MEND = "or let 'codelia install claude --scope project --mend' take it out";

// e2e/refused-settings.test.ts holds this to the clients.
const REFUSED: [path: string, text: string, said: string][] = [
  [CLAUDE, '{ "model": "opus" }', ""],
  [
    CLAUDE,
    '{ "model": "opus" } // mine',
    `Claude Code ignores a settings file with a comment or a trailing comma; correct it, ${MEND}`,
  ],
  [CLAUDE, '{ "model": 5 }', "Claude Code ignores a settings file with 'model' that is not text; correct it"],
  [CLAUDE, '{ "hooks": [] }', "Claude Code ignores a settings file with 'hooks' that are not a table; correct it"],
  [
    CLAUDE,
    '{ "hooks": { "PreToolUse": [{ "matcher": ["Bash"], "hooks": [] }] } }',
    "Claude Code ignores a settings file with an entry with a 'matcher' that is not text for 'PreToolUse'; correct it",
  ],
  [
    CLAUDE,
    '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command" }] }] } }',
    "Claude Code ignores a settings file with a hook without a command for 'PreToolUse'; correct it",
  ],
  [CODEX, '{ "hooks": { "Stop": [], "Foo": "x" } }', ""],
  [CODEX, '{ "version": 1 }', "Codex rejects a settings file with the key 'version'; correct it"],
  [
    CODEX,
    '{ "hooks": { "Stop": [{ "hooks": [{ "type": "http", "url": "http://localhost" }] }] } }',
    "Codex rejects a settings file with a hook of type 'http'; correct it",
  ],
];

test("a settings file with one key twice is read by its client, and so no finding", () => {
  using tree = checkProject({ [CLAUDE]: '{ "permissions": { "defaultMode": "plan", "defaultMode": "plan" } }\n' });
  expect(runCheck(tree)).toMatchObject({ stdout: "", exitCode: 0 });
  tree.write(`repo/${CLAUDE}`, '{ "permissions": { "defaultMode": "plan" }\n');
  expect(runCheck(tree).stdout).toContain("hook-unusable");
});

describe("a settings file that its client refuses", () => {
  test.each(REFUSED)("%s: %s", (path, text, said) => {
    using tree = checkProject({ [path]: `${text}\n` });
    const { stdout, exitCode } = runCheck(tree);
    expect(stdout).toBe(said === "" ? "" : `${path}:1 error hook-unusable ${said}\n`);
    expect(exitCode).toBe(said === "" ? 0 : 1);
  });
});

const RUN = { type: "command", command: "true" };
const ofStop = (handler: unknown) => ({ Stop: [{ hooks: [handler] }] });
const inStop = (what: string) => `Claude Code ignores ${what} for 'Stop'; correct or remove it`;
const noEvent = (event: string, meant: string, client = "Claude Code") =>
  `${client} has no event '${event}', so it runs none of its hooks; write '${meant}'`;

// e2e/refused-settings.test.ts holds this to the clients.
const IGNORED: [path: string, hooks: Record<string, unknown>, said: string][] = [
  [CLAUDE, ofStop(RUN), ""],
  [CLAUDE, ofStop({ command: "true" }), inStop("a hook without a type")],
  [CLAUDE, ofStop({ type: "command" }), inStop("a hook without a command")],
  [CLAUDE, ofStop({ type: "http" }), inStop("a hook without a url")],
  [CLAUDE, ofStop({ ...RUN, type: "Command" }), inStop("a hook of type 'Command' instead of 'command'")],
  [CLAUDE, ofStop({ ...RUN, timeout: "30" }), inStop("a hook with a 'timeout' that is not a number of seconds")],
  [CLAUDE, ofStop("true"), inStop("a hook that is not a table")],
  [CLAUDE, { Stop: [RUN] }, inStop("an entry without a list of 'hooks'")],
  [CLAUDE, { Stop: { hooks: [RUN] } }, inStop("something other than a list")],
  [CLAUDE, { Stop: [{ matcher: ["x"], hooks: [] }] }, inStop("an entry with a 'matcher' that is not text")],
  // of newer versions
  [CLAUDE, ofStop({ type: "wasm", module: "x" }), ""],
  [CLAUDE, { ToolBatchStarted: [{ hooks: [RUN] }] }, ""],
  [CLAUDE, { PreToolUsed: [] }, noEvent("PreToolUsed", "PreToolUse")],
  [CLAUDE, { PreTooluse: [] }, noEvent("PreTooluse", "PreToolUse")],
  [CLAUDE, { pre_tool_use: [] }, noEvent("pre_tool_use", "PreToolUse")],
  [CLAUDE, { onStop: [] }, noEvent("onStop", "Stop")],
  // for another client, and switched off
  [CLAUDE, { Stop: [], stop: [] }, ""],
  [CLAUDE, { _Stop: [], Stop_: [], xPreToolUse: [], "// PreToolUse": [] }, ""],
  [CODEX, { sessionStart: [] }, noEvent("sessionStart", "SessionStart", "Codex")],
  [CODEX, { SomethingNew: [] }, ""],
];

describe("a hook that its client ignores", () => {
  test.each(IGNORED)("%s: %j", (path, hooks, said) => {
    using tree = checkProject({ [path]: JSON.stringify({ hooks }) });
    const { stdout, exitCode } = runCheck(tree);
    expect(stdout.replace(/^\S+ /, "")).toBe(said === "" ? "" : `error hook-ignored ${said}\n`);
    expect(exitCode).toBe(said === "" ? 0 : 1);
  });

  test("is found at its line, and many of one file are one finding", () => {
    const broken = Array.from({ length: 5 }, () => ({ type: "command" }));
    using tree = checkProject({ [CLAUDE]: JSON.stringify({ hooks: { Stop: [{ hooks: broken }] } }, null, 2) });
    expect(runCheck(tree).stdout).toBe(
      `${CLAUDE}:6:11 error hook-ignored Claude Code ignores a hook without a command for 'Stop' (also 4 more hooks in this file); correct or remove it\n`,
    );
  });
});
