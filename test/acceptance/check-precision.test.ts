import { expect, test } from "bun:test";
import { checkProject, foundIn, runCheck, turnedOn } from "../support/check-project.ts";
import { dir, type Entry } from "../support/temp-tree.ts";

// False findings from public repositories, each beside a true one.

const skill = (text: string) => `---\nname: one\ndescription: Does it\n---\n${text}`;
const LICENCE = `<!-- ${"Licensed to you under the terms of the licence that is in the file of that name. ".repeat(4)}-->\n\n`;
const LONG = `${"Run the tests before you commit. ".repeat(20)}\n`;
const COMMANDS = ["lint-fix", "check-build", "test-unit", "tidy-all"]
  .map((name) => `- \`make ${name}\`: do this after each change to the code, before you commit\n`)
  .join("");
const ALL = ["--as", "raw,claude,codex"];

const TREES: [what: string, files: Record<string, Entry>, found: string[]][] = [
  [
    "a skill's links to files of its project",
    {
      ".agents/skills/one/SKILL.md": skill(
        "See [a](../../../docs/a.md) and [gone](../../../docs/gone.md).\n\nAnswer: per [b](../blob/main/b.md)\n\nNot [c](../../../../c.md).\n",
      ),
      "docs/a.md": "A.\n",
    },
    [".agents/skills/one/SKILL.md:5 skill-missing-file", ".agents/skills/one/SKILL.md:9 skill-link-outside"],
  ],
  [
    "a skill that a package brings, linked to where it will be installed",
    {
      ".agents/skills/brought": { link: "../../node_modules/tool/skills/brought" },
      ".agents/skills/built": { link: "../../out/built" },
      ".agents/skills/gone": { link: "../../handbook/gone" },
      ".gitignore": "/out/\n",
    },
    [".agents/skills/gone:1 skill-unreadable"],
  ],
  [
    "files of skills that are not where clients look",
    {
      ".claude/skills/review.md": skill("Review.\n"),
      ".claude/skills/notes/notes.md": `\uFEFF${skill("Note.\n").replaceAll("\n", "\r\n")}`,
      ".claude/skills/README.md": "# Skills\n\nname: x\ndescription: y\n",
      ".claude/skills/page.md": "---\nname: page\n---\n\ndescription: it is no skill\n",
      ".claude/skills/named.md": skill("Read as a page.\n"),
      ".claude/skills/real/SKILL.md": skill("Begin.\n").replace("one", "real"),
      ".claude/skills/real/agent.md": skill("A part of it.\n"),
      ".claude/skills/group/inner/SKILL.md": skill("Begin.\n").replace("one", "inner"),
      ".claude/skills/group/about.md": skill("A part of it.\n"),
      "CLAUDE.md": "Before a release read `.claude/skills/named.md`.\n",
    },
    [".claude/skills/notes/notes.md:1 skill-misplaced", ".claude/skills/review.md:1 skill-misplaced"],
  ],
  ["a licence in comments", { "AGENTS.md": `${LICENCE}One.\n`, "a/AGENTS.md": `${LICENCE}Two.\n` }, []],
  [
    "a paragraph below a comment",
    {
      ...turnedOn("instructions-repeated-paragraph"),
      "AGENTS.md": `One.\n\n${LONG}`,
      "a/AGENTS.md": `${LICENCE}${LONG}`,
    },
    ["a/AGENTS.md:3 instructions-repeated-paragraph"],
  ],
  [
    "what a program leaves, and what it may",
    {
      "AGENTS.md": "State: `data/app.db`, `data/app.log`. It scans `data/in/`, may use `data/x.md`; see `data/y.md`.\n",
      "data/z.md": "Z.\n",
    },
    ["AGENTS.md:1 instructions-missing-path"],
  ],
  [
    "a file that a program may find, one of another repository, and one to avoid",
    {
      "AGENTS.md":
        "It recognizes these files (in this order):\n\n- `docs/a.md`\n- `docs/b.md`\n\nSee `docs/c.md` in that repo. Avoid directories like `docs/lib/` or `docs/parts/`.\n\n## Changelog\n\n- Moved `docs/d.md`\n\n## Rules\n\nRead these files:\n\n- `docs/e.md`\n",
      "docs/z.md": "Z.\n",
    },
    ["AGENTS.md:16 instructions-missing-path"],
  ],
  [
    "a file that git ignores, and names that stand for others",
    {
      ".gitignore": "references/\n",
      ".agents/skills/one/SKILL.md": skill(
        "See [a](references/a.md), `scripts/part-NN.json`, `scripts/skill-name.md`.\n",
      ),
      "AGENTS.md": "Skills are in `docs/skill-name/SKILL.md`, parts in `docs/part-NN.json`.\n",
      "docs/a.md": "A.\n",
    },
    [],
  ],
  [
    "copies that drift, and a file that only names the other",
    {
      "AGENTS.md": `${LONG}One.\nTwo.\n${"Three.\n".repeat(20)}`,
      "CLAUDE.md": `${LONG}1.\nTwo.\n${"Three.\n".repeat(20)}`,
      "a/AGENTS.md": "Please read `./CLAUDE.md`.\n",
      "a/CLAUDE.md": "Of a.\n",
      "b/AGENTS.md": "Of b.\n",
      "b/CLAUDE.md": "Claude's own rules.\n",
    },
    ["b/AGENTS.md:1 instructions-shadowed"],
  ],
  [
    "settings and states of tools, another repository's file, a line of a file",
    {
      "AGENTS.md":
        "State: `.tool/state.json`, but read `.tool/rules.md`. In the `infra` repo's `docs/a.yml`, `docs/b.yml` in the [cloud repo](https://example.org); see `infra/main.tf` and [it](docs/c.ts:12). See `web/lib.ts`.\n",
      ".tool/x.md": "X.\n",
      "docs/c.ts": "",
      "packages/web/x.ts": "",
    },
    ["AGENTS.md:1 instructions-missing-path", "AGENTS.md:1 instructions-missing-path"],
  ],
  [
    "copies of a skill for each client",
    {
      ".codelia/config.yaml": "skills: { directories: [.agents/skills, .claude/skills] }\n",
      ".agents/skills/one/SKILL.md": skill("Do it.\n"),
      ".claude/skills/one/SKILL.md": skill("Do it.\n"),
      ".agents/skills/two/SKILL.md": skill("Do it.\n").replace("one", "two"),
      ".claude/skills/two/SKILL.md": skill("Do another.\n").replace("one", "two"),
    },
    [".agents/skills/two/SKILL.md:2 skill-duplicate-name", ".claude/skills/two/SKILL.md:2 skill-duplicate-name"],
  ],
  [
    "a checkout beside this one, and a link in the form in which clients mention a file",
    {
      "a/AGENTS.md": "Read `../other/docs/a.md`, `../b/a.md` and [it](@docs/c.md), not [that](@docs/d.md).\n",
      "b/b.md": "B.\n",
      "docs/c.md": "C.\n",
    },
    ["a/AGENTS.md:1 instructions-missing-path", "a/AGENTS.md:1 instructions-missing-path"],
  ],
  [
    "a path that is missing in several lines",
    { "AGENTS.md": "Read `docs/a.md`.\n\nThen follow `docs/a.md`.\n", "docs/z.md": "Z.\n" },
    ["AGENTS.md:1 instructions-missing-path"],
  ],
  [
    "a skill's examples, and files of its package and of a skill that it names",
    {
      "web/scripts/build.py": "",
      "web/.agents/skills/two/SKILL.md": skill("Two.\n").replace("one", "two"),
      "web/.agents/skills/two/references/list.md": "List.\n",
      "web/.agents/skills/one/SKILL.md": skill(
        "- **Examples**: `references/a.md` for one, `references/b.md` for two\n- Run `scripts/build.py`; see `two`'s `references/list.md`.\n- `scripts/foo.py`; a table may need a `references/c.md`.\n\nRead `references/d.md`, and once more `references/d.md`.\n",
      ),
    },
    ["web/.agents/skills/one/SKILL.md:9 skill-missing-file"],
  ],
  [
    "a skill about skills, a skill for tests, and a skill that was copied with its links",
    {
      ".agents/skills/one/SKILL.md": skill("Read `references/aws.md`.\n").replace("Does it", "Writes skills"),
      "test/fixtures/.agents/skills/two/SKILL.md": "Nothing.\n",
      ".agents/skills/three/SKILL.md": skill("See [a](../../docs/a.md) and [b](../four/SKILL.md).\n").replace(
        "one",
        "three",
      ),
      ".agents/skills/five/SKILL.md": skill("See [b](../four/SKILL.md).\n").replace("one", "five"),
    },
    [".agents/skills/five/SKILL.md:5 skill-missing-file"],
  ],
  [
    "a directory of plugins",
    { ".opencode/plugins/one.js": "", ".clinerules/hooks/one": "", ".claude/settings.json/x": "" },
    [".claude/settings.json:1 hook-unusable"],
  ],
  [
    "files of skills, templates and tests",
    {
      "CLAUDE.md": "Be brief.\n",
      ".agents/skills/one/SKILL.md": skill("Do it.\n"),
      ".agents/skills/one/AGENTS.md": LONG.repeat(60),
      "templates/web/AGENTS.md": "One.\n",
      "a/fixtures/b/AGENTS.md": "Two.\n",
      "b/AGENTS.md": "Three.\n",
    },
    ["b/AGENTS.md:1 instructions-shadowed"],
  ],
  [
    "a backup of skills, and a prompt that a program fills in",
    {
      ".back/2026/.claude/skills/one/SKILL.md": "No header.\n",
      ".claude/skills/one/SKILL.md": "No header.\n",
      ".claude/skills/prompt/SKILL.md": "Look at {{PR_NUMBER}}.\n",
      ".old/AGENTS.md": "Run `npm run gone`.\n",
      "AGENTS.md": "Run `npm run gone`.\n",
      "package.json": '{ "scripts": { "check": "true" } }',
    },
    [".claude/skills/one/SKILL.md:1 skill-header", "AGENTS.md:1 instructions-missing-command"],
  ],
  [
    "code and commands that are repeated to be at hand",
    {
      ...turnedOn("instructions-repeated-paragraph"),
      "AGENTS.md": `${LONG}\n\`\`\`sh\n${LONG}\`\`\`\n\n${COMMANDS}`,
      "a/AGENTS.md": `\`\`\`sh\n${LONG}\`\`\`\n\n${COMMANDS}`,
      "b/AGENTS.md": `Of b.\n\n${LONG}`,
    },
    ["b/AGENTS.md:3 instructions-repeated-paragraph"],
  ],
  [
    "a file for another client, one for those who install the package, and one to which the words send",
    {
      "CLAUDE.md": "Be brief.\n",
      "a/AGENTS.md": "# Context for Codex CLI\n\nOf a.\n",
      "b/AGENTS.md": "Of b.\n",
      "b/package.json": '{ "files": ["dist", "AGENTS.md"] }',
      "c/AGENTS.md": "# For Codex and Claude Code\n\nOf c.\n",
      "c/package.json": '{ "files": ["dist"] }',
    },
    ["c/AGENTS.md:1 instructions-shadowed"],
  ],
  ...["See subdirectory `AGENTS.md` files.", "Follow the `AGENTS.md` in each package."].map(
    (words): (typeof TREES)[number] => [
      `to all files further down: ${words}`,
      { "CLAUDE.md": `${words}\n`, "a/AGENTS.md": "Of a.\n" },
      [],
    ],
  ),
  [
    "files for which one leaves no room, and which it names",
    {
      "AGENTS.md": `Read \`a/CLAUDE.md\` and \`b/AGENTS.md\`.\n${LONG.repeat(60)}`,
      "a/AGENTS.md": { link: "CLAUDE.md" },
      "a/CLAUDE.md": "Of a.\n",
      "b/AGENTS.md": "Of b.\n",
      "c/AGENTS.md": "Of c.\n",
    },
    ["AGENTS.md:1 instructions-left-out"],
  ],
  [
    "paths of other repositories, of the home, of a wiki, of a tag, and patterns",
    {
      "AGENTS.md":
        "See the backend's `docs/a.md`, `docs/b.md` in the\n> operator monorepo, `wiki/z.md`, `docs/xx-service.md`.\n\nPush `docs/v1.X.Y` and a `docs/vX.Y.Z.md` git tag.\n\nRecovered to `~/there`. Read:\n- `docs/c.md`\n\nSee `docs/d.md` in the docs.\n",
      "docs/z.md": "Z.\n",
    },
    ["AGENTS.md:9 instructions-missing-path"],
  ],
  [
    "a link from the root in a hidden directory",
    { ".github/AGENTS.md": "See [it](.github/a.md), [this](./.github/a.md).\n", ".github/a.md": "A.\n" },
    [".github/AGENTS.md:1 instructions-missing-path"],
  ],
  [
    "a page's pictures and links from the root, definitions of agents, a submodule that is not checked out",
    {
      ...turnedOn("skill-page-link"),
      ".gitmodules": '[submodule "shared"]\n\tpath = shared\n',
      "shared/": dir,
      "docs/z.md": "Z.\n",
      ".claude/agents/one/agents.md": "---\nname: one\ndescription: Looks\n---\nLook.\n",
      "agents.md": "Be brief.\n",
      ".claude/skills/one/SKILL.md": skill("See [it](../../../shared/a.md), [that](../../../docs/b.md).\n"),
      ".claude/skills/one/page.md": "![it](a.png) [here](.claude/skills/one/SKILL.md) [there](b.md)\n",
    },
    [
      ".claude/skills/one/SKILL.md:5 skill-missing-file",
      ".claude/skills/one/page.md:1 skill-page-link",
      "agents.md:1 instructions-letter-case",
    ],
  ],
];

