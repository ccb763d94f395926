import { expect, test } from "bun:test";
import { run } from "../../.tools/lib/run.mjs";

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
