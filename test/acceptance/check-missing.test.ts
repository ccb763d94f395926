import { describe, expect, test } from "bun:test";
import { checkProject, foundIn, runCheck } from "../support/check-project.ts";
import { dir, type Entry } from "../support/temp-tree.ts";

// `codelia check` on what is missing: commands, imports, names, links between skills, paths into submodules.

const PACKAGE = JSON.stringify({ scripts: { build: "x", "clean:generated": "x" } });
const WEB = JSON.stringify({ name: "@acme/web", scripts: { dev: "x" } });

const COMMANDS: [what: string, files: Readonly<Record<string, Entry>>, found: string[]][] = [
  ["a script that any package has", { "AGENTS.md": "`npm run dev`", "web/package.json": WEB }, []],
  ["no package at all", { "AGENTS.md": "`npm run dev`" }, []],
  ["a script that no package has", { "AGENTS.md": "`npm run x1`", "package.json": PACKAGE }, ["AGENTS.md:1"]],
  ["a program", { "AGENTS.md": "`yarn eslint`", "package.json": PACKAGE }, []],
  ["other separators", { "AGENTS.md": "`yarn clean-generated`", "package.json": PACKAGE }, ["AGENTS.md:1"]],
  [
    "a script of another package",
    { "AGENTS.md": "`pnpm --filter web run build`", "package.json": PACKAGE, "web/package.json": WEB },
    ["AGENTS.md:1"],
  ],
  ["a package elsewhere", { "AGENTS.md": "`pnpm --filter api run build`", "package.json": PACKAGE }, []],
  ["an unreadable package.json", { "AGENTS.md": "`npm run x1`", "package.json": "{" }, []],
  ["a target", { "AGENTS.md": "`make lint`", Makefile: "lint test: x\n\ttrue\n" }, []],
  ["no target", { "AGENTS.md": "`make lint`", Makefile: "test:\n\ttrue\nlint := x\n" }, ["AGENTS.md:1"]],
  ["no target but a variable", { "AGENTS.md": "`make lint`", Makefile: "lint ::= x\n" }, ["AGENTS.md:1"]],
  ["a target with two colons", { "AGENTS.md": "`make lint`", Makefile: "lint :: x\n" }, []],
  ["a name too short for its pattern", { "AGENTS.md": "`make a-b`", Makefile: "a-%-b:\n" }, ["AGENTS.md:1"]],
  [
    "an included target, with a remark",
    { "AGENTS.md": "`make lint`", Makefile: "-include a.mk # b\n", "a.mk": "lint:\n" },
    [],
  ],
  ["an included target", { "AGENTS.md": "`make lint`", Makefile: "include a.mk\n", "a.mk": "lint:\n" }, []],
  ["computed targets", { "AGENTS.md": "`make lint`", Makefile: "$(ALL): x\n\ttrue\n" }, []],
  ["a pattern", { "AGENTS.md": "`make test-a` `make lint`", Makefile: "test-%:\n\ttrue\n" }, ["AGENTS.md:1"]],
  ["a Makefile made by another program", { "AGENTS.md": "`make x1`", Makefile: "a:\n", "CMakeLists.txt": "" }, []],
  ["a recipe", { "AGENTS.md": "`just gen`", justfile: "gen *args='':\n  true\n" }, []],
  ["an imported recipe", { "AGENTS.md": "`just gen`", justfile: 'import "a.just"\n', "a.just": "gen:\n" }, []],
  ["an alias", { "AGENTS.md": "`just g`", ".justfile": "alias g := gen\ngen:\n  true\n" }, []],
  ["no recipe", { "AGENTS.md": "`just lint`", justfile: "lint := 'x'\ngen:\n  true\n" }, ["AGENTS.md:1"]],
  ["a template's own", { "template/AGENTS.md": "`npm run x1`", "package.json": PACKAGE }, []],
];
describe("commands", () => {
  test.each(COMMANDS)("%s", (_what, files, found) => {
    using tree = checkProject(files);
    expect(foundIn(tree)).toEqual(found.map((place) => `${place} instructions-missing-command`));
  });

  test("the remedy names the script that is meant", () => {
    using tree = checkProject({ "AGENTS.md": "Run `yarn clean-generated`.\n", "package.json": PACKAGE });
    expect(runCheck(tree)).toEqual({
      stdout:
        "AGENTS.md:1:6 warning instructions-missing-command 'yarn clean-generated': no package.json here has a script 'clean-generated'; correct it: there is 'clean:generated'\n",
      stderr: "codelia: 1 warning (1 file checked)\n",
      exitCode: 0,
    });
  });
});

