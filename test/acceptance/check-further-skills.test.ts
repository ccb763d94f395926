import { describe, expect, test } from "bun:test";
import { checkProject, foundIn, runCheck } from "../support/check-project.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, type Entry, type TempTree } from "../support/temp-tree.ts";

// Skills that codelia tells nobody of, and check reads: those of single clients, and those that a repository publishes.

const BROKEN = skillFile("other", "Does it", "See [the list](list.md).\n");
const FOUND = (path: string) => `${path}:5 skill-missing-file`;

function skillsCheck(tree: TempTree, ...paths: readonly string[]) {
  return runCodelia(["skills", "check", ...paths], { cwd: tree.path("repo"), home: tree.path("home") });
}

describe("skills of single clients", () => {
  for (const place of [
    ".claude/skills",
    ".github/skills",
    ".codex/skills",
    ".gemini/skills",
    ".qwen/skills",
    ".opencode/skill",
    ".opencode/skills",
    ".kilo/skills",
    ".kilocode/skill",
    ".kimi-code/skills",
    ".pi/skills",
    ".continue/skills",
  ]) {
    test(`${place} is checked, with fewer rules for headers`, () => {
      using tree = checkProject({
        [`${place}/one/SKILL.md`]: BROKEN,
        [`packages/a/${place}/two/SKILL.md`]: BROKEN.replace("list.md", "names.md"),
      });
      expect(foundIn(tree)).toEqual([FOUND(`${place}/one/SKILL.md`), FOUND(`packages/a/${place}/two/SKILL.md`)]);
      expect(foundIn(tree, [tree.path(`repo/${place}/one`)])).toEqual([FOUND(`${place}/one/SKILL.md`)]);
      expect(skillsCheck(tree, `${place}/one`).stdout).toContain(`${place}/one/SKILL.md:5:16 error skill-missing-file`);
    });
  }

  test("a SKILL.md may be a link to a file of another name", () => {
    using tree = checkProject({
      "docs/agents/review.md": skillFile("review", "Reviews"),
      ".gemini/skills/review/SKILL.md": { link: "../../../docs/agents/review.md" },
      ".gemini/skills/gone/SKILL.md": { link: "../../../docs/agents/gone.md" },
    });
    expect(foundIn(tree)).toEqual([".gemini/skills/gone/SKILL.md:1 skill-unreadable"]);
  });

  test("files of another skill, of another project, optional ones, and those that match a pattern, need not be there", () => {
    using tree = checkProject({
      "other/SKILL.md": skillFile("other", "Does it"),
      "other/references/limits.md": "",
      "one/SKILL.md": skillFile(
        "one",
        "Does it",
        [
          "See `acme:other` (Limits -> `references/limits.md`).",
          "It no longer ships a `scripts/scaffold.sh` wrapper.",
          "Run `scripts/mint.sh` from the migration project root.",
          "If a reference for the language exists, load it:\n\n- `references/go.md`: Go",
          "| Pattern | Matches |\n| --- | --- |\n| `Bash(./scripts/ *)` | `./scripts/test.sh` |",
          "Run `scripts/gone.sh`.\n",
        ].join("\n\n"),
      ),
    });
    expect(foundIn(tree)).toEqual(["one/SKILL.md:19 skill-missing-file"]);
  });

  test("one skill in the root is no collection", () => {
    using tree = checkProject({ "one/SKILL.md": BROKEN });
    expect(foundIn(tree)).toEqual([]);
  });

  test("what is wrong in the copies for several clients is told once", () => {
    using tree = checkProject({
      ".claude/skills/one/SKILL.md": BROKEN,
      ".gemini/skills/one/SKILL.md": BROKEN,
      ".github/skills/one/SKILL.md": BROKEN.replace("Does it", "Does more"),
      "skills/one/SKILL.md": BROKEN,
    });
    expect(foundIn(tree)).toEqual([FOUND(".claude/skills/one/SKILL.md"), FOUND(".github/skills/one/SKILL.md")]);
  });
});

