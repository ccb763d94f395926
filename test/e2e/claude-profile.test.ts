import { describe, expect, test } from "bun:test";
import { ExplanationSchema } from "../../src/report/schema.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";
import { runClaude } from "./lib/claude.ts";
import { CLAUDE } from "./lib/clients.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { turnsOf } from "./lib/seen.ts";

// What we say that Claude Code reads, against what its first request carried.

type Files = Readonly<Record<string, Entry>>;

interface Row {
  readonly fact: string;
  readonly files: Files;
  readonly home?: Files;
  readonly cwd?: string;
  /** How many files the model is to be given: an empty answer would agree with another. */
  readonly count: number;
}

const PLUGIN = "cc-plugin-agents-md@builtin";
const REPOSITORY = { ".git/HEAD": "ref: refs/heads/main\n" };
const AGENTS = { "AGENTS.md": "Rules of the root.\n" };
const settings = (data: object) => ({ ".claude/settings.json": JSON.stringify(data) });

const optionOf = (instructionFiles: string) => ({ [PLUGIN]: { options: { instructionFiles } } });
const loader = (value: string) => settings({ pluginConfigs: optionOf(value) });
const otherName = (projectInstructions: string) =>
  settings({ pluginConfigs: { "agents-md@builtin": { options: { projectInstructions } } } });

