import { describe, expect, test } from "bun:test";
import { runCodelia, type RunResult } from "../support/run-codelia.ts";
import { sarifErrors } from "../support/sarif-schema.ts";
import { skillFile, SKILLS_PROJECT } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// `codelia skills check` on the built binary; what each rule finds is in rules.test.ts.

const BROKEN: Readonly<Record<string, Entry>> = {
  ...SKILLS_PROJECT,
  "repo/.agents/skills/sound/SKILL.md": skillFile("sound", "Sound", "See [it](references/it.md).\n"),
  "repo/.agents/skills/sound/references/it.md": "",
  "repo/.agents/skills/bad/SKILL.md": skillFile("bad", "Bad", "See [it](nowhere.md)\nand `scripts/no.sh`.\n"),
};

function check(
  tree: TempTree,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  cwd = "repo",
): RunResult {
  return runCodelia(["skills", "check", ...args], { cwd: tree.path(cwd), home: tree.path("home"), env });
}

const BAD = ".agents/skills/bad/SKILL.md";
const TEXT = `${BAD}:5:10 error skill-missing-file 'nowhere.md' is not there; add the file or correct the link
${BAD}:6:6 warning skill-missing-file 'scripts/no.sh' is not there; add the file or correct the path
`;
const SUMMARY = "codelia: 1 error, 1 warning in 4 skills\n";
const GITHUB = `::error file=${BAD},line=5,col=10,title=skill-missing-file::'nowhere.md' is not there; add the file or correct the link
::warning file=${BAD},line=6,col=6,title=skill-missing-file::'scripts/no.sh' is not there; add the file or correct the path
`;
const ACTIONS = { GITHUB_ACTIONS: "true" };

