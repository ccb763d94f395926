import { describe, expect, test } from "bun:test";
import { checkProject, foundIn, runCheck } from "../support/check-project.ts";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { sarifErrors } from "../support/sarif-schema.ts";
import { dir, tempTree, type Entry } from "../support/temp-tree.ts";

// `codelia check` on the built binary; what each rule finds is in rules.test.ts.

const RULES_OF_SUB = "Read `docs/gone.md` first.\n";
const BROKEN: Readonly<Record<string, Entry>> = {
  "AGENTS.md": "Run the tests.\n",
  "sub/AGENTS.md": RULES_OF_SUB,
  "pipe/AGENTS.md": { fifo: true },
};
const TEXT = `pipe/AGENTS.md:1 error instructions-unreadable it is not a regular file; replace it with one

sub/AGENTS.md:1:7 warning instructions-missing-path 'docs/gone.md' does not exist; add it or correct the path
`;
const SUMMARY = "codelia: 1 error, 1 warning (3 files checked)\n";

test("this repository is clean, for its own reading and for that of clients", () => {
  using home = tempTree();
  const args = ["check", "--fail-on", "note", "--as", "raw,claude,codex"];
  const { stdout, stderr, exitCode } = runCodelia(args, { cwd: REPOSITORY, home: home.root });
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
  expect(stderr).toMatch(/^codelia: nothing found \(\d+ files checked\)\n$/);
  const seen = JSON.parse(runCodelia([...args, "--json"], { cwd: REPOSITORY, home: home.root }).stdout) as {
    checked: number;
  };
  // Its own three, and those in test/fixtures.
  expect(seen.checked).toBeGreaterThanOrEqual(5);
});

describe("formats", () => {
  test("text, by default, from the working directory", () => {
    using tree = checkProject(BROKEN);
    expect(runCheck(tree)).toEqual({ stdout: TEXT, stderr: SUMMARY, exitCode: 1 });
    expect(runCheck(tree, ["--quiet"])).toEqual({ stdout: TEXT, stderr: "", exitCode: 1 });
    expect(runCheck(tree, [], { cwd: "repo/sub" }).stdout).toContain("\nAGENTS.md:1:7 warning ");
  });

  test("annotations under GitHub Actions, from the checkout", () => {
    using tree = checkProject(BROKEN);
    const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: tree.root };
    expect(runCheck(tree, [], { env, cwd: "repo/sub" })).toEqual({
      stdout: `::error file=repo/pipe/AGENTS.md,line=1,title=instructions-unreadable::it is not a regular file; replace it with one
::warning file=repo/sub/AGENTS.md,line=1,col=7,title=instructions-missing-path::'docs/gone.md' does not exist; add it or correct the path
`,
      stderr: SUMMARY,
      exitCode: 1,
    });
    expect(runCheck(tree, ["--format", "text"], { env }).stdout).toBe(TEXT);
  });

  test("json", () => {
    using tree = checkProject(BROKEN);
    const { stdout, stderr, exitCode } = runCheck(tree, ["--json"]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
    const report = JSON.parse(stdout);
    expect(Object.keys(report)).toEqual(["findings", "counts", "checked"]);
    expect([report.counts, report.checked]).toEqual([{ error: 1, warning: 1, note: 0 }, 3]);
    expect(report.findings[1]).toEqual({
      rule: "instructions-missing-path",
      severity: "warning",
      path: tree.path("repo/sub/AGENTS.md"),
      line: 1,
      column: 7,
      message: "'docs/gone.md' does not exist",
      remedy: "add it or correct the path",
      fingerprint: expect.any(String),
    });
  });

  test("sarif, valid by its schema, with every rule that was looked for", () => {
    using tree = checkProject(BROKEN);
    const log = JSON.parse(runCheck(tree, ["--format", "sarif"]).stdout);
    expect(sarifErrors(log)).toEqual([]);
    const [{ results, tool }] = log.runs;
    expect(
      results.map((result: { ruleId: string; ruleIndex: number }) => tool.driver.rules[result.ruleIndex].id),
    ).toEqual(results.map((result: { ruleId: string }) => result.ruleId));
    expect(results).toHaveLength(2);
  });

  test("a page for people, where it is asked for, after what is there already", () => {
    using tree = checkProject({ ...BROKEN, "a|b <x>/AGENTS.md": "See `docs/no_page.md`.\n" });
    tree.write("page.md", "Before.\n");
    const env = { GITHUB_STEP_SUMMARY: tree.path("page.md") };
    expect(runCheck(tree, ["--summary"], { env }).exitCode).toBe(1);
    const page = tree.read("page.md");
    expect(page).toBe(`Before.
### codelia check

1 error, 2 warnings (4 files checked)

| | rule | findings | files |
| --- | --- | --- | --- |
| error | instructions-unreadable | 1 | 1 |
| warning | instructions-missing-path | 2 | 2 |

| | where | rule | what |
| --- | --- | --- | --- |
| error | pipe/AGENTS.md:1 | instructions-unreadable | it is not a regular file; replace it with one |
| warning | a&#124;b &lt;x&gt;/AGENTS.md:1 | instructions-missing-path | 'docs/no&#95;page.md' does not exist; add it or correct the path |
| warning | sub/AGENTS.md:1 | instructions-missing-path | 'docs/gone.md' does not exist; add it or correct the path |

`);
    runCheck(tree, ["--summary", "other.md", "--format", "sarif"]);
    expect(tree.read("repo/other.md")).toBe(page.slice("Before.\n".length));
    expect(runCheck(tree, ["--summary"])).toEqual({
      stdout: "",
      stderr: "codelia: '--summary' needs a file, because GITHUB_STEP_SUMMARY is not set\n",
      exitCode: 64,
    });
  });
});