const ROWS: Row[] = [
  {
    fact: "the whole family, in its order",
    files: {
      "CLAUDE.md": "Root.\n",
      ".claude/CLAUDE.md": "Root, hidden.\n",
      ".claude/rules/a.md": "Rule.\n",
      ".claude/rules/deep/b.md": "Deep rule.\n",
      "CLAUDE.local.md": "Root, mine.\n",
      "sub/CLAUDE.md": "Sub.\n",
      "sub/.claude/rules/c.md": "Rule of sub.\n",
      "sub/CLAUDE.local.md": "Sub, mine.\n",
      "sub/AGENTS.md": "Not read.\n",
    },
    home: { ".claude/CLAUDE.md": "Home.\n", ".claude/rules/h.md": "Rule of home.\n" },
    cwd: "sub",
    count: 10,
  },
  {
    fact: "AGENTS.md beside rules and the user's memory, in all directories",
    files: {
      ...AGENTS,
      ".claude/AGENTS.md": "Hidden.\n",
      ".claude/rules/r.md": "Rule.\n",
      "sub/AGENTS.md": "Sub, see @y.md\n",
      "sub/y.md": "Imported.\n",
      "sub/.claude/rules/s.md": "Rule of sub.\n",
    },
    home: { ".claude/CLAUDE.md": "Home.\n", "AGENTS.md": "Not read.\n" },
    cwd: "sub",
    count: 7,
  },
  {
    fact: "AGENTS.md beside a CLAUDE.md without a word",
    files: { ...AGENTS, "CLAUDE.md": "---\na: 1\n---\n<!-- x -->\n" },
    count: 1,
  },
  {
    fact: "no AGENTS.md below a CLAUDE.local.md",
    files: { "CLAUDE.local.md": "Mine.\n", "sub/AGENTS.md": "Sub.\n" },
    cwd: "sub",
    count: 1,
  },
  { fact: "AGENTS.md that a CLAUDE.md imports", files: { ...AGENTS, "CLAUDE.md": "@AGENTS.md\nMore.\n" }, count: 2 },
  {
    fact: "one file by two names once",
    files: { "CLAUDE.md": { link: "AGENTS.md" }, ...AGENTS, "sub/CLAUDE.md": { link: "../CLAUDE.md" } },
    cwd: "sub",
    count: 1,
  },
  {
    fact: "no AGENTS.md with its loader off",
    files: { ...AGENTS, ...settings({ enabledPlugins: { [PLUGIN]: false } }) },
    count: 0,
  },
  {
    fact: "a loader that the user switches off and the project on",
    files: { ...AGENTS, ...settings({ enabledPlugins: { [PLUGIN]: true } }) },
    home: settings({ enabledPlugins: { [PLUGIN]: false } }),
    count: 1,
  },
  {
    fact: "AGENTS.md beside each CLAUDE.md, by an option of its loader",
    files: {
      ...AGENTS,
      "CLAUDE.md": "Root.\n",
      ".claude/AGENTS.md": "Hidden.\n",
      "sub/CLAUDE.md": "Sub, see @AGENTS.md\n",
      "sub/AGENTS.md": "Imported.\n",
      "sub/CLAUDE.local.md": "Mine.\n",
    },
    home: { ...loader("claude-md-and-agents-md"), ".claude/CLAUDE.md": "Home.\n" },
    cwd: "sub",
    count: 7,
  },
  { fact: "the same by another name", files: { ...AGENTS, "CLAUDE.md": "C.\n" }, home: otherName("both"), count: 2 },
  {
    fact: "CLAUDE.md alone, by the option",
    files: { ...AGENTS, "sub/CLAUDE.md": "Sub.\n" },
    home: loader("claude-md"),
    cwd: "sub",
    count: 1,
  },
  {
    fact: "an administrator's files alone, by the option",
    files: { ...AGENTS, "CLAUDE.md": "Root @x.md\n", "x.md": "X.\n", ".claude/rules/r.md": "Rule.\n" },
    home: { ...loader("managed-only"), ".claude/CLAUDE.md": "Home.\n" },
    count: 0,
  },
  {
    fact: "no option of the project, and none that it doesn't have",
    files: { ...AGENTS, "CLAUDE.md": "C.\n", ...loader("managed-only") },
    home: loader("everything"),
    count: 1,
  },
  {
    fact: "no option of a loader that is off",
    files: { ...AGENTS, "CLAUDE.md": "C.\n" },
    home: settings({ enabledPlugins: { [PLUGIN]: false }, pluginConfigs: optionOf("managed-only") }),
    count: 1,
  },
  {
    fact: "what is excluded in two places",
    files: {
      "CLAUDE.md": "C.\n",
      "CLAUDE.local.md": "Mine @x.md\n",
      "x.md": "X.\n",
      ".claude/CLAUDE.md": "Hidden.\n",
      ...AGENTS,
      ...settings({ claudeMdExcludes: ["**/{CLAUDE.local,y}.md"] }),
    },
    home: settings({ claudeMdExcludes: ["**/.claude/*.md", "sub/**"] }),
    count: 1,
  },
  {
    fact: "AGENTS.md beside a CLAUDE.md that is excluded",
    files: { "CLAUDE.md": "C.\n", ...AGENTS, ...settings({ claudeMdExcludes: ["**/CLAUDE.md"] }) },
    count: 1,
  },
  {
    fact: "imports: each once, after the one that imports it, five deep",
    files: {
      "CLAUDE.md":
        "See @a.md and @d/b.md, @d/b.md\n\n`@code.md`\n\n```\n@code.md\n```\n\n    @code.md\n\n<!-- @code.md -->\n@missing.md @1.md **@strong.md** @x.png\n",
      "a.md": "A @CLAUDE.md\n",
      "d/b.md": "B @e.md @../f.md\n",
      "d/e.md": "E.\n",
      "f.md": "F.\n",
      "code.md": "Not read.\n",
      "strong.md": "Strong.\n",
      "x.png": "Not read.\n",
      "1.md": "1 @2.md",
      "2.md": "2 @3.md",
      "3.md": "3 @4.md",
      "4.md": "4 @5.md",
      "5.md": "Not read.\n",
    },
    count: 10,
  },
  {
    fact: "imports that leave the working directory only where the user imports",
    files: {
      "sub/CLAUDE.md": "C @../out.md @~/h.md @l.md\n",
      "sub/l.md": { link: "../out.md" },
      "out.md": "Not read.\n",
    },
    home: { ".claude/CLAUDE.md": "Home @~/h.md @/etc/hostname\n", "h.md": "From home.\n" },
    cwd: "sub",
    count: 4,
  },
  {
    fact: "imports relative to where a link leads",
    files: { "CLAUDE.md": { link: "d/C.md" }, "d/C.md": "C @x.md\n", "d/x.md": "Beside it.\n", "x.md": "Not read.\n" },
    count: 2,
  },
  {
    fact: "rules that wait for no file",
    files: {
      ".claude/rules/a.md": "---\nother: 1\n---\nA.\n",
      ".claude/rules/b.md": "---\npaths:\n---\nB.\n",
      ".claude/rules/c.md": '---\npaths: "**"\n---\nC.\n',
      ".claude/rules/d.md": '---\npaths:\n  - "**/*"\n---\nNot read, but @../../i.md\n',
      ".claude/rules/e.md": "---\npaths: src/**\n---\nNot read.\n",
      ".claude/rules/f.md": "\n---\npaths: src/**\n---\nF.\n",
      ".claude/rules/g.txt": "Not read.\n",
      ".claude/rules/l.md": { link: "../../linked.md" },
      "linked.md": "Linked.\n",
      "i.md": "Imported.\n",
    },
    count: 6,
  },
  {
    fact: "text without front matter, blanks around it, and comments that are blocks",
    files: {
      "CLAUDE.md":
        "\u{FEFF}---\na: 1\n---\n\n  A <!-- in a line --> B\r\n\r\n<!-- block\nof two lines -->\n\n\nC\n<!-- y -->D\n\n```\n<!-- fence -->\n```\n- <!-- item -->\n<!-- one --><!-- two -->\nE\n<!-- no end\n",
      "CLAUDE.local.md": "x\r\ny\r\n",
      ".claude/CLAUDE.md": new Uint8Array([0x61, 0xff, 0xe2, 0x82, 0x62, 0x00, 0x63]),
    },
    count: 3,
  },
  {
    fact: "what is no file, passed over",
    files: {
      "CLAUDE.md": { dir: true },
      "CLAUDE.local.md": { link: "nowhere" },
      ".claude/CLAUDE.md": { fifo: true },
      ...AGENTS,
    },
    count: 1,
  },
  {
    fact: "a directory that is a link, by what it leads to",
    files: { ...AGENTS, "sub/deep/AGENTS.md": "Deep.\n", "sub/AGENTS.md": "Sub.\n", link: { link: "sub/deep" } },
    cwd: "link",
    count: 3,
  },
  { fact: "all of a long file", files: { "CLAUDE.md": `${"x".repeat(120_000)}\nEnd.\n` }, count: 1 },
  {
    fact: "of a linked working tree inside its repository, only what is not checked in above it",
    files: {
      "CLAUDE.md": "Main.\n",
      "CLAUDE.local.md": "Mine.\n",
      ".claude/rules/r.md": "Rule of main.\n",
      ".git/worktrees/w/HEAD": "ref: refs/heads/w\n",
      ".git/worktrees/w/commondir": "../..\n",
      ".git/worktrees/w/gitdir": "../../../.claude/worktrees/w/.git\n",
      ".claude/worktrees/w/.git": "gitdir: ../../../.git/worktrees/w\n",
      ".claude/worktrees/w/CLAUDE.md": "Tree.\n",
    },
    cwd: ".claude/worktrees/w",
    count: 2,
  },
];