const PUBLISHED: [what: string, files: Record<string, Entry>, found: string[]][] = [
  [
    "skills of the root, in groups too",
    { "skills/one/SKILL.md": BROKEN, "skills/.curated/two/SKILL.md": BROKEN.replace("list.md", "names.md") },
    [FOUND("skills/.curated/two/SKILL.md"), FOUND("skills/one/SKILL.md")],
  ],
  [
    "skills of a plugin, whatever client it is for",
    {
      "a/.claude-plugin/plugin.json": "{}",
      "a/skills/one/SKILL.md": BROKEN,
      "b/c/.codex-plugin/plugin.json": "{}",
      "b/c/skills/two/SKILL.md": BROKEN,
      "no/skills/three/SKILL.md": BROKEN,
    },
    [FOUND("a/skills/one/SKILL.md"), FOUND("b/c/skills/two/SKILL.md")],
  ],
  [
    "skills where a plugin's manifest says",
    {
      "a/.cursor-plugin/plugin.json": `{ "skills": ["./more", "../../../etc"] }`,
      "a/more/one/SKILL.md": BROKEN,
      "c/.claude-plugin/plugin.json": `{ "skills": "./two" }`,
      "c/two/SKILL.md": BROKEN,
      "c/two/references/more.md": skillFile("more", "Says more"),
      "b/.claude-plugin/plugin.json": "no JSON",
      "b/more/two/SKILL.md": BROKEN,
    },
    [FOUND("a/more/one/SKILL.md"), FOUND("c/two/SKILL.md")],
  ],
  [
    "skills of plugins that the marketplace of the repository names",
    {
      ".claude-plugin/marketplace.json": JSON.stringify({
        metadata: { pluginRoot: "./plugins" },
        plugins: [
          { name: "a", source: "./others/a" },
          { name: "b", source: "b", skills: "./special" },
          { name: "c", source: { source: "github", repo: "c/c" } },
          { name: "d", source: "../../d" },
        ],
      }),
      "others/a/skills/one/SKILL.md": BROKEN,
      "plugins/b/skills/two/SKILL.md": BROKEN,
      "plugins/b/special/three/SKILL.md": BROKEN,
      "plugins/c/skills/four/SKILL.md": BROKEN,
    },
    [
      FOUND("others/a/skills/one/SKILL.md"),
      FOUND("plugins/b/skills/two/SKILL.md"),
      FOUND("plugins/b/special/three/SKILL.md"),
    ],
  ],
  [
    "skills that npm publishes with a package",
    {
      "packages/a/package.json": `{ "files": ["dist", "./skills/"] }`,
      "packages/a/skills/group/one/SKILL.md": BROKEN,
      "packages/b/package.json": `{ "files": ["dist"] }`,
      "packages/b/skills/two/SKILL.md": BROKEN,
    },
    [FOUND("packages/a/skills/group/one/SKILL.md")],
  ],
  [
    "no examples, tests and templates, and nothing in another skill",
    {
      "skills/one/SKILL.md": skillFile("one", "Does it"),
      "skills/one/parts/two/SKILL.md": BROKEN,
      "skills/SKILL.md": "About them all.\n",
      "skills/_shared/SKILL.md": BROKEN,
      "skills/templates/three/SKILL.md": BROKEN,
      "skills/templates/SKILL.md": skillFile("templates", "Writes templates", "See [it](it.md).\n"),
      "examples/p/.claude-plugin/plugin.json": "{}",
      "examples/p/skills/four/SKILL.md": BROKEN,
      "backups/p/.claude-plugin/plugin.json": "{}",
      "backups/p/skills/five/SKILL.md": BROKEN,
      "vendor/p/.claude-plugin/plugin.json": "{}",
      "vendor/p/skills/seven/SKILL.md": BROKEN,
      "tests/p/.claude-plugin/plugin.json": "{}",
      "tests/p/skills/six/SKILL.md": BROKEN,
    },
    [],
  ],
  [
    "nothing that git ignores, an installer copied or a link leads to",
    {
      ".gitignore": "skills/made\n",
      "skills-lock.json": `{ "skills": { "brought": { "source": "o/r", "sourceType": "github" } } }`,
      "skills/made/SKILL.md": BROKEN,
      "skills/brought/SKILL.md": BROKEN,
      "elsewhere/linked/SKILL.md": BROKEN,
      "skills/linked": { link: "../elsewhere/linked" },
    },
    [],
  ],
  [
    "headers that can't be read, and no name but its own",
    {
      "skills/one/SKILL.md": "---\nname: One Thing\nallowed-tools: [Read]\n---\nText.\n",
      "skills/two/SKILL.md": "---\ndescription: Use it: always\n---\nText.\n",
      "skills/three/SKILL.md": "Text.\n",
      "a/.claude-plugin/plugin.json": "{}",
      "a/skills/one/SKILL.md": "---\nname: one\n---\nText.\n",
    },
    ["skills/three/SKILL.md:1 skill-header", "skills/two/SKILL.md:2 skill-header"],
  ],
  [
    "a file beside the skills that is written as one",
    {
      "skills/one/SKILL.md": skillFile("one", "Does it"),
      "skills/two.md": skillFile("two", "Does more"),
    },
    ["skills/two.md:1 skill-misplaced"],
  ],
];