test.each(TREES)("%s", (_, files, found) => {
  using tree = checkProject(files);
  expect(foundIn(tree, ALL)).toEqual(found);
});

test("files that one file hides are one finding there, and each is one where only they are checked", () => {
  const packages = ["a", "b", "c", "d", "e"].map((name) => [`${name}/AGENTS.md`, `Of ${name}.\n`]);
  using tree = checkProject({ "CLAUDE.md": "Be brief.\n", ...Object.fromEntries(packages) });
  expect(runCheck(tree, ["--as", "claude"])).toEqual({
    stdout:
      "CLAUDE.md:1 warning instructions-shadowed it keeps Claude Code from reading 5 files: 'a/AGENTS.md', 'b/AGENTS.md', 'c/AGENTS.md' and 2 more; put a 'CLAUDE.md' beside each that imports it ('@AGENTS.md'), or run 'codelia install claude', whose hooks tell them\n",
    stderr: "codelia: 1 warning (6 files checked); 1 with --fix --unsafe\n",
    exitCode: 0,
  });
  expect(foundIn(tree, ["--as", "claude", "a", "b"])).toEqual([
    "a/AGENTS.md:1 instructions-shadowed",
    "b/AGENTS.md:1 instructions-shadowed",
  ]);
});

test("says where the file is that hides another, and that a link is to be renamed", () => {
  using tree = checkProject({
    "CLAUDE.md": "Be brief.\n",
    "GUIDE.md": "Be kind.\n",
    "a/AGENTS.md": "Of a.\n",
    "AGENTS.MD": { link: "GUIDE.md" },
  });
  expect(runCheck(tree, ["--as", "claude"]).stdout).toBe(
    "AGENTS.MD:1 warning instructions-letter-case on most systems clients look for 'AGENTS.md', and don't find it by this name; rename the link\n" +
      "\na/AGENTS.md:1 warning instructions-shadowed 'CLAUDE.md', further up, keeps Claude Code from reading it; put a 'CLAUDE.md' beside it that imports it ('@AGENTS.md'), or run 'codelia install claude', whose hooks tell it\n",
  );
});

