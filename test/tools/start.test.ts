import { expect, test } from "bun:test";
import { startProgram, REPOSITORY } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";

/** What npm does: it starts the script in the checkout and names the place where it was called. */
function start(args: readonly string[], calledFrom: string) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: calledFrom, INIT_CWD: calledFrom };
  return startProgram(process.execPath, [".tools/start.mjs", ...args], { cwd: REPOSITORY, env });
}

test("start.mjs without arguments shows the context of the directory it was called from", async () => {
  using tree = tempTree({ ".git/HEAD": "", "AGENTS.md": "Called from here.\n" });
  const { stdout, stderr, exitCode } = await start([], tree.root);
  expect(stdout).toContain("Called from here.");
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
});

test("start.mjs takes a relative --cwd from there", async () => {
  using tree = tempTree({ ".git/HEAD": "", "sub/AGENTS.md": "From below.\n" });
  const { stdout, stderr, exitCode } = await start(["init-context", "--no-state", "--cwd", "sub"], tree.root);
  expect(stdout).toContain("From below.");
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
});

test("start.mjs ends as the program does", async () => {
  using tree = tempTree();
  const { stdout, exitCode } = await start(["no-such-verb"], tree.root);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 64 });
});