describe("how it ends", () => {
  const ENDS: [args: string[], exitCode: number][] = [
    [[], 1],
    [["--fail-on", "never"], 0],
    [["sub"], 0],
    [["sub", "--fail-on", "warning"], 1],
    [["sub/AGENTS.md", "--fail-on=warning"], 1],
    [["sub/main.ts", "--fail-on=warning"], 0],
    [["nowhere"], 1],
    [["sub", "sub/main.ts"], 0],
    [["sub", "nowhere"], 1],
    [["--json", "--format", "text"], 64],
  ];
  for (const [args, exitCode] of ENDS) {
    test(`${args.join(" ") || "no flags"} ends with ${exitCode}`, () => {
      using tree = checkProject({ ...BROKEN, "sub/main.ts": "" });
      expect(runCheck(tree, args).exitCode).toBe(exitCode);
    });
  }

  test("a config of the user that can't be used is no finding, and no verdict either", () => {
    using tree = checkProject({ "AGENTS.md": "Run the tests.\n" });
    tree.write("home/.codelia/config.yaml", "agents: [\n");
    const { stdout, exitCode } = runCheck(tree);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 3 });
  });
});

describe("what is looked at", () => {
  test("nothing that git ignores, on any level", () => {
    using tree = checkProject({
      ".git/info/exclude": "/private/\n",
      ".gitignore": "generated/\n*.local.md\n/AGENTS.override.md\n!kept/generated/\n",
      "AGENTS.md": "Run the tests.\n",
      "AGENTS.override.md": "",
      "private/AGENTS.md": "",
      "generated/AGENTS.md": "",
      "kept/generated/AGENTS.md": "",
      "deep/.gitignore": "AGENTS.md\n!/AGENTS.md\n",
      "deep/AGENTS.md": "",
      "deep/er/AGENTS.md": "",
      "CLAUDE.local.md": "",
    });
    expect(foundIn(tree)).toEqual([
      "deep/AGENTS.md:1 instructions-blank",
      "kept/generated/AGENTS.md:1 instructions-blank",
    ]);
    expect(foundIn(tree, ["deep"])).toEqual(["deep/AGENTS.md:1 instructions-blank"]);
  });

  test("no dependency, no repository within the repository, no directory behind a link", () => {
    using tree = checkProject({
      "node_modules/x/AGENTS.md": "",
      "vendor/theirs/.git": "gitdir: elsewhere\n",
      "vendor/theirs/AGENTS.md": "",
      linked: { link: "../outside" },
      "AGENTS.md": "Run the tests.\n",
    });
    tree.write("outside/AGENTS.md", "");
    expect(foundIn(tree)).toEqual([]);
    expect(runCheck(tree, ["vendor/theirs", "--json"]).stdout).toContain('"instructions-blank"');
  });

  test("in a linked working tree, the excludes of the repository it belongs to", () => {
    using tree = tempTree({
      "home/": dir,
      "main/.git/info/exclude": "secret/\n",
      "main/.git/worktrees/repo/commondir": "../..\n",
      "repo/.git": "gitdir: ../main/.git/worktrees/repo\n",
      "repo/secret/AGENTS.md": "",
      "repo/open/AGENTS.md": "",
    });
    expect(foundIn(tree)).toEqual(["open/AGENTS.md:1 instructions-blank"]);
  });

  test("a file under two names once, and what it says once", () => {
    using tree = checkProject({ "AGENTS.md": RULES_OF_SUB, "CLAUDE.md": { link: "AGENTS.md" } });
    expect(foundIn(tree)).toEqual(["AGENTS.md:1 instructions-missing-path"]);
  });

  test("files that the config adds", () => {
    using tree = checkProject({
      ".codelia/config.json": '{"agents":{"additionalFilenames":["RULES.md"]}}',
      "RULES.md": "",
      "rules.md": "",
    });
    expect(foundIn(tree)).toEqual(["RULES.md:1 instructions-blank"]);
  });

  test("skills of every package, and none of the user's", () => {
    using tree = checkProject({ "p/.agents/skills/bad/SKILL.md": "no header\n", "p/src/x.ts": "" });
    tree.write("home/.agents/skills/mine/SKILL.md", "no header\n");
    expect(foundIn(tree)).toEqual(["p/.agents/skills/bad/SKILL.md:1 skill-header"]);
    expect(foundIn(tree, ["p/src"])).toEqual([]);
  });

  test("a part of the repository, in the light of what stands above it", () => {
    const paragraph = `${"Say in the message why the change is needed, and what you left out. ".repeat(4)}\n`;
    using tree = checkProject({ "AGENTS.md": paragraph, "sub/AGENTS.md": paragraph, "pipe/AGENTS.md": { fifo: true } });
    expect(foundIn(tree, ["sub"])).toEqual(["sub/AGENTS.md:1 instructions-repeated"]);
  });
});

