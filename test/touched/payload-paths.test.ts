import { describe, expect, test } from "bun:test";
import { pathsOfToolUse } from "../../src/touched/with-grammar.ts";
import { CWD, HOME, shown } from "./command-table.ts";

const PATCH = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n+x\n*** Add File: docs/b.md\n+y\n*** End Patch\n";
const PATCHED = ["write src/a.ts", "write docs/b.md"];

const CASES: [tool: string, input: unknown, touched: string[]][] = [
  // Claude Code
  ["Read", { file_path: "/r/src/a.ts", offset: 1, limit: 20 }, ["read src/a.ts"]],
  ["Read", { file_path: "~/notes.md" }, ["read /home/u/notes.md"]],
  ["Read", { file_path: "/r/my file (1)[x].md" }, ["read my file (1)[x].md"]],
  ["Edit", { file_path: "/r/src/a.ts", old_string: "lib/x.ts", new_string: "/etc/passwd" }, ["write src/a.ts"]],
  ["MultiEdit", { file_path: "/r/a.ts", edits: [{ old_string: "a", new_string: "b" }] }, ["write a.ts"]],
  ["Write", { file_path: "/r/docs/../docs/n.md", content: "see src/b.ts" }, ["write docs/n.md"]],
  ["NotebookEdit", { notebook_path: "/r/nb/x.ipynb", new_source: "open('y.csv')" }, ["write nb/x.ipynb"]],
  ["NotebookRead", { notebook_path: "nb/x.ipynb" }, ["read nb/x.ipynb"]],
  ["LS", { path: "/r/src", ignore: ["*.js"] }, ["list src"]],
  ["LS", {}, ["list ."]],
  ["Glob", { pattern: "**/*.ts" }, ["list ."]],
  ["Glob", { pattern: "src/**/*.ts" }, ["list src"]],
  ["Glob", { pattern: "core/*.ts", path: "/r/src" }, ["list src", "list src/core"]],
  ["Glob", { pattern: "/r/lib/{a,b}/*.ts" }, ["list lib"]],
  ["Grep", { pattern: "a/b", path: "src" }, ["read src"]],
  ["Grep", { pattern: "x", glob: "packages/a/**/*.ts" }, ["list packages/a"]],
  ["Grep", { pattern: "x", glob: "*.ts", output_mode: "content" }, ["list ."]],
  ["Bash", { command: "cd pkg && cat a.ts", description: "Show lib/x.ts" }, ["list pkg", "read pkg/a.ts"]],
  ["Bash", { command: "npm test", timeout: 1000 }, []],
  ["Bash", { command: 'cat "unterminated' }, ["list ."]],
  ["Bash", { command: "cat a\0b" }, ["list ."]],
  ["Bash", {}, []],
  ["Bash", { command: 7 }, []],
  ["WebFetch", { url: "https://example.com/a/b.html", prompt: "read src/a.ts" }, []],
  ["Skill", { skill: "release", args: "src/a.ts" }, []],
  ["Agent", { prompt: "look at src/a.ts", subagent_type: "Explore", description: "x" }, []],
  ["TodoWrite", { todos: [{ content: "src/a.ts", status: "pending" }] }, []],
  // Codex
  ["exec_command", { cmd: "cat a.ts", workdir: "/r/pkg" }, ["list pkg", "read pkg/a.ts"]],
  ["exec_command", { cmd: "cat a.ts" }, ["read a.ts"]],
  [
    "shell",
    { command: ["bash", "-lc", "cat a.ts && rg x lib"], workdir: "pkg" },
    ["list pkg", "read pkg/a.ts", "read pkg/lib"],
  ],
  ["shell", { command: ["cat", "a b.ts", "$HOME/*.ts"] }, ["read a b.ts", "read $HOME/*.ts"]],
  ["shell", { command: ["apply_patch", PATCH] }, PATCHED],
  ["shell", { command: [] }, []],
  ["shell", { command: [1, null, "ls"] }, ["list ."]],
  ["local_shell", { action: { command: ["cat", "a.ts"], working_directory: "/r/x" } }, ["list x", "read x/a.ts"]],
  ["Bash", { command: `apply_patch <<'EOF'\n${PATCH}EOF` }, PATCHED],
  ["apply_patch", { command: PATCH }, PATCHED],
  ["apply_patch", { input: PATCH }, PATCHED],
  ["apply_patch", { patch: PATCH }, PATCHED],
  ["apply_patch", { command: ["apply_patch", PATCH] }, PATCHED],
  ["apply_patch", PATCH, PATCHED],
  ["apply_patch", { command: "nonsense" }, []],
  ["view_image", { path: "assets/x.png" }, ["read assets/x.png"]],
  ["update_plan", { plan: [{ step: "src/a.ts", status: "pending" }] }, []],
  ["spawn_agent", { message: "look at src/a.ts" }, []],
  // MCP and other hosts
  ["mcp__filesystem__read_text_file", { path: "src/a.ts" }, ["read src/a.ts"]],
  ["mcp__filesystem__read_multiple_files", { paths: ["a.ts", "lib/b.ts", 7, null] }, ["read a.ts", "read lib/b.ts"]],
  ["mcp__filesystem__write_file", { path: "/r/a.ts", content: "x/y.ts" }, ["write a.ts"]],
  ["mcp__filesystem__move_file", { source: "a/x.ts", destination: "b/y.ts" }, ["write a/x.ts", "write b/y.ts"]],
  ["mcp__filesystem__list_directory", { path: "src" }, ["list src"]],
  ["mcp__fs__search", { root: "/r/lib", query: "a/b" }, ["list lib"]],
  ["mcp__ide__getDiagnostics", { uri: "file:///r/src/a%20b.ts" }, ["read src/a b.ts"]],
  ["mcp__ide__open", { uri: "https://example.com/x.ts" }, []],
  ["mcp__ide__open", { uri: "file:///r/100%.ts" }, ["read 100%.ts"]],
  [
    "mcp__git__diff",
    { repo_path: "/r", cwd: "/r/pkg", files: [{ filePath: "x.ts" }] },
    ["list pkg", "read .", "read pkg/x.ts"],
  ],
  ["mcp__serena__find_symbol", { name_path: "Foo/bar", relative_path: "src/a.ts" }, ["list Foo/bar", "list src/a.ts"]],
  ["mcp__db__query", { source: "users", sql: "select 'a/b.ts'", target: "prod" }, []],
  ["mcp__x__run", { options: { nested: { deep: { target_file: "a.ts" } } } }, ["read a.ts"]],
  ["mcp__shell__run_command", { command: "cat a.ts" }, ["read a.ts"]],
  ["read_file", { absolute_path: "/r/a.ts" }, ["read a.ts"]],
  ["replace", { file_path: "a.ts", old_string: "x" }, ["write a.ts"]],
  ["run_shell_command", { command: "rm -rf dist", directory: "pkg" }, ["list pkg", "write pkg/dist"]],
  ["read_many_files", { paths: ["docs/**/*.md", "*.ts"] }, ["read docs", "read ."]],
  ["search_replace", { target_file: "a.ts" }, ["write a.ts"]],
  // What can't be a path
  ["Read", { file_path: "a\0b" }, []],
  ["Read", { file_path: "" }, []],
  ["Read", { file_path: 7 }, []],
  ["Read", { file_path: "x".repeat(5000) }, []],
  ["Read", undefined, []],
  ["Read", null, []],
  ["Read", ["/r/a.ts"], []],
  ["Read", "a.ts", []],
  ["", { path: "a.ts" }, ["read a.ts"]],
];