describe.skipIf(CLAUDE.missing !== undefined)("Claude Code and our profile of it agree on", () => {
  test.each(ROWS.map((row) => [row.fact, row] as const))(
    "%s",
    async (_, { files, home: homeFiles, cwd = ".", count }) => {
      using tree = tempTree({ ...REPOSITORY, ...files });
      using home = tempTree(homeFiles);
      const where = { cwd: tree.path(cwd), home: home.root };
      const run = await runClaude({ prompt: "Go.", tree, home, cwd: where.cwd });
      const told = (turnsOf(run)[0]?.seen ?? []).map(({ text }) => text).filter((text) => text.startsWith(OPENING));

      const { stdout, stderr, exitCode } = runCodelia(["init-context", "--as", "claude", "--quiet"], where);
      expect({ stdout, stderr, exitCode }).toEqual({ stdout: told.join("\n"), stderr: "", exitCode: 0 });
      const explained = runCodelia(["explain", "--as", "claude", "--json", "--quiet"], where);
      const read = ExplanationSchema.parse(JSON.parse(explained.stdout)).clients[0]!.files;
      const shown = read.filter(({ bytesShown }) => bytesShown > 0).map(({ path }) => path);
      expect(shown).toHaveLength(count);
      expect([...stdout.matchAll(/^Contents of (.*) \([^()]*\):$/gm)].map(([, path]) => path as string)).toEqual(shown);
    },
    TEST_TIMEOUT_MS,
  );
});

const OPENING = "<system-reminder>\nCodebase and user instructions are shown below.";