test("a link is judged by its own name where there is nothing else to judge", () => {
  using tree = checkProject({ "a/AGENTS.md": { link: "nowhere" }, "b/AGENTS.md": { link: "../../outside.md" } });
  tree.write("outside.md", "");
  expect(foundIn(tree, ["a/AGENTS.md"])).toEqual(["a/AGENTS.md:1 instructions-dangling-link"]);
  expect(foundIn(tree, ["b/AGENTS.md"])).toEqual(["b/AGENTS.md:1 instructions-link-outside"]);
});

test("what is in a text is shown and not obeyed", () => {
  using tree = checkProject({ "AGENTS.md": "See `docs/\u202Egone.md` and [x](<docs/</system-reminder>.md>).\n" });
  const { stdout } = runCheck(tree);
  expect(stdout).not.toContain("\u202E");
  expect(stdout).not.toContain("</system-reminder>");
});

test("a text that is all of what is looked for is judged in no time", () => {
  const megabyte = (line: string) => line.repeat(Math.floor((1024 * 1024) / Buffer.byteLength(line)));
  using tree = checkProject({
    "a/AGENTS.md": megabyte("\u200B\n"),
    "b/CLAUDE.md": megabyte("<system-reminder>"),
    "c/CLAUDE.md": megabyte("`a/b.md` "),
    "d/CLAUDE.md": megabyte(`${"x".repeat(210)}\n\n`),
    "d/e/CLAUDE.md": megabyte(`${"x".repeat(210)}\n\n`),
  });
  const { stdout, exitCode } = runCodelia(["check", "--json"], {
    cwd: tree.path("repo"),
    home: tree.path("home"),
    timeoutMs: 15_000,
  });
  expect(exitCode).toBe(1);
  const { findings } = JSON.parse(stdout) as { findings: { rule: string }[] };
  expect(findings.filter(({ rule }) => rule === "instructions-forged-tag")).toHaveLength(100);
}, 20_000);

describe("given the path of a skill, or of a directory above it", () => {
  const SKILL = ".claude/skills/review/SKILL.md";
  const files = {
    [SKILL]: "---\nname: review\ndescription: Reviews\n---\nRead [the rules](references/gone.md).\n",
    ".claude/skills/review/references/rules.md": "Be kind.\n",
    ".agents/skills/other/SKILL.md": "---\nname: other\ndescription: Does it\n---\n[gone](references/gone.md)\n",
  };
  for (const path of [SKILL, ".claude/skills/review", ".claude/skills", ".claude"]) {
    test(path, () => {
      using tree = checkProject(files);
      expect(foundIn(tree, [path])).toEqual([`${SKILL}:5 skill-missing-file`]);
      const { stderr } = runCheck(tree, [path]);
      expect(stderr).not.toContain("no skill");
    });
  }

  test("another file of a skill has no findings of the skill's", () => {
    using tree = checkProject(files);
    expect(foundIn(tree, [".claude/skills/review/references/rules.md"])).toEqual([]);
  });
});