describe("published skills", () => {
  for (const [what, files, found] of PUBLISHED) {
    test(what, () => {
      using tree = checkProject(files);
      expect(foundIn(tree).filter((line) => !line.startsWith("skills/templates/SKILL.md"))).toEqual(found);
    });
  }

  test("they are counted, and found by their paths", () => {
    using tree = checkProject({
      "skills/one/SKILL.md": skillFile("one", "Does it"),
      "skills/two/SKILL.md": BROKEN,
      "src/": dir,
    });
    expect(runCheck(tree).stderr).toBe("codelia: 1 error (2 files checked)\n");
    expect(runCheck(tree, ["skills/one"]).stderr).toBe("codelia: nothing found (1 file checked)\n");
    expect(runCheck(tree, ["src"]).stderr).toBe("codelia: no AGENTS.md, CLAUDE.md or skill here\n");
    for (const path of ["skills", "skills/two", "skills/two/SKILL.md"]) {
      const { stdout, stderr, exitCode } = skillsCheck(tree, path);
      expect({ stdout, exitCode }).toEqual({
        stdout:
          "skills/two/SKILL.md:5:16 error skill-missing-file 'list.md' does not exist; add the file or correct the link\n",
        exitCode: 1,
      });
      expect(stderr).toBe(`codelia: 1 error (${path === "skills" ? "2 skills" : "1 skill"} checked)\n`);
    }
    expect(skillsCheck(tree, "src").stderr).toContain("no skill at or below 'src'");
  });

  test("they are not what codelia tells", () => {
    using tree = checkProject({
      "skills/one/SKILL.md": skillFile("one", "Does it"),
      ".codelia/config.yaml": "skills: { disabled: [one] }\n",
    });
    expect(foundIn(tree)).toEqual([".codelia/config.yaml:1 config-unknown-skill"]);
    const { stdout } = runCodelia(["skills", "list"], { cwd: tree.path("repo"), home: tree.path("home") });
    expect(stdout).not.toContain("Does it");
  });
});

const EXAMPLES: [what: string, text: string, found: number][] = [
  ["a command of the project's shell", "Run `git bisect run ./scripts/check.sh`.\n", 0],
  ["a command of the skill", "Run `bash scripts/check.sh`.\n", 1],
  ["a command, and its program alone", "Run `./scripts/check.sh`.\n", 1],
  ["links that stand for others", "See [the runbook](internal-link) and [the page](page-url).\n", 0],
  ["many links of a page to be written", "[a](docs/a.md) [b](docs/b.md) [c](guide/c.md)\n", 0],
  ["a list of what is in another place", "See `~/work/shop`. Key files:\n\n- `scripts/start.sh`\n", 0],
  ["a skill of another group, which is beside it once installed", "See [two](../two/SKILL.md).\n", 0],
  ["a skill that is nowhere", "See [three](../three/SKILL.md).\n", 1],
  ["a table of what not to write", "| Kind | Avoid |\n| --- | --- |\n| Paths | `scripts/start.ts` |\n", 0],
  ["a file of another plugin", "It uses the shop plugin's own helper (`scripts/start.sh` runs it).\n", 0],
  ["a page that the skill renders", "`references/list.md` is rendered from it.\n", 0],
  ["what the user of a published skill has", "See [it](../../AGENTS.md).\n", 0],
  ["what its own project lacks", "See [it](../../STYLE.md).\n", 1],
  ["a list of what is here", "See `references/a.md`. Key files:\n\n- `scripts/start.sh`\n", 1],
  ["a few links of its own", "[a](docs/a.md) [b](docs/b.md)\n", 2],
];

describe("a path that is no mistake", () => {
  for (const [what, text, found] of EXAMPLES) {
    test(what, () => {
      using tree = checkProject({
        "AGENTS.md": "Run the tests.\n",
        "skills/group/one/SKILL.md": skillFile("one", "Does it", text),
        "skills/other/two/SKILL.md": skillFile("two", "Does more"),
        ...(/^a (?:command|list)/.test(what) && { "skills/group/one/references/a.md": "A.\n" }),
      });
      expect(foundIn(tree)).toHaveLength(found);
    });
  }
});
