import { describe, expect, test } from "bun:test";
import { after, bash, hook, read, start } from "../support/hook-calls.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// What the client loads by itself, as `init-context --as` prints it, and what the hook adds.

type Files = Readonly<Record<string, Entry>>;

interface Row {
  readonly what: string;
  readonly files: Files;
  readonly cwd?: string;
  /** Which directories the user trusts in Codex's config, and the rest of that config. */
  readonly trust?: Readonly<Record<string, string>>;
  readonly config?: string;
  /** Which of the rules below the client loads, and which the hook tells. */
  readonly given: readonly string[];
  readonly told: readonly string[];
}

const TREE: Files = { "home/": { dir: true }, "repo/.git/": { dir: true } };
const RULES = ["Rule of the root.", "Rule of sub."];
const [ROOT, SUB] = RULES as [string, string];
const LADDER: Files = { "repo/AGENTS.md": `${ROOT}\n`, "repo/sub/AGENTS.md": `${SUB}\n`, "repo/sub/x.ts": "" };

function split(tree: TempTree, client: string, cwd: string) {
  const where = { cwd: tree.path(cwd), home: tree.path("home") };
  const { stdout } = runCodelia(["init-context", "--as", client, "--quiet"], where);
  const { context } = hook(tree, { ...start(), cwd: where.cwd }, [client]);
  return {
    given: RULES.filter((rule) => stdout.includes(rule)),
    told: RULES.filter((rule) => context.includes(rule)),
  };
}

function writeCodexConfig(tree: TempTree, levels: Readonly<Record<string, string>>, more = ""): void {
  const projects = Object.entries(levels).map(
    ([path, level]) => `[projects.${JSON.stringify(tree.path(path))}]\ntrust_level = "${level}"\n`,
  );
  tree.write("home/.codex/config.toml", `${more}\n${projects.join("")}`);
}

const ROWS: Readonly<Record<"codex" | "claude", readonly Row[]>> = {
  codex: [
    {
      what: "a trusted project's own limit of bytes",
      files: { ...LADDER, "repo/.codex/config.toml": "project_doc_max_bytes = 18\n" },
      trust: { repo: "trusted" },
      given: [ROOT],
      told: [SUB],
    },
    {
      what: "the same in a project that is not marked trusted, where it counts for nothing",
      files: { ...LADDER, "repo/.codex/config.toml": "project_doc_max_bytes = 18\n" },
      given: [ROOT, SUB],
      told: [],
    },
    {
      what: "a trusted project's own names",
      files: {
        "repo/RULES.md": `${ROOT}\n`,
        "repo/sub/RULES.md": `${SUB}\n`,
        "repo/.codex/config.toml": 'project_doc_fallback_filenames = ["RULES.md"]\n',
        "repo/.codelia/config.json": '{ "agents": { "fallbackFilenames": ["RULES.md"] } }',
      },
      trust: { repo: "trusted" },
      given: [ROOT, SUB],
      told: [],
    },
    {
      what: "a directory between that is not trusted, of which nobody is asked",
      files: { ...LADDER, "repo/sub/deep/": { dir: true } },
      cwd: "repo/sub/deep",
      trust: { repo: "trusted", "repo/sub": "untrusted" },
      given: [ROOT, SUB],
      told: [],
    },
    {
      what: "an untrusted repository below the root that its markers give",
      files: { ...LADDER, marker: "" },
      trust: { ".": "trusted", repo: "untrusted" },
      config: 'project_root_markers = ["marker"]',
      given: [],
      told: [ROOT, SUB],
    },
    {
      what: "a linked working tree of a repository that is not trusted",
      files: {
        "repo/.git/worktrees/w/commondir": "../..\n",
        "repo/.git/worktrees/w/gitdir": "../../../../w/.git\n",
        "w/.git": "gitdir: ../repo/.git/worktrees/w\n",
        "w/AGENTS.md": `${ROOT}\n`,
        "w/sub/AGENTS.md": `${SUB}\n`,
      },
      cwd: "w/sub",
      trust: { repo: "untrusted" },
      given: [],
      told: [ROOT, SUB],
    },
    {
      what: "a file that begins with more blanks than there is room for, which takes none of it",
      files: { ...LADDER, "repo/AGENTS.md": `${" ".repeat(33_000)}${ROOT}\n` },
      given: [SUB],
      told: [],
    },
    {
      what: "a blank override, which hides AGENTS.md from both",
      files: { ...LADDER, "repo/AGENTS.override.md": " \n" },
      given: [SUB],
      told: [],
    },
    {
      what: "a link that leads to itself, which ends the search",
      files: { ...LADDER, "repo/sub/AGENTS.override.md": { link: "AGENTS.override.md" } },
      given: [],
      told: [ROOT, SUB],
    },
  ],
  claude: [
    {
      what: "AGENTS.md that CLAUDE.md imports",
      files: { ...LADDER, "repo/CLAUDE.md": "@AGENTS.md\n" },
      cwd: "repo",
      given: [ROOT],
      told: [],
    },
    {
      what: "AGENTS.md of which CLAUDE.md is a copy",
      files: { ...LADDER, "repo/CLAUDE.md": `${ROOT}\n\n` },
      cwd: "repo/sub",
      given: [ROOT],
      told: [SUB],
    },
    ...["**@AGENTS.md**", "@./AGENTS.md#rules"].map((text) => ({
      what: `AGENTS.md that CLAUDE.md imports as '${text}'`,
      files: { ...LADDER, "repo/CLAUDE.md": `See ${text}\n` },
      cwd: "repo",
      given: [ROOT],
      told: [],
    })),
    ...["<!-- @AGENTS.md -->", "\n    @AGENTS.md", "``@AGENTS.md ` ``"].map((text) => ({
      what: `AGENTS.md that CLAUDE.md mentions as ${JSON.stringify(text)}`,
      files: { ...LADDER, "repo/CLAUDE.md": `Be brief.\n${text}\n` },
      cwd: "repo",
      given: [],
      told: [ROOT],
    })),
    {
      what: "AGENTS.md at the end of a chain of imports that is too long",
      files: {
        ...LADDER,
        "repo/CLAUDE.md": "@1.md\n",
        "repo/1.md": "@2.md\n",
        "repo/2.md": "@3.md\n",
        "repo/3.md": "@4.md\n",
        "repo/4.md": "@AGENTS.md\n",
      },
      cwd: "repo",
      given: [],
      told: [ROOT],
    },
    {
      what: "a CLAUDE.md that says nothing but a comment",
      files: { ...LADDER, "repo/CLAUDE.md": "---\na: 1\n---\n<!-- Nothing. -->\n" },
      given: [ROOT, SUB],
      told: [],
    },
    {
      what: "AGENTS.md that a rule imports",
      files: { ...LADDER, "repo/CLAUDE.md": "Be brief.\n", "repo/.claude/rules/r.md": "@../../AGENTS.md\n" },
      cwd: "repo",
      given: [ROOT],
      told: [],
    },
    {
      what: "AGENTS.md that is imported from outside of the working directory",
      files: { ...LADDER, "repo/sub/CLAUDE.md": "@../AGENTS.md @AGENTS.md\n" },
      given: [SUB],
      told: [ROOT],
    },
    {
      what: "a pattern that excludes in a way that we can't read",
      files: { ...LADDER, "repo/.claude/settings.json": '{ "claudeMdExcludes": ["**/+(AGENTS|X).md"] }' },
      cwd: "repo",
      given: [],
      told: [ROOT],
    },
  ],
};

