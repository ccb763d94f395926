import { expect, test } from "bun:test";
import { after, bash, before, hook, read, start } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

// The client's own instruction files below the start of a session, which it does not load for every command.

const rule = (paths: string, text = "Rule.\n") => `---\npaths: ${paths}\n---\n${text}`;

const TREE = {
  "home/": { dir: true },
  "repo/.git/": { dir: true },
  "repo/CLAUDE.md": "Be brief.\n",
  "repo/.claude/rules/always.md": "For all.\n",
  "repo/.claude/rules/types.md": rule("'**/*.ts'"),
  "repo/app/AGENTS.md": "Rules of the app.\n",
  "repo/app/CLAUDE.md": "Memory of the app.\n",
  "repo/app/main.ts": "",
  "repo/app/notes.md": "",
} as const;

/** The user's own directory is above the project, as it mostly is. */
const AT_HOME = Object.fromEntries(
  Object.entries(TREE)
    .filter(([path]) => path.startsWith("repo/"))
    .map(([path, entry]) => [`home/${path}`, entry]),
);

/** The files that an answer names, below the repository. */
function named(tree: TempTree, context: string): string[] {
  return [...context.matchAll(/^- (.*) \(mtime: /gm)].map(([, path = ""]) => path.replace(`${tree.path("repo")}/`, ""));
}

function run(tree: TempTree, command: string): string[] {
  return named(tree, hook(tree, bash(command)).context);
}

test("each is named with the first command that needs it, and with no other", () => {
  using tree = tempTree(TREE);
  hook(tree, start());
  expect(run(tree, "ls app")).toEqual(["app/AGENTS.md", "app/CLAUDE.md"]);
  expect(run(tree, "wc -l app/notes.md | cat")).toEqual([]);
  expect(run(tree, "rm app/main.ts")).toEqual([".claude/rules/types.md"]);
  expect(run(tree, "ls app; wc -l app/main.ts")).toEqual([]);
});

test("what the client loads with a tool is known from then on", () => {
  using tree = tempTree(TREE);
  hook(tree, start());
  const path = tree.path("repo/app/main.ts");
  expect(named(tree, hook(tree, read(path)).context)).toEqual(["app/AGENTS.md"]);
  hook(tree, after("Read", { file_path: path }));
  expect(run(tree, "rm app/main.ts")).toEqual([]);
});

test("a changed one is named again, and one that is gone is taken back, once", () => {
  using tree = tempTree(TREE);
  hook(tree, start());
  run(tree, "rm app/main.ts");
  tree.write("repo/app/CLAUDE.md", "Another memory of the app.\n");
  expect(run(tree, "ls app")).toEqual(["app/CLAUDE.md"]);
  tree.remove("repo/app/CLAUDE.md");
  expect(hook(tree, bash("ls app")).context).toContain(
    `No longer in force, disregard what they said:\n- ${tree.path("repo/app/CLAUDE.md")}\n`,
  );
  expect(hook(tree, bash("ls app")).context).toBe("");
});

test("one that is excluded, or says nothing of its own, is not named", () => {
  using tree = tempTree({
    ...TREE,
    "repo/.claude/settings.json": '{"claudeMdExcludes":["**/app/CLAUDE.md"]}',
    "repo/lib/CLAUDE.md": "@AGENTS.md\n",
    "repo/lib/AGENTS.md": "Rules of the lib.\n",
    "repo/blank/CLAUDE.md": "<!-- later -->\n",
    "repo/linked/CLAUDE.md": { link: "AGENTS.md" },
    "repo/linked/AGENTS.md": "Rules of linked.\n",
    "repo/out/CLAUDE.md": { link: "../../home/secret.md" },
    "home/secret.md": "Secret.\n",
  });
  hook(tree, start());
  expect(run(tree, "ls app lib blank linked out")).toEqual(["app/AGENTS.md", "lib/AGENTS.md", "linked/CLAUDE.md"]);
  expect(run(tree, "ls app lib blank linked out")).toEqual([]);
});

test("a skill for some files is named by its path, unless codelia lists it or it is disabled", () => {
  const skill = (name: string, paths: string) =>
    `---\nname: ${name}\ndescription: Does it.\npaths: ${paths}\n---\nText.\n`;
  using tree = tempTree({
    ...TREE,
    "repo/.claude/skills/types/SKILL.md": skill("types", "'*.ts'"),
    "repo/.claude/skills/off/SKILL.md": skill("off", "'*.ts'"),
    "repo/.claude/skills/all/SKILL.md": skill("all", "'**'"),
    "repo/.claude/skills/shared": { link: "../../.agents/skills/shared" },
    "repo/.agents/skills/shared/SKILL.md": skill("shared", "'*.ts'"),
    "repo/.codelia/config.json": '{ "skills": { "disabled": ["off"] } }',
  });
  // The client doesn't list it when a session starts, so codelia does.
  expect(hook(tree, start()).context).toContain("<name>shared</name>");
  expect(run(tree, "rm app/main.ts")).toEqual([
    ".claude/rules/types.md",
    ".claude/skills/types/SKILL.md",
    "app/AGENTS.md",
    "app/CLAUDE.md",
  ]);
  expect(run(tree, "rm app/main.ts")).toEqual([]);
  hook(tree, { ...start(), session_id: "other" });
  hook(tree, { ...after("Edit", { file_path: tree.path("repo/app/main.ts") }), session_id: "other" });
  expect(hook(tree, { ...bash("rm app/main.ts"), session_id: "other" }).context).not.toContain("types");
});

test("a rule of the user's own is named as well, by patterns from where the session began", () => {
  using tree = tempTree({
    ...AT_HOME,
    "repo/": { dir: true },
    "home/.claude/rules/tools.md": rule("app/*.md"),
    "home/.claude/rules/all.md": "For all.\n",
  });
  const where = { cwd: tree.path("home/repo") };
  hook(tree, { ...start(), ...where });
  const { context } = hook(tree, { ...bash("rm app/notes.md"), ...where });
  expect(named(tree, context)).toContain(tree.path("home/.claude/rules/tools.md"));
  expect(hook(tree, { ...bash("rm app/notes.md"), ...where }).context).toBe("");
});

test("a rule is named with its directory, and one that is written later as well", () => {
  using tree = tempTree({ ...TREE, "repo/.claude/rules/later.md": "For all, so far.\n" });
  hook(tree, start());
  tree.write("repo/.claude/rules/notes.md", rule("app/*"));
  expect(run(tree, "ls app")).toContain(".claude/rules/notes.md");
  tree.write("repo/.claude/rules/more/names.md", rule("'*.md'"));
  tree.write("repo/.claude/rules/later.md", rule("'*.md'"));
  expect(run(tree, "rm app/notes.md")).toEqual([".claude/rules/later.md", ".claude/rules/more/names.md"]);
  expect(run(tree, "rm app/notes.md")).toEqual([]);
});

test("other clients are not told of them", () => {
  using tree = tempTree(TREE);
  hook(tree, start(), ["codex"]);
  const { context } = hook(tree, before("Bash", { command: "ls app; rm app/main.ts" }), ["codex"]);
  expect(named(tree, context)).toEqual(["app/AGENTS.md"]);
});

test("a resumed session is not told that they are gone", () => {
  using tree = tempTree(TREE);
  hook(tree, start());
  run(tree, "rm app/main.ts");
  expect(hook(tree, start("resume")).context).toBe("");
  expect(
    hook(tree, { hook_event_name: "UserPromptSubmit", prompt: "See app/notes.md and @app/AGENTS.md" }).context,
  ).toBe("");
});

test("preview shows what comes with an edit, and explain what a context was told", () => {
  using tree = tempTree(TREE);
  const where = { cwd: tree.path("repo"), home: tree.path("home") };
  const previewed = runCodelia(["preview", "--as", "claude", "--json", "app/main.ts"], where);
  expect(JSON.parse(previewed.stdout).withEdit).toEqual([
    tree.path("repo/.claude/rules/types.md"),
    tree.path("repo/app/CLAUDE.md"),
  ]);
  hook(tree, start());
  run(tree, "rm app/main.ts");
  const explained = runCodelia(["explain", "--session", "s", "--json", "app/main.ts"], where);
  const told = JSON.parse(explained.stdout).told as { path: string; state: string }[];
  expect(told.map(({ path, state }) => [path.replace(`${tree.path("repo")}/`, ""), state])).toEqual([
    ["app/AGENTS.md", "told"],
    [".claude/rules/types.md", "told"],
    ["app/CLAUDE.md", "told"],
  ]);
});
