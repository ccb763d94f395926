import { expect, test } from "bun:test";
import { join } from "node:path";
import { REPOSITORY, runCodelia } from "./support/run-codelia.ts";
import { tempTree } from "./support/temp-tree.ts";

// How many files a newcomer opens to follow a call: those in which a function is run.

const EVENT = JSON.stringify({
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "cd packages/app && sed -n 1,80p src/main.ts | head" },
});

test.each([
  { call: "an idle resolve", args: ["resolve", "packages/app/src/main.ts"], most: 24 },
  { call: "an idle hook with a shell command", args: ["hook", "claude"], stdin: EVENT, most: 34 },
  // One of them saves what was found, once the skills are two seconds old.
  { call: "a search for skills", args: ["skills", "search", "notes"], most: 39 },
])("$call runs through at most $most files", ({ args, stdin = "", most }) => {
  using tree = tempTree({
    "repo/.git/": { dir: true },
    "repo/AGENTS.md": "Rules.\n",
    "repo/packages/app/AGENTS.md": "Rules of app.\n",
    "repo/.agents/skills/notes/SKILL.md": "---\nname: notes\ndescription: Write release notes\n---\n",
    "home/": { dir: true },
  });
  const input = stdin.replace("{", `{"cwd":${JSON.stringify(tree.path("repo"))},`);
  const options = { cwd: tree.path("repo"), home: tree.path("home"), stdin: input, binary: process.execPath };
  const program = [
    `--preload=${join(import.meta.dirname, "support/list-files-run.ts")}`,
    join(REPOSITORY, "src/main.ts"),
  ];
  runCodelia([...program, ...args], options);
  const { stderr, exitCode } = runCodelia([...program, ...args], options);
  const files = stderr.trim().split("\n");
  expect(exitCode).toBe(0);
  expect(files).toContain("workspace.ts");
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
});
