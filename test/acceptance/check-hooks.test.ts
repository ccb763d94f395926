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
    '{ "hooks": { "Stop": [{ "matcher": ["Bash"], "hooks": [] }] } }',
    "Claude Code ignores a settings file with a 'matcher' that is not text; correct it",
  ],
  [CODEX, '{ "hooks": { "Stop": [], "Foo": "x" } }', ""],
  [CODEX, '{ "version": 1 }', "Codex rejects a settings file with the key 'version'; correct it"],
  [
    CODEX,
    '{ "hooks": { "Stop": [{ "hooks": [{ "type": "http", "url": "http://localhost" }] }] } }',
    "Codex rejects a settings file with a hook of type 'http'; correct it",
  ],
];

describe("a settings file that its client refuses", () => {
  test.each(REFUSED)("%s: %s", (path, text, said) => {
    using tree = checkProject({ [path]: `${text}\n` });
    const { stdout, exitCode } = runCheck(tree);
    expect(stdout).toBe(said === "" ? "" : `${path}:1 error hook-unusable ${said}\n`);
    expect(exitCode).toBe(said === "" ? 0 : 1);
  });
});
