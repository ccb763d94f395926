import { expect, test } from "bun:test";
import { checkProject, foundIn, runCheck, turnedOn } from "../support/check-project.ts";
import { dir, tempTree, type Entry } from "../support/temp-tree.ts";

// False findings of the blind rounds in public repositories, by cause, each beside a true one.

const skill = (name: string, text = "Do it.\n", more = "") =>
  `---\nname: ${name}\ndescription: Does it\n${more}---\n${text}`;
const WITH_PAGES = turnedOn("skill-page-link");
const GUIDE = "Run the tests before you commit.\n".repeat(80);
const LONG = `${"Say in the message why the change is needed. ".repeat(8)}\n`;
const settings = (command: string) => JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
const WHOLE = { "README.md": "It.\n", LICENSE: "Free.\n", ".gitignore": "x\n" };
const wholeProject = (place: string, files: Record<string, Entry>) =>
  Object.fromEntries(Object.entries({ ...WHOLE, ...files }).map(([path, entry]) => [`${place}/${path}`, entry]));

const TREES: [what: string, files: Record<string, Entry>, found: string[]][] = [
  [
    "headers of other packages, contents of an archive, other repositories, names that stand for any, and what was there",
    {
      "AGENTS.md": [
        "The macros are those that you see in `fmt/core.h`.",
        "A `.pack` file is an archive containing:\n\n- `rust/app.toml`: the settings, see `rust/real.toml`",
        "The build lives in a **separate** repository: `~/work/app-builds`.\nSee `app-builds/guide.md`.",
        "Update `docs/PHASE_X.md`. Look at `rust/myDomainStore.ts` and `rust/real.toml`.",
        "`rust/old-tests.rs` was 4,000 lines; read `rust/real.toml`.",
        'Write a summary (e.g., "Use short names. [More](docs/naming.md)").',
        "Read `rust/gone.toml` and [this](docs/gone.md).",
      ].join("\n\n"),
      "rust/fmt/lib.rs": "",
      "rust/real.toml": "",
      "docs/a.md": "",
      "rust/AGENTS.md": "See the macros in `fmt/core.h`.\n",
      "cli/scaffold/AGENTS.md": "Read `docs/none.md`.\n",
      "starters/one/AGENTS.md": "Read `docs/none.md`.\n",
      "old/agents.md": "This file is superseded by [the other](../AGENTS.md).\n",
      "gemini.md": "---\nname: write-pages\n---\nWrite a page.\n",
    },
    ["AGENTS.md:16 instructions-missing-path", "AGENTS.md:16 instructions-missing-path"],
  ],
  [
    "names with two colons, a skill linked to a page, pages about agents, an installed hook, and key files",
    {
      "AGENTS.md": "Prefer a closer `AGENTS.md` when one exists.\n",
      "CLAUDE.md": { link: "AGENTS.md" },
      "web/AGENTS.md": "Of web.\n",
      ".claude/skills/fix-ci/SKILL.md": skill("acme:fix:ci"),
      ".claude/skills/zod/SKILL.md": { link: "../../../pages/zod.md" },
      "pages/zod.md": skill("zod"),
      ".claude/settings.json": settings("$CLAUDE_PROJECT_DIR/node_modules/.bin/block"),
      ".tasks/Claude.md": "Work on the next task.\n",
      "cli/CLAUDE.md":
        "# Cli\n\n## Important files\n\n- `src/sync/types.ts`: the types\n- for later, `src/sync/more.ts`\n",
      "cli/src/sync/reducer/a.ts": "",
      "cli/agents.md": "# Tests of agents\n",
      "notes/next-steps.md": "See `docs/next-steps.md`.\n",
      ".claude/rules/next-steps.md": "See `docs/next-steps.md`.\n",
    },
    [".claude/rules/next-steps.md:1 instructions-missing-path", "cli/CLAUDE.md:5 instructions-missing-path"],
  ],
  [
    "a file of a name that only another package has, and where to look",
    {
      "packages/react/AGENTS.md":
        "# React\n\n## WHERE TO LOOK\n\n| Task | Location |\n| --- | --- |\n| hooks | `src/hooks/useWallet.ts` |\n\n## More\n\nThe `src/hooks/useOther.ts` is short.\n",
      "packages/react/src/hooks/hooks.tsx": "",
      "packages/vue/src/useWallet.ts": "",
      "packages/vue/src/useOther.ts": "",
    },
    ["packages/react/AGENTS.md:7 instructions-missing-path"],
  ],
  [
    "several files in one name, and input for a test",
    {
      "AGENTS.md": "See `plan/build/verify-agent.md`, and read `agents/gone.md`.\n",
      "CLAUDE.md": { link: "AGENTS.md" },
      "agents/plan-agent.md": "",
      "agents/build-agent.md": "",
      "tests/docs/pages/AGENTS.md": "---\ntitle: Agents\n---\nA page.\n",
      "web/AGENTS.md": "Of web.\n",
    },
    ["AGENTS.md:1 instructions-missing-path", "web/AGENTS.md:1 instructions-shadowed"],
  ],
  [
    "a file with another ending, and links that lead out of the repository to what is in it",
    {
      "CLAUDE.md":
        "- steps: `web/tour/steps.ts`\n- [libs](../rust/libs)\n- [issues](../../issues)\n- [top](../README.md)\n",
      "web/tour/steps.tsx": "",
      "rust/libs/a.rs": "",
      "README.md": "",
    },
    ["CLAUDE.md:1 instructions-missing-path", "CLAUDE.md:2 instructions-missing-path"],
  ],
  [
    "links into a submodule that is not checked out",
    {
      ".gitmodules": '[submodule "theirs"]\n\tpath = theirs\n\turl = ../theirs\n',
      "theirs/": dir,
      "AGENTS.md": { link: "theirs/AGENTS.md" },
      ".claude/skills/one": { link: "../../theirs/one" },
      ".claude/skills/two": { link: "../../gone/two" },
    },
    [".claude/skills/two:1 skill-unreadable"],
  ],
  [
    "a path in a repository that a link before it names",
    {
      "AGENTS.md":
        "They live in [them/theirs](https://github.com/them/theirs) (`skills/pilot.md`). Read `skills/flight.md`.\n",
      "skills/other.md": "Other.\n",
    },
    ["AGENTS.md:1 instructions-missing-path"],
  ],
  [
    "a skill that an installer copied, and one that it brings back",
    {
      "skills-lock.json":
        '{ "skills": { "one": { "sourceType": "github" }, "two": {}, "three": { "sourceType": "local" } } }',
      ".agents/skills/one/SKILL.md": skill("other"),
      ".agents/skills/three/SKILL.md": skill("other"),
      ".claude/skills/two": { link: "../../.agents/skills/two" },
    },
    [".agents/skills/three/SKILL.md:2 skill-name-directory"],
  ],
  [
    "a file in another client's directory, and one made from the CLAUDE.md beside it",
    {
      "CLAUDE.md": "Be brief.\n",
      ".amp/AGENTS.md": "For Amp.\n",
      "a/AGENTS.md": "<!-- made from CLAUDE.md -->\nOf a.\n",
      "a/CLAUDE.md": "Of a, at length.\n",
      "b/AGENTS.md": "Of b.\n",
    },
    ["b/AGENTS.md:1 instructions-shadowed"],
  ],
  [
    "two whole guides, one for each client",
    { "CLAUDE.md": GUIDE, "AGENTS.md": `Otherwise.\n${GUIDE}${LONG}`, "a/AGENTS.md": "Of a.\n" },
    [],
  ],
  ["a whole guide in Claude Code's directory", { ".claude/CLAUDE.md": GUIDE, "AGENTS.md": "Of all.\n" }, []],
  [
    "imports that start from the root, that are optional, and those of a beginning for others",
    {
      "a/AGENTS.md": "See @docs/style.md for it.\n",
      "b/CLAUDE.md": "@docs/style.md\n",
      "docs/style.md": "Be kind.\n",
      "c/CLAUDE.md": "Optional: @docs/mine.md\n\n@docs/me.local.md\n\nFor example, @docs/x.md\n",
      "GEMINI.md": "@PLAN.md\n\n@STYLE.md\n\n@GOALS.md\n",
    },
    ["b/CLAUDE.md:1 instructions-missing-import"],
  ],
  [
    "a module without its ending, one that TypeScript imports, a template, another's file, a file's contents",
    {
      "AGENTS.md":
        "Read `./config/jest.config`, `src/types.js` and `docs/key.md`. Append it to that plan's `docs/review.md`. Tests of `src/a/x.ts` read `../src/types.ts`.\n\n`docs/made.md`:\n\n```text\nMade.\n```\n\nThen read `docs/made.md` and `docs/gone.md`.\n",
      "config/jest.config.js": "",
      "src/types.ts": "",
      "docs/key.md.template": "",
    },
    ["AGENTS.md:9 instructions-missing-path"],
  ],
  [
    "the files that clients read, and directories of tools that are not used here",
    {
      "AGENTS.md":
        "By default it writes the profile; per-repo `.windsurf/rules/x.md`. By a plugin, `docs/AGENTS.md`. See `docs/CLAUDE.md`.\n",
      "docs/x.md": "",
    },
    ["AGENTS.md:1 instructions-missing-path"],
  ],
  [
    "a script that is not executable, one whose errors are hidden, and one of another machine",
    {
      ".claude/settings.json": settings("./a.sh; /home/me/x.sh; sh ./gone.sh"),
      ".claude/settings.local.json": settings("sh ./b.sh 2>/dev/null || true"),
      "a.sh": "exit 0\n",
    },
    [".claude/settings.json:1 hook-missing-program", ".claude/settings.json:1 hook-missing-program"],
  ],
  ["settings that lead to a place of one machine", { ".claude/settings.json": { link: "/nowhere/settings.json" } }, []],
  [
    "what a tool writes into each directory, and what is in examples",
    {
      ...turnedOn("instructions-repeated-paragraph"),
      "CLAUDE.md": `<!-- tool:start -->\n\n${LONG}\n<!-- tool:end -->\n\nOf all.\n\n${LONG.repeat(2)}`,
      "a/CLAUDE.md": `<!-- tool:start -->\n\n${LONG}\n<!-- tool:end -->\n\nOf a.\n`,
      "b/CLAUDE.md": "<mem>\n<!-- This section is auto-generated. -->\nNothing.\n</mem>\n",
      "b/c/CLAUDE.md": "<mem>\n<!-- This section is auto-generated. -->\nNothing.\n</mem>\n",
      "examples/CLAUDE.md": LONG.repeat(2),
      "d/CLAUDE.md": LONG.repeat(2),
    },
    ["d/CLAUDE.md:1 instructions-repeated-paragraph"],
  ],
  [
    "a package's own form of a skill",
    {
      ".agents/skills/one/SKILL.md": skill("one"),
      "web/.agents/skills/one/SKILL.md": skill("one", "Do it otherwise.\n"),
      "web/.agents/skills/more/two/SKILL.md": skill("two"),
      "web/.agents/skills/two/SKILL.md": skill("two"),
    },
    [
      "web/.agents/skills/more/two/SKILL.md:2 skill-duplicate-name",
      "web/.agents/skills/two/SKILL.md:2 skill-duplicate-name",
    ],
  ],
  [
    "a collection of copies of whole projects",
    {
      ...wholeProject("all/a", { "AGENTS.md": "Read `docs/x.md`.\n", ".agents/skills/one/SKILL.md": skill("other") }),
      ...wholeProject("all/b", { "CLAUDE.md": "@none.md\n" }),
      ...wholeProject("all/c", {}),
      "AGENTS.md": "Read `all/x.md`.\n",
    },
    ["AGENTS.md:1 instructions-missing-path"],
  ],
  [
    "a skill's template, words that stand for files, what it makes, and what git ignores",
    {
      ".gitignore": "qa/words.txt\n",
      ".agents/skills/_template/SKILL.md": skill("x", "See `references/a.md`.\n"),
      ".agents/skills/one/SKILL.md": skill(
        "one",
        "Links [text](path) and `references/filename.md`; read `phases/phaseN.md` and `qa/words.txt`. Extract examples to `references/b.md`.\n\n**Expected:** A script `scripts/c.py` that runs.\n\nRun `scripts/c.py`. See `references/d.md`.\n",
      ),
    },
    [".agents/skills/one/SKILL.md:9 skill-missing-file"],
  ],
  [
    "a command of a skill that has no files",
    {
      ".agents/skills/one/SKILL.md": skill("one", "Run `python scripts/a.py --all`.\n"),
      ".agents/skills/two/SKILL.md": skill("two", "Run `python scripts/a.py --all`.\n"),
      ".agents/skills/two/references/a.md": "A.\n",
    },
    [".agents/skills/two/SKILL.md:5 skill-missing-file"],
  ],
  [
    "a page that shows what is to be written",
    {
      ...WITH_PAGES,
      ".agents/skills/one/SKILL.md": skill("one"),
      ".agents/skills/one/steps.md": "[a](./a.md) [b](./b.md) [c](./c.md)\n",
      ".agents/skills/one/more.md": "[a](./a.md) and [it](./steps.md)\n",
    },
    [".agents/skills/one/more.md:1 skill-page-link"],
  ],
  [
    "a sign without width beside a backtick",
    { "AGENTS.md": "```markdown\n\u200B```text\nx\n\u200B```\n```\n\nA\u200BB.\n" },
    ["AGENTS.md:7 instructions-invisible-characters"],
  ],
  [
    "a part of a skill",
    { ".agents/skills/one/SKILL.md": skill("one"), ".agents/skills/one/a/SKILL.md": skill("one-a") },
    [],
  ],
  [
    "the README of a skill, and one that it shows",
    {
      ...WITH_PAGES,
      ".agents/skills/one/SKILL.md": skill("one"),
      ".agents/skills/one/README.md": "[a](docs/a.md)\n",
      ".agents/skills/one/references/their-readme.md": "[a](docs/a.md)\n",
      ".agents/skills/one/references/more.md": "[a](docs/a.md)\n",
    },
    [".agents/skills/one/references/more.md:1 skill-page-link"],
  ],
  [
    "a part of the product that has nearly the name of an instruction file",
    { "src/assets/agents.md": "For users.\n", "embed_templates/agents.md": "Too.\n", "src/agents.md": "For us.\n" },
    ["src/agents.md:1 instructions-letter-case"],
  ],
  [
    "links that an installer made for what it brought",
    {
      "skills-lock.json": '{ "skills": { "one": {}, "two": {}, "three": {} } }',
      ...Object.fromEntries(
        ["one", "two", "three", "ours"].map((name) => [`.agents/skills/${name}/SKILL.md`, skill(name)]),
      ),
      ".claude/skills/one": { link: "../../.agents/skills/one" },
      ".claude/skills/two": { link: "../../.agents/skills/two" },
    },
    [".agents/skills/three/SKILL.md:1 skill-not-linked"],
  ],
  [
    "a CLAUDE.md that sends to one of the files below",
    {
      "CLAUDE.md": "For b see `b/AGENTS.md`. Read the relevant parts of `AGENTS.md`.\n",
      "a/AGENTS.md": "Of a.\n",
      "b/AGENTS.md": "Of b.\n",
    },
    ["a/AGENTS.md:1 instructions-shadowed"],
  ],
  [
    "a CLAUDE.md that sends to all files below",
    { "CLAUDE.md": "Always read the nearest `AGENTS.md`.\n", "a/AGENTS.md": "Of a.\n" },
    [],
  ],
  ["one that says so in Chinese", { "CLAUDE.md": "以各子目录 `AGENTS.md` 为准。\n", "a/AGENTS.md": "Of a.\n" }, []],
  [
    "a CLAUDE.md that sends to them by the file that it imports, where others have one of their own",
    {
      "CLAUDE.md": "Be brief.\n\n@AGENTS.md\n",
      "AGENTS.md": "Follow the nested `AGENTS.md` files.\n",
      "a/AGENTS.md": "Of a.\n",
      "b/AGENTS.md": "Of b.\n",
      "b/CLAUDE.md": "@AGENTS.md\n",
    },
    ["a/AGENTS.md:1 instructions-shadowed"],
  ],
  [
    "a guide for others that is a link, and a file that is named in small letters",
    {
      "a/CLAUDE.md": GUIDE,
      "a/AGENTS.md": { link: "../docs/agents-of-a.md" },
      "b/.claude/CLAUDE.md": "See agents.md.\n",
      "b/AGENTS.md": "Of b.\n",
      "c/.claude/CLAUDE.md": "Be brief.\n",
      "c/AGENTS.md": "Of c.\n",
      "docs/agents-of-a.md": "Of a.\n",
    },
    ["c/AGENTS.md:1 instructions-shadowed"],
  ],
  [
    "an override that is meant to hide the file beside it",
    {
      "a/AGENTS.md": "Of a.\n",
      "a/AGENTS.override.md": "It replaces the\n`AGENTS.md` of others.\n",
      "b/AGENTS.md": "Of b.\n",
      "b/AGENTS.override.md": "More than in `AGENTS.md`.\n",
    },
    ["b/AGENTS.md:1 instructions-hidden"],
  ],
  [
    "what is written later, is unused, was split, or is in another checkout",
    {
      "AGENTS.md":
        "Changes are logged in `docs/log.md`.\n\nWhat is below `docs/archive/` is unused; see it there.\n\nSplit from `docs/all.md`: see there.\n\nSee [the plan](.claude/worktrees/one/plan.md).\n\nSee `docs/style.md`.\n",
      "docs/x.md": "X.\n",
    },
    ["AGENTS.md:9 instructions-missing-path"],
  ],
  [
    "what is in a sibling repository or in any app, what a script reports, and a word in another span",
    {
      "AGENTS.md":
        "They live in the sibling repo `../site` (`docs/a.sh`, `docs/b.sh`).\n\nInside an app project:\n\n- code lives in `docs/app.ts`\n\nChanging it invalidates `docs/reports/base.json`.\n\nBy `lib/import.mjs` out of `docs/sheets/`.\n\nIf you see `docs/something.sh`, run `docs/real.sh`.\n",
      "lib/import.mjs": "",
      "docs/x.md": "",
    },
    ["AGENTS.md:11 instructions-missing-path"],
  ],
  [
    "a personal agent that lives in the repository",
    {
      "CLAUDE.md": "Be brief.\n",
      "home/AGENTS.md": "Who you are.\n",
      "home/SOUL.md": "A soul.\n",
      "web/AGENTS.md": "Of the web.\n",
    },
    ["web/AGENTS.md:1 instructions-shadowed"],
  ],
  [
    "a link of a skill to what is at the top of a project",
    { ".agents/skills/one/SKILL.md": skill("one", "See [it](./CONTRIBUTING.md).\n\nSee [that](./more.md).\n") },
    [".agents/skills/one/SKILL.md:7 skill-missing-file"],
  ],
  [
    "a sign without width that is shown in quotes, and one that turns what follows",
    { "AGENTS.md": 'Strip "\uFEFF" first.\n\nNever "\u202E".\n\nA\uFEFFB.\n' },
    ["AGENTS.md:3 instructions-invisible-characters", "AGENTS.md:5 instructions-invisible-characters"],
  ],
];
test.each(TREES)("%s", (_, files, found) => {
  using tree = checkProject(files);
  expect(foundIn(tree)).toEqual(found);
});

