import { describe, expect, test } from "bun:test";
import { hook, WITH_CODELIA, optionsOf, eventText, type Fields } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Kimi Code: of a tool call its model hears only why it is refused, and it names many instruction files by itself.

const TREE: Readonly<Record<string, Entry>> = {
  "home/.codelia/config.json": '{"agents":{"resolver":{"gate":"tell"}}}',
  "repo/.git/": dir,
  "repo/AGENTS.md": "Root rules.\n",
  "repo/app/AGENTS.md": "App rules.\n",
  "repo/app/main.ts": "",
  "repo/pack/AGENTS.override.md": "Pack rules.\n",
  "repo/pack/one.ts": "",
  "repo/pkg/AGENTS.md": "Package rules.\n",
  "repo/pkg/.agents/skills/publish/SKILL.md": "---\nname: publish\ndescription: Publish it\n---\nBody.\n",
  "repo/bare/.agents/skills/clean/SKILL.md": "---\nname: clean\ndescription: Clean it\n---\nBody.\n",
};
const KEPT = "Nothing was done: the call is kept back once";

const before = (tool: string, input: object): Fields => ({
  hook_event_name: "PreToolUse",
  tool_name: tool,
  tool_input: input,
});
const after = (tool: string, input: object, output = "1\t\n"): Fields => ({
  hook_event_name: "PostToolUse",
  tool_name: tool,
  tool_input: input,
  tool_output: output,
});
const reasonOf = (tree: TempTree, fields: Fields) => hook(tree, fields, ["kimi"]).refusal?.reason ?? "";
const bash = (tree: TempTree, command: string) => reasonOf(tree, before("Bash", { command }));

/** What a prompt brings; "" for nothing. */
function prompt(tree: TempTree, text = "Go.", session = "s"): string {
  const event = { hook_event_name: "UserPromptSubmit", prompt: [{ type: "text", text }], session_id: session };
  const { stdout, exitCode } = runCodelia(["hook", "kimi"], optionsOf(tree, eventText(tree, event)));
  expect(exitCode).toBe(0);
  return stdout === "" ? "" : JSON.parse(stdout).message;
}

/** The client's whole call of a tool that it carries out. */
function use(tree: TempTree, tool: string, input: object): string {
  const said = reasonOf(tree, before(tool, input));
  if (said === "") expect(hook(tree, after(tool, input), ["kimi"]).stdout).toBe("");
  return said;
}

describe("hook kimi: what the client names itself is not told", () => {
  const CALLS: [what: string, tool: string, input: (tree: TempTree) => object][] = [
    ["Read", "Read", (tree) => ({ path: tree.path("repo/app/main.ts") })],
    ["Read, by a relative path", "Read", () => ({ path: "app/main.ts" })],
    ["Edit", "Edit", (tree) => ({ path: tree.path("repo/app/main.ts"), old_string: "a", new_string: "b" })],
    ["Write", "Write", (tree) => ({ path: tree.path("repo/app/new.ts"), content: "" })],
    ["Glob", "Glob", (tree) => ({ pattern: "*.ts", path: tree.path("repo/app") })],
    ["Grep", "Grep", () => ({ pattern: "x", path: "app" })],
    ["ls", "Bash", () => ({ command: "ls -la app" })],
    ["find, piped", "Bash", () => ({ command: "find app -name '*.ts' | head -5" })],
    ["cd and tree", "Bash", () => ({ command: "cd app && tree" })],
  ];
  test.each(CALLS)("with %s, nor with a shell command afterwards", (_, tool, input) => {
    using tree = tempTree(TREE);
    prompt(tree);
    expect(use(tree, tool, input(tree))).toBe("");
    expect(bash(tree, "cat app/main.ts")).toBe("");
  });

  test("but a file that it does not look for is, and one that has changed since", () => {
    using tree = tempTree(TREE);
    prompt(tree);
    const pack = { path: tree.path("repo/pack/one.ts") };
    expect(use(tree, "Read", pack)).toContain("pack/AGENTS.override.md (mtime");
    expect(use(tree, "Read", pack)).toBe("");
    const app = { path: tree.path("repo/app/main.ts") };
    expect(use(tree, "Read", app)).toBe("");
    tree.write("repo/app/AGENTS.md", "Other app rules.\n");
    expect(use(tree, "Read", app)).toContain("(changed: read it again)");
    expect(use(tree, "Read", app)).toBe("");
  });

  test("nor that a file of the start has changed: it says so itself", () => {
    using tree = tempTree(TREE);
    prompt(tree);
    tree.write("repo/AGENTS.md", "Other root rules.\n");
    expect(bash(tree, "touch x")).toBe("");
    expect(prompt(tree)).toBe("");
  });
});

test("preview says what the client names with an edit, and what a call would be kept back for", () => {
  using tree = tempTree(TREE);
  const preview = (path: string) =>
    runCodelia(["preview", path, "--as", "kimi"], { cwd: tree.path("repo"), home: tree.path("home") }).stdout;
  const named = preview("app/main.ts");
  expect(named).toContain(`- the client itself names ${tree.path("repo/app/AGENTS.md")} with the edit\n`);
  expect(named).toContain("adds nothing: all that applies there is given or named without it\n");
  expect(preview("pack/one.ts")).toContain(`===== in place of the first edit of ${tree.path("repo/pack/one.ts")}: `);
});

