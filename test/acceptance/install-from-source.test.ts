import { expect, test } from "bun:test";
import { join } from "node:path";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";

const SOURCE = join(REPOSITORY, "src/main.ts");

test("install and doctor know the hooks that they wrote where a runtime runs the source", () => {
  using tree = tempTree({ "home/": { dir: true }, "repo/.git/HEAD": "ref: refs/heads/main\n" });
  const run = (...args: readonly string[]) =>
    runCodelia([SOURCE, ...args], { binary: process.execPath, cwd: tree.path("repo"), home: tree.path("home") });
  const installed = run("install", "claude", "--yes", "--scope", "local", "--channel", "command");
  expect([installed.stdout, installed.exitCode]).toEqual(["", 0]);
  expect(installed.stderr).toContain("wrote '");
  expect(tree.read("repo/.claude/settings.local.json")).toContain(`'${process.execPath}' '${SOURCE}' hook claude`);
  expect(run("doctor", "claude", "--calls", "0").stdout).toContain("local    current");
  expect(run("uninstall", "claude", "--yes", "--scope", "local").stderr).toContain("removed '");
});