const CASES = Object.entries(ROWS).flatMap(([client, rows]) => rows.map((row) => [client, row.what, row] as const));

describe("the hook tells what the client does not give by itself", () => {
  test.each(CASES)("%s: %s", (client, _, { files, cwd = "repo/sub", trust = {}, config, given, told }) => {
    using tree = tempTree({ ...TREE, ...files });
    writeCodexConfig(tree, trust, config);
    expect(split(tree, client, cwd)).toEqual({ given: [...given], told: [...told] });
  });

  test("Codex: what a project's own limit cuts is given from the line where it was cut", () => {
    using tree = tempTree({ ...TREE, ...LADDER, "repo/.codex/config.toml": "project_doc_max_bytes = 24\n" });
    writeCodexConfig(tree, { repo: "trusted" });
    const { context } = hook(tree, { ...start(), cwd: tree.path("repo/sub") }, ["codex"]);
    expect(context).toContain(`Instructions from: ${tree.path("repo/sub/AGENTS.md")}\nRule of sub.\n`);
    expect(context).not.toContain("Rule of the root.");
  });

  test("Claude Code: settings outside the project are not read, so all is told", () => {
    for (const [target, told] of [
      ["../shared.json", []],
      ["../../shared.json", [ROOT]],
    ] as const) {
      const settings = {
        "shared.json": "{}",
        "repo/shared.json": "{}",
        "repo/.claude/settings.json": { link: target },
      };
      using tree = tempTree({ ...TREE, ...LADDER, ...settings });
      expect(split(tree, "claude", "repo")).toEqual({ given: [ROOT], told: [...told] });
    }
  });

  test("Claude Code: what came with a start or a Read is told once it has changed, since the client gives it once", () => {
    using tree = tempTree({ ...TREE, ...LADDER });
    const file = { file_path: tree.path("repo/sub/x.ts") };
    expect(hook(tree, start()).context).not.toContain(ROOT);
    expect(hook(tree, read(file.file_path)).context).toBe("");
    hook(tree, after("Read", file));
    expect(hook(tree, bash("ls sub")).context).toBe("");
    tree.write("repo/sub/AGENTS.md", "Other rule of sub.\n");
    const { context } = hook(tree, read(file.file_path));
    expect(context).toContain(`- ${tree.path("repo/sub/AGENTS.md")} `);
    expect(context).not.toContain(`- ${tree.path("repo/AGENTS.md")} `);
    tree.write("repo/AGENTS.md", "Other rule of the root.\n");
    expect(hook(tree, read(file.file_path)).context).toContain(`- ${tree.path("repo/AGENTS.md")} `);
    expect(hook(tree, read(file.file_path)).context).toBe("");
  });

  test("Claude Code: what a nested CLAUDE.md imports came with the tool", () => {
    using tree = tempTree({
      ...TREE,
      ...LADDER,
      "repo/CLAUDE.md": "Be brief.\n",
      "repo/sub/CLAUDE.md": "@deep/../AGENTS.md <!-- @d/AGENTS.md -->\n",
      "repo/sub/d/AGENTS.md": "Rule of d.\n",
      "repo/sub/deep/": { dir: true },
    });
    hook(tree, start());
    const { context } = hook(tree, read(tree.path("repo/sub/d/x.ts")));
    expect(context).not.toContain(`- ${tree.path("repo/sub/AGENTS.md")} `);
    expect(context).toContain(`- ${tree.path("repo/sub/d/AGENTS.md")} `);
  });
});