test("findings of one cause are one that counts the others", () => {
  using tree = checkProject({
    "AGENTS.md": "Read `docs/a.md`, `docs/b.md`, `docs/c.md` and `docs/d.md`.\n",
    "docs/x.md": "",
    ...Object.fromEntries(
      ["A b", "B c", "C d", "D e"].map((name, at) => [`.agents/skills/s${at}/SKILL.md`, skill(name)]),
    ),
  });
  expect(runCheck(tree)).toMatchObject({
    stdout: [
      ".agents/skills/s0/SKILL.md:2 error skill-name 'name' can't be 'A b'; use lower-case letters and digits, with single hyphens between them (also 3 more skills)",
      "",
      "AGENTS.md:1:7 warning instructions-missing-path 'docs/a.md' does not exist (also 3 more paths in 'docs/'); add it or correct the path",
      "",
    ].join("\n"),
    stderr: "codelia: 1 error, 1 warning (5 files checked)\n",
  });
});

test("an import of what is there from the root is a note, one of what is nowhere an error", () => {
  using tree = checkProject({
    "docs/style.md": "Be kind.\n",
    "a/CLAUDE.md": "@docs/style.md\n@docs/gone.md\n- @docs/style.md, among other words\n",
    "a/AGENTS.md": { link: "CLAUDE.md" },
  });
  const { stdout, stderr } = runCheck(tree);
  expect(stdout).toContain("a/CLAUDE.md:1:1 note instructions-missing-import ");
  expect(stdout).toContain("a/CLAUDE.md:2:1 error instructions-missing-import ");
  expect(stderr).toStartWith("codelia: 1 error, 1 note ");
});

test("a link and its text are one finding", () => {
  using tree = checkProject({ "a/AGENTS.md": "See [`docs/x.md`](../docs/x.md).\n", "docs/y.md": "" });
  expect(foundIn(tree)).toEqual(["a/AGENTS.md:1 instructions-missing-path"]);
});

test("a root that is reached by a link is checked whole", () => {
  using tree = tempTree({
    "home/": dir,
    "repo/.git/": dir,
    "repo/.claude/skills/one/SKILL.md": "Nothing.\n",
    link: { link: "repo" },
  });
  expect(runCheck(tree, [], { cwd: "link" }).stdout).toStartWith(".claude/skills/one/SKILL.md:1 warning skill-header");
});