test("a missing path is one finding that counts its lines and names the file that is meant", () => {
  using tree = checkProject({
    "AGENTS.md": "Read `docs/a.md`.\n\nThen follow `docs/a.md`.\n",
    "docs/old/a.md": "A.\n",
  });
  expect(runCheck(tree, [])).toEqual({
    stdout: `AGENTS.md:1:7 warning instructions-missing-path 'docs/a.md' does not exist (also in 1 more line); correct the path: there is 'docs/old/a.md'\n`,
    stderr: "codelia: 1 warning (1 file checked)\n",
    exitCode: 0,
  });
});

test("a CLAUDE.md that only points to AGENTS.md is better removed, one with the same text hides nothing", () => {
  const nested = { "a/AGENTS.md": "Of a.\n", "b/AGENTS.md": "Of b.\n" };
  const remedyOf = (files: Record<string, Entry>) => {
    using tree = checkProject({ "AGENTS.md": "Of all.\n", ...nested, ...files });
    const { findings } = JSON.parse(runCheck(tree, ["--json", "--as", "claude"]).stdout);
    return findings.map(({ path, remedy }: { path: string; remedy: string }) => [path.split("/").at(-1), remedy]);
  };
  const stub =
    "put a 'CLAUDE.md' beside each that imports it ('@AGENTS.md'), or run 'codelia install claude', whose hooks tell them";
  const removed = ["CLAUDE.md", `remove it, so that Claude Code reads each by itself, or ${stub}`];
  expect(remedyOf({ "CLAUDE.md": { link: "AGENTS.md" } })).toEqual([removed]);
  expect(remedyOf({ "CLAUDE.md": "@./AGENTS.md\n" })).toEqual([removed]);
  expect(remedyOf({ "CLAUDE.md": "Of all.\n" })).toEqual([["CLAUDE.md", stub]]);
  expect(remedyOf({ "CLAUDE.md": "Follow AGENTS.md.\n" })).toEqual([["CLAUDE.md", stub]]);
});

