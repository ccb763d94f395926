import { expect, test } from "bun:test";
import { RULE_PAGES } from "../../src/check/rule-pages.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry } from "../support/temp-tree.ts";

// How a project configures `check`: severities by rule and file, ignored files, comments; and the pages of rules.

/** `place severity rule` of each finding, as text output has them. */
function check(files: Readonly<Record<string, Entry>>, words: readonly string[] = ["check"]) {
  const project = Object.fromEntries(Object.entries(files).map(([path, entry]) => [`repo/${path}`, entry]));
  using tree = tempTree({ "home/": dir, "repo/.git/": dir, ...project });
  const { stdout, stderr, exitCode } = runCodelia(words, { cwd: tree.path("repo"), home: tree.path("home") });
  const findings = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" ").slice(0, 3).join(" "));
  return { findings, stdout, stderr, exitCode };
}

const GONE = "Read `docs/gone.md`.\n";
const RULE = "instructions-missing-path";
const config = (text: string) => ({ ".codelia/config.yaml": `check:\n${text}` });

const TREES: [what: string, files: Record<string, Entry>, findings: string[], exitCode: number][] = [
  ["a severity", { "AGENTS.md": GONE, ...config(`  rules: { ${RULE}: error }\n`) }, [`AGENTS.md:1:7 error ${RULE}`], 1],
  ["a rule that is off", { "AGENTS.md": GONE, ...config(`  rules: { ${RULE}: "off" }\n`) }, [], 0],
  [
    "the last override that matches",
    {
      "AGENTS.md": GONE,
      "a/AGENTS.md": `Here: ${GONE}`,
      "a/b/AGENTS.md": `There: ${GONE}`,
      ...config(
        `  rules: { ${RULE}: note }\n  overrides:\n    - { files: "a/**", rules: { ${RULE}: "off" } }\n    - { files: b, rules: { ${RULE}: error } }\n`,
      ),
    },
    [`AGENTS.md:1:7 note ${RULE}`, `a/b/AGENTS.md:1:14 error ${RULE}`],
    1,
  ],
  [
    "an override for other rules",
    {
      "AGENTS.md": GONE,
      ...config(`  rules: { ${RULE}: error }\n  overrides: [{ files: "**", rules: { skill-name: "off" } }]\n`),
    },
    [`AGENTS.md:1:7 error ${RULE}`],
    1,
  ],
  [
    "ignored files",
    { "AGENTS.md": GONE, "x/vendor/AGENTS.md": GONE, "y/AGENTS.md": GONE, ...config("  ignore: [vendor/, /y]\n") },
    [`AGENTS.md:1:7 warning ${RULE}`],
    0,
  ],
  [
    "mistakes, at their lines, and what is right counts",
    { "AGENTS.md": GONE, ...config(`  rules:\n    ${RULE}: error\n    instruction-cut: note\n    skill-name: loud\n`) },
    [
      ".codelia/config.yaml:4 error config-unusable",
      ".codelia/config.yaml:5 error config-unusable",
      `AGENTS.md:1:7 error ${RULE}`,
    ],
    1,
  ],
  [
    "comments",
    {
      "AGENTS.md": [
        `<!-- codelia-disable-next-line ${RULE}: it is built -->`,
        "",
        "Read `docs/a.md`.",
        "Read `docs/b.md`.",
        "",
        `<!-- codelia-disable skill-name, ${RULE} -->`,
        "Read `docs/c.md`.",
        `<!-- codelia-enable ${RULE} -->`,
        "",
        "Read `docs/d.md`.",
        "",
        "```markdown",
        `<!-- codelia-disable-file ${RULE} -->`,
        "```",
        "",
      ].join("\n"),
      "a/AGENTS.md": `${GONE}\n<!-- codelia-disable-file ${RULE} -->\n`,
    },
    [
      "AGENTS.md:4:7 warning instructions-missing-path",
      "AGENTS.md:6 note disable-unused",
      "AGENTS.md:10:7 warning instructions-missing-path",
    ],
    0,
  ],
  [
    "useless comments",
    {
      "AGENTS.md": `<!-- codelia-disable-next-line ${RULE} -->\nBe kind.\n<!-- codelia-disable-next-line instructions-cut -->\nBe brief.\n<!-- codelia-disable-file instruction-cut -->\n`,
    },
    ["AGENTS.md:1 note disable-unused", "AGENTS.md:5 note disable-unused"],
    0,
  ],
  [
    "a comment about a rule that is off is not useless",
    {
      "AGENTS.md": `<!-- codelia-disable-next-line ${RULE} -->\n${GONE}`,
      ...config(`  rules: { ${RULE}: "off" }\n`),
    },
    [],
    0,
  ],
];

test.each(TREES)("%s", (_, files, findings, exitCode) => {
  expect(check(files)).toMatchObject({ findings, exitCode });
});

test("skills check goes by the same settings and comments", () => {
  const skill = (more: string) => `---\nname: other\ndescription: Does it\n---\nSee [a](references/a.md).\n${more}`;
  const files = {
    ".agents/skills/one/SKILL.md": skill("<!-- codelia-disable-file skill-missing-file: made later -->\n"),
    ".agents/skills/two/SKILL.md": skill(""),
    ".agents/skills/old/SKILL.md": skill(""),
    ...config("  rules: { skill-name-directory: note, skill-duplicate-name: 'off' }\n  ignore: [.agents/skills/old]\n"),
  };
  expect(check(files, ["skills", "check"])).toMatchObject({
    findings: [
      ".agents/skills/one/SKILL.md:2 note skill-name-directory",
      ".agents/skills/two/SKILL.md:2 note skill-name-directory",
      ".agents/skills/two/SKILL.md:5:9 error skill-missing-file",
    ],
    exitCode: 1,
  });
});

test("config shows what is set for check, and where", () => {
  const { stdout } = check(config(`  rules: { ${RULE}: "off" }\n  ignore: [vendor]\n`), ["config"]);
  expect(stdout).toMatch(/^check\.rules\.instructions-missing-path = "off" {2}\(.*config\.yaml\)$/m);
  expect(stdout).toMatch(/^check\.ignore = \["vendor"\] {2}\(.*config\.yaml\)$/m);
});

test("rule prints the page of a rule, the list of all, or what was meant", () => {
  const ask = (...words: string[]) => check({}, ["rule", ...words]);
  expect(ask("skill-name")).toMatchObject({ stdout: RULE_PAGES["skill-name"], stderr: "", exitCode: 0 });
  expect(ask().findings).toHaveLength(Object.keys(RULE_PAGES).length);
  expect(JSON.parse(ask("skill-name", "--json").stdout)).toMatchObject({ rule: "skill-name", severity: "error" });
  expect(ask("skill-nam").stderr).toBe("codelia: no rule 'skill-nam', did you mean 'skill-name'?\n");
});
