import { expect, test } from "bun:test";
import { run } from "../../.tools/lib/run.mjs";
import { testEnvironment } from "../../.tools/lib/test-environment.mjs";

test.each([
  ["an exit code", "process.exit(64)", 64],
  ["SIGTERM as 143", "process.kill(process.pid, 'SIGTERM')", 143],
  ["SIGINT as 130", "process.kill(process.pid, 'SIGINT')", 130],
])("run() passes on %s", async (_, script, expected) => {
  expect(await run(process.execPath, ["-e", script], { stdio: "ignore" })).toBe(expected);
});

test("run() rejects when the program can't be started", async () => {
  const failure = await run("/nonexistent/program", []).catch((error: NodeJS.ErrnoException) => error.code);
  expect(failure).toBe("ENOENT");
});

test("testEnvironment() keeps what a test may know and drops what the caller is", () => {
  const kept = { PATH: "/bin", HOME: "/home/u", LANG: "C", MY_CODEX: "1" };
  const dropped = {
    CODELIA_HOME: "/x",
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: "s",
    CODEX_THREAD_ID: "t",
    XDG_STATE_HOME: "/y",
    NO_COLOR: "1",
    FORCE_COLOR: "1",
    GITHUB_ACTIONS: "true",
    INIT_CWD: "/z",
  };
  expect(testEnvironment({ ...kept, ...dropped })).toEqual(kept);
});
