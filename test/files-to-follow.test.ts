import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, runCodelia } from "./support/run-codelia.ts";
import { tempTree } from "./support/temp-tree.ts";

// The files that a newcomer opens to follow a call are those in which a function is run: docs/architecture.md names them.

const PAGE = readFileSync(join(REPOSITORY, "docs/architecture.md"), "utf8");

/** The files that a section of the page names. */
function filesNamedIn(heading: string): string[] {
  const section = PAGE.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return Array.from(section.matchAll(/`([\w/-]+\.ts)`/g), ([, path = ""]) => path);
}

const EVENT = JSON.stringify({
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "cd packages/app && sed -n 1,80p src/main.ts | head" },
});

test.each([
  { heading: "An idle `resolve`", args: ["resolve", "packages/app/src/main.ts"], most: 24 },
  { heading: "A hook with a shell command", args: ["hook", "claude"], stdin: EVENT, most: 34 },
  // One of them saves what was found, once the skills are two seconds old.
  { heading: "A search for skills", args: ["skills", "search", "notes"], most: 40 },
])(
  "'$heading' runs through at most $most files, all named in docs/architecture.md",
  ({ heading, args, stdin = "", most }) => {
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
    const named = new Set([...filesNamedIn("An idle `resolve`"), ...filesNamedIn(heading)]);
    expect(files.filter((path) => !named.has(path))).toEqual([]);
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
  },
);