describe("formats", () => {
  test("text, by default", () => {
    using tree = tempTree(BROKEN);
    expect(check(tree)).toEqual({ stdout: TEXT, stderr: SUMMARY, exitCode: 1 });
    expect(check(tree, ["--quiet"])).toEqual({ stdout: TEXT, stderr: "", exitCode: 1 });
  });

  test("text shows paths from the working directory, and whole where they are elsewhere", () => {
    using tree = tempTree(BROKEN);
    expect(check(tree, [], {}, "repo/p/src").stdout).toStartWith(`${tree.path("repo", BAD)}:5:10 error `);
    expect(check(tree, [], {}, "repo/.agents").stdout).toStartWith("skills/bad/SKILL.md:5:10 error ");
  });

  test("nothing to say is an empty standard output", () => {
    using tree = tempTree(SKILLS_PROJECT);
    const nothing = { stdout: "", stderr: "codelia: nothing found in 2 skills\n", exitCode: 0 };
    expect(check(tree)).toEqual(nothing);
    expect(check(tree, ["--format", "github"])).toEqual(nothing);
  });

  test("github, asked for or under GitHub Actions", () => {
    using tree = tempTree(BROKEN);
    const annotations = { stdout: GITHUB, stderr: SUMMARY, exitCode: 1 };
    expect(check(tree, ["--format", "github"])).toEqual(annotations);
    expect(check(tree, [], ACTIONS)).toEqual(annotations);
    expect(check(tree, ["--format=text"], ACTIONS).stdout).toBe(TEXT);
    expect(JSON.parse(check(tree, ["--json"], ACTIONS).stdout).counts.error).toBe(1);
    expect(check(tree, [], { GITHUB_ACTIONS: "false" }).stdout).toBe(TEXT);
  });

  test("github shows paths from the checkout, wherever it was called", () => {
    using tree = tempTree(BROKEN);
    expect(check(tree, [], ACTIONS, "repo/p/src").stdout).toBe(GITHUB);
    const above = { ...ACTIONS, GITHUB_WORKSPACE: tree.root };
    expect(check(tree, [], above).stdout).toStartWith(`::error file=repo/${BAD},line=5`);
    const elsewhere = { ...ACTIONS, GITHUB_WORKSPACE: tree.path("home") };
    expect(check(tree, [], elsewhere).stdout).toBe(GITHUB);
  });

  test("json, by either flag", () => {
    using tree = tempTree(BROKEN);
    const { stdout, stderr, exitCode } = check(tree, ["--json"]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
    const report = JSON.parse(stdout);
    expect([report.counts, report.checked]).toEqual([{ error: 1, warning: 1, note: 0 }, 4]);
    expect(report.findings[0]).toEqual({
      rule: "skill-missing-file",
      severity: "error",
      path: tree.path("repo", BAD),
      line: 5,
      column: 10,
      message: "'nowhere.md' is not there",
      remedy: "add the file or correct the link",
      fingerprint: expect.any(String),
    });
    expect(check(tree, ["--format", "json"])).toEqual({ stdout, stderr, exitCode });
    expect(check(tree, ["--format", "json", "--json"])).toEqual({ stdout, stderr, exitCode });
  });

  test("sarif", () => {
    using tree = tempTree(BROKEN);
    const { stdout, stderr, exitCode } = check(tree, ["--format", "sarif"], {}, "repo/p");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
    const log = JSON.parse(stdout);
    expect(sarifErrors(log)).toEqual([]);
    const places = log.runs[0].results.map((result: SarifResult) => result.locations[0]?.physicalLocation);
    expect(places).toEqual([
      { artifactLocation: { uri: BAD, uriBaseId: "%SRCROOT%" }, region: { startLine: 5, startColumn: 10 } },
      { artifactLocation: { uri: BAD, uriBaseId: "%SRCROOT%" }, region: { startLine: 6, startColumn: 6 } },
    ]);
    expect(log.runs[0].originalUriBaseIds["%SRCROOT%"].uri).toBe(`file://${tree.path("repo")}/`);
  });

  test("a fingerprint outlives a line that moves", () => {
    using tree = tempTree(BROKEN);
    const before = fingerprintsOf(check(tree, ["--format", "sarif"]));
    tree.write(`repo/${BAD}`, `${tree.read(`repo/${BAD}`).replace("See", "First,\n\nsee")}Last.\n`);
    expect(fingerprintsOf(check(tree, ["--format", "sarif"]))).toEqual(before);
  });
});

interface SarifResult {
  readonly locations: { readonly physicalLocation: unknown }[];
  readonly partialFingerprints: unknown;
}

function fingerprintsOf({ stdout }: RunResult): unknown[] {
  return JSON.parse(stdout).runs[0].results.map((result: SarifResult) => result.partialFingerprints);
}

describe("--fail-on", () => {
  const ENDS: [args: string[], exitCode: number][] = [
    [[], 1],
    [["--fail-on", "note"], 1],
    [["--fail-on", "warning"], 1],
    [["--fail-on", "never"], 0],
    [["--fail-on", "error", ".agents/skills/sound"], 0],
    [["--fail-on=warning", ".agents/skills/warned"], 1],
    [["--fail-on", "error", ".agents/skills/warned"], 0],
    [["--fail-on", "sometimes"], 64],
  ];
  for (const [args, exitCode] of ENDS) {
    test(`${args.join(" ")} ends with ${exitCode}`, () => {
      const warned = skillFile("warned", "Warned", "`scripts/no.sh`\n");
      using tree = tempTree({ ...BROKEN, "repo/.agents/skills/warned/SKILL.md": warned });
      for (const format of ["text", "json", "github", "sarif"]) {
        expect(check(tree, [...args, "--format", format]).exitCode).toBe(exitCode);
      }
    });
  }
});

describe("paths", () => {
  const CHECKED: [paths: string[], checked: number][] = [
    [["."], 5],
    [[".agents/skills/bad"], 1],
    [[".agents/skills/bad/SKILL.md"], 1],
    [[".agents/skills/bad", ".agents/skills/sound"], 2],
    [[".agents/skills/sound/references/it.md"], 1],
    [["p"], 1],
    [["p/.agents/skills/team/changelog"], 1],
    [["../home"], 1],
    [["linked/.agents"], 4],
    [[".agents/skills/broken"], 1],
  ];
  for (const [paths, checked] of CHECKED) {
    test(`${paths.join(" ")} names ${checked}`, () => {
      using tree = tempTree({
        ...BROKEN,
        "repo/.agents/skills/broken/SKILL.md": "",
        "repo/linked": { link: "." },
        "repo/node_modules/x/.agents/skills/x/SKILL.md": "",
      });
      expect(JSON.parse(check(tree, ["--json", ...paths]).stdout).checked).toBe(checked);
    });
  }

  for (const path of ["nowhere", "p/src", "/proc", ".agents/skills/empty", "../other"]) {
    test(`a path that names no skill is a mistake: ${path}`, () => {
      using tree = tempTree({
        ...BROKEN,
        "repo/.agents/skills/empty/": dir,
        "other/SKILL.md": skillFile("other", "d"),
      });
      expect(check(tree, [".", path])).toEqual({
        stdout: "",
        stderr: `codelia: no skill at or below '${path}'; 'codelia skills list' names those of a directory\n`,
        exitCode: 64,
      });
    });
  }

  test("two formats at once are a mistake", () => {
    using tree = tempTree(BROKEN);
    const { stderr, exitCode } = check(tree, ["--json", "--format", "sarif"]);
    expect({ stderr, exitCode }).toEqual({
      stderr: "codelia: '--json' and '--format' contradict each other\n",
      exitCode: 64,
    });
  });

  test("skills that are turned off are not checked", () => {
    using tree = tempTree({ ...BROKEN, "repo/.codelia/config.json": '{"skills":{"enabled":false}}' });
    expect(check(tree)).toEqual({ stdout: "", stderr: "codelia: nothing found in 0 skills\n", exitCode: 0 });
    expect(JSON.parse(check(tree, ["--json"]).stdout).findings).toEqual([]);
  });
});

test("a skill directory that is a link to nowhere is an error, for whoever looks for skills", () => {
  using tree = tempTree({ "repo/.git/": dir, "home/": dir, "repo/.agents/skills": { link: "../.claude/skills" } });
  const found = ".agents/skills:1 error skill-unreadable it is a link that leads nowhere; correct or remove it\n";
  expect(check(tree)).toEqual({ stdout: found, stderr: "codelia: 1 error in 1 skill\n", exitCode: 1 });
  const at = { cwd: tree.path("repo"), home: tree.path("home") };
  expect(runCodelia(["check"], at)).toEqual({ stdout: found, stderr: "codelia: 1 error in 1 file\n", exitCode: 1 });
  const { errors } = JSON.parse(runCodelia(["skills", "list", "--json"], at).stdout);
  expect(errors).toEqual([
    { path: tree.path("repo/.agents/skills"), message: "it is a link that leads nowhere; correct or remove it" },
  ]);
});

test("a name that several skills have is said once of each, with those of packages below", () => {
  const places = [".agents/skills/a/rev", ".agents/skills/b/rev", "p/.agents/skills/rev"];
  const skills = places.map((place) => [`repo/${place}/SKILL.md`, skillFile("rev", "Does it", "Go.\n")]);
  using tree = tempTree({ "repo/.git/": dir, "home/": dir, ...Object.fromEntries(skills) });
  for (const command of [["check"], ["skills", "check", "."]]) {
    const { stdout } = runCodelia([...command, "--json"], { cwd: tree.path("repo"), home: tree.path("home") });
    const { findings } = JSON.parse(stdout) as { findings: { path: string; message: string }[] };
    expect(findings.map(({ path }) => path)).toEqual(places.map((place) => tree.path("repo", place, "SKILL.md")));
    for (const { message } of findings) expect(message.match(/SKILL\.md/g)).toHaveLength(2);
  }
});

test("skills check: the help calls no path required, which it is not", () => {
  using tree = tempTree({ "repo/.git/": dir, "home/": dir });
  const { stdout, stderr, exitCode } = check(tree, ["--help"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toContain("[PATH]");
  expect(stdout).not.toContain("Required");
});
