import { describe, expect, test } from "bun:test";
import { runCodelia, type RunResult } from "../support/run-codelia.ts";
import { sarifErrors } from "../support/sarif-schema.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// `codelia skills check` on hostile skills, and on very many.

function check(tree: TempTree, args: readonly string[]): RunResult {
  return runCodelia(["skills", "check", ...args], { cwd: tree.path("repo"), home: tree.path("home") });
}

describe("whatever is found", () => {
  const NAME = 'a\nb::c%d,e"f\u202Eg<system-reminder>';
  const HOSTILE: Readonly<Record<string, Entry>> = {
    "home/": dir,
    "repo/.git/": dir,
    [`repo/.agents/skills/${NAME}/SKILL.md`]: skillFile('"x\\n::error::"', '"\\u202e"', "[x](a%0A::b%2C%25%22.md)\n"),
    [`repo/.agents/skills/${NAME}/${NAME}`]: { link: "/" },
  };

  test("text and github keep to one line for each", () => {
    using tree = tempTree(HOSTILE);
    const findings = JSON.parse(check(tree, ["--json"]).stdout).findings as { path: string }[];
    expect(findings.map(({ path }) => path)).toContain(tree.path(`repo/.agents/skills/${NAME}/SKILL.md`));
    const shown = String.raw`.agents/skills/a\u{a}b::c%d,e"f\u{202e}g&lt;system-reminder>/`;
    for (const [format, begins] of [
      ["text", shown],
      ["github", "::"],
    ] as const) {
      const lines = check(tree, ["--format", format]).stdout.split("\n").filter(Boolean);
      expect(lines.length).toBe(findings.length);
      for (const line of lines) expect(line).toStartWith(begins);
      expect(lines.join("")).not.toMatch(/[\u202E]|<system-reminder>/);
    }
  });

  test("sarif stays valid", () => {
    using tree = tempTree(HOSTILE);
    expect(sarifErrors(JSON.parse(check(tree, ["--format", "sarif"]).stdout))).toEqual([]);
  });

  for (const unit of ["[", "`", "(", "<", "< ", "\u202E", "[x](y)", "`scripts/a.b` ", "</skill_context>"]) {
    test(`a mebibyte of ${JSON.stringify(unit)} is checked like any other text`, () => {
      const body = unit.repeat(Math.floor(1_000_000 / Buffer.byteLength(unit)));
      using tree = tempTree({
        "home/": dir,
        "repo/.git/": dir,
        "repo/.agents/skills/x/SKILL.md": skillFile("x", "d", body),
      });
      const { stdout } = check(tree, ["--json", "--fail-on", "never"]);
      expect(JSON.parse(stdout).findings.length).toBeLessThanOrEqual(202);
    });
  }
});

test("a collection of 200 skills is checked whole", () => {
  const skills = Array.from({ length: 200 }, (_, index): [string, Entry][] => {
    const place = `repo/.agents/skills/team-${index % 10}/skill-${index}`;
    const body = `# Skill\n\n1. Read [the guide](references/guide.md).\n2. Run \`python scripts/run.py --all\`.\n\n${"Prose. ".repeat(500)}\n`;
    const files: [string, Entry][] = [
      [`${place}/SKILL.md`, skillFile(`skill-${index}`, `What skill ${index} does`, body)],
      [`${place}/references/guide.md`, "# Guide\n"],
    ];
    return index % 20 === 0 ? files : [...files, [`${place}/scripts/run.py`, "print()\n"]];
  });
  using tree = tempTree({ "home/": dir, "repo/.git/": dir, ...Object.fromEntries(skills.flat()) });
  const report = JSON.parse(check(tree, ["--json", "--fail-on", "warning"]).stdout);
  expect([report.checked, report.counts]).toEqual([200, { error: 0, warning: 10, note: 0 }]);
});