const IMPORTS: [text: string, found: number][] = [
  ["@docs/none.md", 1],
  ["@./none.json and @README.md", 1],
  ["See @none.md first.", 1],
  ["@types/node @someone @acme/web", 0],
  ["`@none.md`", 0],
  ["@~/none.md @/none.md @../none.md", 0],
  ["@build/api.md", 0],
  ["Write to me@example.md.", 0],
];
describe("imports", () => {
  test.each(IMPORTS)("%s", (text, count) => {
    using tree = checkProject({ "AGENTS.md": `${text}\n`, "README.md": "Read.\n", ".gitignore": "build/\n" });
    const rules = foundIn(tree).map((place) => place.split(" ")[1]);
    expect(rules).toEqual(Array.from({ length: count }, () => "instructions-missing-import"));
  });
});

const PAGES: [what: string, files: Readonly<Record<string, Entry>>, found: string[]][] = [
  ["one that imports", { "CLAUDE.md": "@docs/a.md\n", "docs/a.md": "Text.\n@b.md\n" }, ["docs/a.md:2"]],
  ["from its own directory", { "CLAUDE.md": "@docs/a.md\n", "docs/a.md": "@sub/b.md\n", "docs/sub/b.md": "B.\n" }, []],
  ["by two ways", { "CLAUDE.md": "@a.md\n@b.md\n", "a.md": "@none.md\n", "b.md": "@a.md\n" }, ["a.md:1"]],
  ["in a sentence", { "CLAUDE.md": "@a.md\n", "a.md": "See @none.md first.\n" }, ["a.md:1"]],
  ["in code", { "CLAUDE.md": "@a.md\n", "a.md": "`@none.md`\n" }, []],
  ["a mention from the root", { "CLAUDE.md": "@docs/a.md\n", "docs/a.md": "@docs/b.md\n", "docs/b.md": "B.\n" }, []],
  ["of a file that nobody imports", { "CLAUDE.md": "See docs/a.md.\n", "docs/a.md": "@none.md\n" }, []],
  ["of a file that only mentions it", { "AGENTS.md": "@docs/a.md\n", "docs/a.md": "@none.md\n" }, []],
  ["through AGENTS.md", { "CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "@a.md\n", "a.md": "@none.md\n" }, ["a.md:1"]],
  [
    "that links lead to",
    { "CLAUDE.md": "@a.md\n", "a.md": { link: "docs/a.md" }, "docs/a.md": "@b.md\n", "docs/b.md": "B.\n" },
    [],
  ],
  ["in a circle", { "CLAUDE.md": "@a.md\n", "a.md": "@b.md\n", "b.md": "@a.md\n@CLAUDE.md\n" }, []],
  ["that git ignores", { "CLAUDE.md": "@a.md\n", "a.md": "@none.md\n", ".gitignore": "a.md\n" }, []],
  [
    "as deep as the client follows",
    { "CLAUDE.md": "@a.md", "a.md": "@b.md", "b.md": "@c.md", "c.md": "@d.md\n@none.md\n", "d.md": "@none.md\n" },
    ["c.md:2"],
  ],
];
describe("imports of imported pages", () => {
  test.each(PAGES)("%s", (_what, files, found) => {
    using tree = checkProject(files);
    expect(foundIn(tree)).toEqual(found.map((place) => `${place} instructions-missing-import`));
  });

  test("a comment in the page disables the rule", () => {
    const text = "<!-- codelia-disable-next-line instructions-missing-import: the build writes it -->\n@none.md\n";
    using tree = checkProject({ "CLAUDE.md": "@a.md\n", "a.md": text });
    expect(foundIn(tree)).toEqual([]);
  });
});

const CASES: [text: string, remedies: string[]][] = [
  ["Read `docs/Style.md`.", ["docs/style.md"]],
  ["The style is in `Docs/style.md`.", ["docs/style.md"]],
  ["Read [the style](DOCS/STYLE.md).", ["docs/style.md"]],
  ["It begins in `src/app.ts`.", ["src/App.ts"]],
  ["Both: `src/both.ts`, `src/Both.ts`.", []],
  ["Not in `Docs/style.md`.", []],
  ["Create `docs/Style.md`.", []],
  ["Read `docs/stile.md`.", [""]],
];
test("in a rule of Claude Code", () => {
  using tree = checkProject({
    ".claude/rules/web/api.md": "---\npaths: web/**\n---\nRead `docs/a.md` first.\n\nRun `npm run gone`.\n",
    ".claude/rules/linked.md": { link: "../../docs/b.md" },
    "docs/b.md": "Read `docs/c.md` first.\n",
    "package.json": '{ "scripts": { "check": "true" } }',
  });
  expect(foundIn(tree)).toEqual([
    ".claude/rules/web/api.md:4 instructions-missing-path",
    ".claude/rules/web/api.md:6 instructions-missing-command",
  ]);
  expect(runCheck(tree).stderr).toContain("(1 file checked)");
});

describe("paths in another letter case", () => {
  test.skipIf(process.platform !== "linux").each(CASES)("%s", (text, remedies) => {
    const files = { "docs/style.md": "", "src/App.ts": "", "src/both.ts": "", "src/Both.ts": "" };
    using tree = checkProject({ "AGENTS.md": `${text}\n`, ...files });
    const lines = runCheck(tree)
      .stdout.split("\n")
      .filter((line) => line !== "");
    const remedy = (meant: string) =>
      meant === "" ? "add it or correct the path" : `correct the path: there is '${meant}'`;
    expect(lines.map((line) => line.split("; ")[1])).toEqual(remedies.map(remedy));
  });
});

const NAMES: [text: string, files: string[], found: number][] = [
  ["Fields are in `ActivityEditor.tsx`.", ["src/ActivitiesEditor.tsx"], 1],
  ["Fields are in `activity_editor.py`.", ["src/activity-editor.py"], 1],
  ["Fields are in `ActivityEditor.tsx`.", ["src/ActivityEditor.tsx", "src/ActivitiesEditor.tsx"], 0],
  ["Fields are in `ActivityEditor.tsx`.", ["src/ActivitiesEditor.tsx", "src/activity-editor.tsx"], 0],
  ["Fields are in `ActivityEditor.tsx`.", ["src/Other.tsx"], 0],
  ["Create `ActivityEditor.tsx`.", ["src/ActivitiesEditor.tsx"], 0],
  ["Not `ActivityEditor.tsx`, but another.", ["src/ActivitiesEditor.tsx"], 0],
];
describe("names", () => {
  test.each(NAMES)("%s %j", (text, files, count) => {
    using tree = checkProject({ "AGENTS.md": `${text}\n`, ...Object.fromEntries(files.map((path) => [path, ""])) });
    const rules = foundIn(tree).map((place) => place.split(" ")[1]);
    expect(rules).toEqual(Array.from({ length: count }, () => "instructions-wrong-name"));
  });
});

describe("links of skills", () => {
  const skill = (name: string) => `---\nname: ${name}\ndescription: Review ${name}\n---\nBegin.\n`;
  const skills = Object.fromEntries(["a1", "b1", "c1"].map((name) => [`.agents/skills/${name}/SKILL.md`, skill(name)]));
  const link = (name: string) => ({ [`.claude/skills/${name}`]: { link: `../../.agents/skills/${name}` } });
  const LINKS: [what: string, links: Readonly<Record<string, Entry>>, found: string[]][] = [
    ["one forgotten", { ...link("a1"), ...link("b1") }, [".agents/skills/c1/SKILL.md:1 skill-not-linked"]],
    ["a choice", link("a1"), []],
    ["all", { ...link("a1"), ...link("b1"), ...link("c1") }, []],
    ["the directory", { ".claude/skills": { link: "../.agents/skills" } }, []],
    ["another of the name", { ...link("a1"), ...link("b1"), ".claude/skills/c1/SKILL.md": skill("c1") }, []],
  ];
  test.each(LINKS)("%s", (_what, links, found) => {
    using tree = checkProject({ ...skills, ...links });
    expect(foundIn(tree)).toEqual(found);
  });
});

describe("paths into a submodule", () => {
  const MODULES: [what: string, files: Readonly<Record<string, Entry>>, missing: string[]][] = [
    ["that is not checked out", { "vendor/theirs/": dir }, ["vendor/gone.md"]],
    [
      "that is checked out",
      { "vendor/theirs/.git": "gitdir: elsewhere\n", "vendor/theirs/docs/a.md": "" },
      ["vendor/theirs/b.md", "vendor/gone.md"],
    ],
  ];
  test.each(MODULES)("%s", (_what, files, missing) => {
    using tree = checkProject({
      ".gitmodules": '[submodule "theirs"]\n\tpath = vendor/theirs\n\turl = ../theirs\n',
      "AGENTS.md": "Read `vendor/theirs/docs/a.md`, [it](vendor/theirs/b.md) and `vendor/gone.md`.\n",
      ...files,
    });
    const found = runCheck(tree).stdout.matchAll(/'(\S+)' does not exist/g);
    expect(Array.from(found, ([, path]) => path)).toEqual(missing);
  });
});
