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