describe("pathsOfToolUse()", () => {
  for (const [tool, input, touched] of CASES) {
    test(`${tool} ${JSON.stringify(input)?.slice(0, 90)}`, () => {
      expect(shown(pathsOfToolUse({ tool, input, cwd: CWD, home: HOME }))).toEqual(touched);
    });
  }

  test("gives at most 512 paths, each once", () => {
    const paths = Array.from({ length: 2000 }, (_, index) => `d/${index % 1000}.ts`);
    expect(pathsOfToolUse({ tool: "x", input: { paths }, cwd: CWD, home: HOME })).toHaveLength(512);
    const command = `cat ${paths.join(" ")}`;
    expect(pathsOfToolUse({ tool: "Bash", input: { command }, cwd: CWD, home: HOME })).toHaveLength(512);
  });

  test("takes the strongest access of a path, at its first place", () => {
    const input = { command: "ls src; cat b; cat src; echo > src; ls src" };
    expect(shown(pathsOfToolUse({ tool: "Bash", input, cwd: CWD, home: HOME }))).toEqual(["write src", "read b"]);
  });

  test("ends in an input without an end", () => {
    const input: Record<string, unknown> = { path: "a.ts" };
    input["self"] = input;
    input["list"] = [input, [input]];
    expect(shown(pathsOfToolUse({ tool: "x", input, cwd: CWD, home: HOME }))).toEqual(["read a.ts"]);
  });
});

test("pathsOfToolUse() takes what git calls the top of the tree for the root, where it is known", () => {
  const command = 'cd packages/b; cat "$(git rev-parse --show-toplevel)/a.ts" `git rev-parse --show-toplevel`/b.ts';
  const use = { tool: "Bash", input: { command }, cwd: `${CWD}/packages/a`, home: HOME };
  expect(shown(pathsOfToolUse({ ...use, root: CWD })).slice(1)).toEqual(["read a.ts", "read b.ts"]);
  expect(shown(pathsOfToolUse(use)).slice(1)).toEqual(["read packages/a/a.ts", "read packages/a/b.ts"]);
});