test("hook kimi: without 'agents.resolver.gate' no call is kept back, and nothing counts as told", () => {
  using tree = tempTree({ ...TREE, "home/.codelia/config.json": "{}" });
  prompt(tree);
  expect(bash(tree, "sed -i s/a/b/ app/main.ts")).toBe("");
  tree.write("home/.codelia/config.json", TREE["home/.codelia/config.json"] as string);
  expect(bash(tree, "sed -i s/a/b/ app/main.ts")).toContain("app/AGENTS.md (mtime");
});

describe("hook kimi: a call is kept back once", () => {
  test("for a file that the client does not name, and the repeated call runs", () => {
    using tree = tempTree(TREE);
    prompt(tree);
    const said = bash(tree, "sed -i s/a/b/ app/main.ts");
    expect(said).toContain("app/AGENTS.md (mtime");
    // It has not been made, so there is no edit to check.
    expect(said).toContain("Read and apply these files before editing files in this scope.");
    expect(said).toContain(KEPT);
    expect(bash(tree, "sed -i s/a/b/ app/main.ts")).toBe("");
    expect(bash(tree, "cat app/main.ts")).toBe("");
  });

  test("not for the file that the command shows", () => {
    using tree = tempTree(TREE);
    prompt(tree);
    expect(bash(tree, "cat app/AGENTS.md")).toBe("");
    expect(hook(tree, after("Bash", { command: "cat app/AGENTS.md" }, "App rules.\n"), ["kimi"]).stdout).toBe("");
    expect(bash(tree, "cat app/main.ts")).toBe("");
  });

  test("with the skills of the package, but not for skills alone", () => {
    using tree = tempTree(TREE);
    prompt(tree);
    expect(bash(tree, "cat pkg/x.ts")).toContain("<name>publish</name>");
    expect(bash(tree, "cat bare/x.ts")).toBe("");
    expect(prompt(tree, "Look at @bare/x.ts")).toContain("<name>clean</name>");
  });

  test("with the text where the settings say so; an edit until the file was read", () => {
    const config = (resolver: object) => ({ "repo/.codelia/config.json": JSON.stringify({ agents: { resolver } }) });
    {
      using tree = tempTree({ ...TREE, ...config({ delivery: "body" }) });
      prompt(tree);
      const said = bash(tree, "cat app/main.ts");
      expect(said).toContain("App rules.");
      expect(said).toContain(KEPT);
    }
    {
      using tree = tempTree({ ...TREE, ...config({ gate: "edit" }) });
      prompt(tree);
      const edit = { path: tree.path("repo/app/main.ts"), old_string: "a", new_string: "b" };
      expect(use(tree, "Read", { path: tree.path("repo/app/main.ts") })).toBe("");
      expect(use(tree, "Edit", edit)).toContain("app/AGENTS.md");
      expect(use(tree, "Edit", edit)).toBe("");
    }
  });

  test("never if that can't be recorded", () => {
    using tree = tempTree(TREE);
    prompt(tree);
    const event = eventText(tree, before("Bash", { command: "cat app/main.ts" }));
    const { stdout, exitCode } = runCodelia(["hook", "kimi", "--no-state"], {
      ...optionsOf(tree, event),
      env: { PATH: WITH_CODELIA },
    });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
  });
});

describe("hook kimi: a session that is resumed", () => {
  const resume = (tree: TempTree, session = "s") =>
    hook(tree, { hook_event_name: "SessionStart", source: "resume", session_id: session }, ["kimi"]).stdout;

  test("is told with its next prompt what has changed, once: the client reads nothing anew", () => {
    using tree = tempTree(TREE);
    prompt(tree);
    bash(tree, "cat app/main.ts");
    tree.write("repo/AGENTS.md", "Other root rules.\n");
    tree.write("repo/app/AGENTS.md", "Other app rules.\n");
    expect(resume(tree)).toBe("");
    const said = prompt(tree);
    expect(said).toContain('type="session.resume.diff"');
    expect(said).toContain(`- ${tree.path("repo/AGENTS.md")} (mtime`);
    expect(said).toContain(`- ${tree.path("repo/app/AGENTS.md")} (mtime`);
    expect(prompt(tree)).toBe("");
    expect(bash(tree, "cat app/main.ts")).toBe("");
  });

  test("and nothing if nothing has, nor another session", () => {
    using tree = tempTree(TREE);
    prompt(tree);
    resume(tree);
    expect(prompt(tree)).toBe("");
    resume(tree, "other");
    tree.write("repo/AGENTS.md", "Other root rules.\n");
    expect(prompt(tree)).toBe("");
  });
});

test.each([
  ["was told of a path", ["resolve", "pkg/x.ts"]],
  ["loaded a skill", ["skills", "load", "publish", "--cwd", "pkg"]],
])("a session that only %s begins with its first prompt, once", (_, args) => {
  using tree = tempTree(TREE);
  const { exitCode } = runCodelia([...args, "--session", "s"], optionsOf(tree, ""));
  expect(exitCode).toBe(0);
  expect(prompt(tree)).toContain("<agents_usage>");
  expect(prompt(tree)).toBe("");
});