test("the files for which one leaves no room are one finding there; a small loss is a note", () => {
  const bytes = (count: number) => "Run it.\n".repeat(count / 8);
  using tree = checkProject({ "AGENTS.md": bytes(32_768), "a/AGENTS.md": "Of a.\n", "b/AGENTS.md": "Of b.\n" });
  expect(runCheck(tree, ["--as", "codex"]).stdout).toBe(
    "AGENTS.md:1 error instructions-left-out it is 32768 bytes long and Codex's budget is 32768 bytes, so Codex reads nothing of 2 files ('a/AGENTS.md', 'b/AGENTS.md'); shorten it\n",
  );
  using small = checkProject({ "AGENTS.md": bytes(16_384), "a/AGENTS.md": bytes(17_000) });
  expect(runCheck(small, ["--as", "codex"]).stdout).toBe(
    "a/AGENTS.md:1 note instructions-cut Codex reads 16384 of its 17000 bytes: its budget of 32768 bytes ends here; shorten it\n",
  );
});

test("what most authors want so is off by default, and a config turns it on", () => {
  const skillOf = (name: string, rest = "") => `---\nname: ${name}\ndescription: Does it\n${rest}---\nDo it.\n`;
  const files = {
    ".agents/skills/review/SKILL.md": skillOf("acme:review"),
    ".agents/skills/plan/SKILL.md": skillOf("acme-plan"),
    ".agents/skills/ship/SKILL.md": skillOf("ship", "version: 1\n"),
    ".agents/skills/test/SKILL.md": skillOf("tset"),
  };
  const config = "check: { rules: { skill-name-variant: note, skill-field: note } }\n";
  using tree = checkProject(files);
  using other = checkProject({ ...files, ".codelia/config.yaml": config });
  expect(foundIn(tree)).toEqual([".agents/skills/test/SKILL.md:2 skill-name-directory"]);
  expect(foundIn(other)).toEqual([
    ".agents/skills/plan/SKILL.md:2 skill-name-variant",
    ".agents/skills/review/SKILL.md:2 skill-name-variant",
    ".agents/skills/ship/SKILL.md:4 skill-field",
    ".agents/skills/test/SKILL.md:2 skill-name-directory",
  ]);
});

test("what is found in a file does not depend on how it is named", () => {
  using tree = checkProject({
    "web/ui/AGENTS.md": "See `pages/main-view.ts` and `test/main-view.test.ts`.\n",
    "web/src/pages/main-view.ts": "",
    "test/deep/main-view.test.ts": "",
  });
  const found = ["web/ui/AGENTS.md:1 instructions-missing-path"];
  for (const path of [".", "web", "web/ui", "web/ui/AGENTS.md"]) expect(foundIn(tree, [path])).toEqual(found);
});

test("what git ignores is checked if it is named", () => {
  using tree = checkProject({
    ".gitignore": "out/\n",
    "out/AGENTS.md": "See [it](docs/a.md).\n",
    "AGENTS.md": "One.\n",
  });
  expect([foundIn(tree), foundIn(tree, ["out"])]).toEqual([[], ["out/AGENTS.md:1 instructions-missing-path"]]);
});
