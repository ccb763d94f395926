import { describe, expect, test } from "bun:test";
import { runCodelia, type RunResult } from "../support/run-codelia.ts";
import { sarifErrors } from "../support/sarif-schema.ts";
import { skillFile, SKILLS_PROJECT } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// `codelia skills check` on the built binary. The text for people is in scenarios/check-skills.txt; what each rule finds
// is in rules.test.ts.

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
describe("formats", () => {
  test("json, by either flag", () => {
    using tree = tempTree(BROKEN);
    const { stdout, stderr, exitCode } = check(tree, ["--json"]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
    const report = JSON.parse(stdout);
    expect([report.counts, report.checked]).toEqual([{ error: 1, warning: 1, note: 0 }, 4]);
    expect(JSON.parse(check(tree, ["--json"], { GITHUB_ACTIONS: "true" }).stdout)).toEqual(report);
    expect(report.findings[0]).toEqual({
      rule: "skill-missing-file",
      severity: "error",
      path: tree.path("repo", BAD),
      line: 5,
      column: 10,
      message: "'nowhere.md' does not exist",
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
});

test("skills check: the help calls no path required, which it is not", () => {
  using tree = tempTree({ "repo/.git/": dir, "home/": dir });
  const { stdout, stderr, exitCode } = check(tree, ["--help"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toContain("[PATH]");
  expect(stdout).not.toContain("Required");
});
