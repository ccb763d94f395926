import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { runIn, skillFile, SKILLS_PROJECT } from "../support/skills-project.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Permissions by skill name.

const USER = "home/.codelia/config.yaml";
const PROJECT = "repo/.codelia/config.yaml";
const DENY = "permissions: { deny: [{ tool: skill_load, skill_name: repo-review }] }\n";
const CONFIRM = "permissions: { confirm: [{ tool: skill_load, skill_name: repo-review }] }\n";
const SKILL = "repo/.agents/skills/repo-review";
const SECRET = "Nobody may read this.\n";

function treeWith(files: Record<string, Entry>): TempTree {
  const review = skillFile("repo-review", "Review PR with risk-first checklist", SECRET);
  return tempTree({ ...SKILLS_PROJECT, [`${SKILL}/SKILL.md`]: review, ...files });
}

function reminder(decision: string, more = ""): string {
  return `<system-reminder type="permission.decision">
Permission decision for skill_load:
- skill: repo-review
- decision: ${decision}
${more}</system-reminder>
`;
}

function ledgerOf(tree: TempTree): string {
  return existsSync(tree.path("repo/.codelia/session.json")) ? tree.read("repo/.codelia/session.json") : "";
}

describe("a rule that denies", () => {
  const WAYS: [way: string, words: (tree: TempTree) => string, cwd?: string][] = [
    ["its name", () => "repo-review"],
    ["$name", () => "$repo-review"],
    ["its path", (tree) => tree.path(SKILL, "SKILL.md")],
    ["its directory", (tree) => tree.path(SKILL)],
    ["its directory with a slash", (tree) => `${tree.path(SKILL)}/`],
    ["a relative path", () => "SKILL.md", SKILL],
    ["a relative path with '..'", () => "../../.agents/skills/../skills/repo-review/references/../SKILL.md"],
    ["a link to its file", () => "linked.md"],
    ["a link to its directory", () => "linked"],
    ["a path through a link", () => "skills/repo-review/SKILL.md"],
  ];
  for (const [way, words, cwd] of WAYS) {
    test(`holds for ${way}`, () => {
      using tree = treeWith({
        [USER]: DENY,
        "repo/p/src/linked.md": { link: `../../.agents/skills/repo-review/SKILL.md` },
        "repo/p/src/linked": { link: `../../.agents/skills/repo-review` },
        "repo/p/src/skills": { link: `../../.agents/skills` },
      });
      expect(runIn(tree, ["skills", "load", words(tree)], cwd)).toEqual({
        stdout: reminder(`deny (permissions.deny[0] in ${tree.path(USER)})`),
        stderr: `codelia: skill 'repo-review' is not loaded: denied by permissions.deny[0] in ${tree.path(USER)}\n`,
        exitCode: 1,
      });
      expect(ledgerOf(tree)).toBe("");
    });
  }

  const OTHERS: [way: string, word: (tree: TempTree) => string][] = [
    ["another letter case of its name", () => "Repo-Review"],
    ["another letter case of its path", (tree) => tree.path(SKILL, "skill.md")],
    ["another letter case of its directory", (tree) => tree.path(SKILL.toUpperCase())],
  ];
  for (const [way, word] of OTHERS) {
    test(`is not passed by ${way}`, () => {
      using tree = treeWith({ [USER]: DENY });
      const { stdout, stderr, exitCode } = runIn(tree, ["skills", "load", word(tree)]);
      expect(stdout + stderr).not.toContain(SECRET.trim());
      // Found on file systems that ignore letter case, and nowhere else.
      expect({ exitCode, isKnown: /denied by|no skill/.test(stderr) }).toEqual({ exitCode: 1, isKnown: true });
    });
  }

  test("holds for a copy of the skill at another place", () => {
    const copy = "repo/p/.agents/skills/vendor/repo-review/SKILL.md";
    using tree = treeWith({ [USER]: DENY, [copy]: skillFile("repo-review", "A copy", SECRET) });
    const { stdout, exitCode } = runIn(tree, ["skills", "load", tree.path(copy)]);
    expect({ stdout, exitCode }).toEqual({
      stdout: reminder(`deny (permissions.deny[0] in ${tree.path(USER)})`),
      exitCode: 1,
    });
  });

  test("is an error object under --json", () => {
    using tree = treeWith({ [USER]: DENY });
    const { stdout, exitCode } = runIn(tree, ["skills", "load", "repo-review", "--json"]);
    expect({ error: JSON.parse(stdout).error, exitCode }).toEqual({
      error: {
        code: "denied",
        message: `skill 'repo-review' is not loaded: denied by permissions.deny[0] in ${tree.path(USER)}`,
        skill: "repo-review",
        path: tree.path(SKILL, "SKILL.md"),
        decision: "deny",
        rule: `permissions.deny[0] in ${tree.path(USER)}`,
      },
      exitCode: 1,
    });
  });

  test("keeps back the text, and the reminder of it, of a skill that was loaded before", () => {
    using tree = treeWith({});
    expect(runIn(tree, ["skills", "load", "repo-review"]).stdout).toContain(SECRET);
    const ledger = ledgerOf(tree);
    tree.write(USER, DENY);
    for (const again of [[], ["--again"], ["--no-state"]]) {
      const { stdout, exitCode } = runIn(tree, ["skills", "load", "repo-review", ...again]);
      expect({ stdout, exitCode }).toEqual({
        stdout: reminder(`deny (permissions.deny[0] in ${tree.path(USER)})`),
        exitCode: 1,
      });
    }
    expect(ledgerOf(tree)).toBe(ledger);
  });

  test("leaves other skills alone", () => {
    using tree = treeWith({ [USER]: DENY });
    expect(runIn(tree, ["skills", "load", "changelog"])).toMatchObject({ stderr: "", exitCode: 0 });
  });

  test("names every skill where it names none", () => {
    using tree = treeWith({ [USER]: "permissions: { deny: [{ tool: skill_load }] }\n" });
    for (const name of ["repo-review", "changelog", "release-notes"]) {
      expect(runIn(tree, ["skills", "load", name]).exitCode).toBe(1);
    }
  });

  test("with a scope is for that scope only", () => {
    using tree = treeWith({ [USER]: "permissions: { deny: [{ tool: skill_load, scope: repo }] }\n" });
    expect(runIn(tree, ["skills", "load", "repo-review"]).stdout).toContain("decision: deny");
    expect(runIn(tree, ["skills", "load", "release-notes"])).toMatchObject({ stderr: "", exitCode: 0 });
  });

  test("may stand in the project's config", () => {
    using tree = treeWith({
      [USER]: "permissions: { allow: [{ tool: skill_load }] }\n",
      [PROJECT]: DENY,
    });
    const { stdout, exitCode } = runIn(tree, ["skills", "load", "repo-review"]);
    const stands = `permissions.deny[0] in ${tree.path(PROJECT)}`;
    expect({ stdout, exitCode }).toEqual({ stdout: reminder(`deny (${stands})`), exitCode: 1 });
  });
});

describe("a rule that can't be used", () => {
  const INVALID: [rule: string, sentence: string][] = [
    [
      "{ tool: skill_load, skil_name: repo-review }",
      "unknown key 'permissions.deny.0.skil_name', did you mean 'skill_name'?",
    ],
    ["{ tool: skill_load, skill_name: Repo-Review }", "'permissions.deny.0.skill_name' must be a skill's name"],
    ["{ tool: skill_load, skill_name: 'repo-*' }", "'permissions.deny.0.skill_name' must be a skill's name"],
    ["{ tool: skill_load, skill_name: '' }", "'permissions.deny.0.skill_name' must be a skill's name"],
    ["{ tool: skill_load, skill_name: }", "'permissions.deny.0.skill_name' must be a string, got null"],
    ["{ tool: skill_load, skill_name: [repo-review] }", "'permissions.deny.0.skill_name' must be a string, got a list"],
    [
      "{ tool: skill_loads, skill_name: repo-review }",
      `'permissions.deny.0.tool' must be "skill_load", got "skill_loads"`,
    ],
    ["{ skill_name: repo-review }", "'permissions.deny.0.tool' is missing"],
    ["{ tool: skill_load, scope: repos }", `'permissions.deny.0.scope' must be "repo" or "user", got "repos"`],
    ["repo-review", `'permissions.deny.0' must be a table, got "repo-review"`],
  ];
  for (const [rule, sentence] of INVALID) {
    test(`is an error, and nothing is loaded: ${rule}`, () => {
      using tree = treeWith({ [USER]: `permissions: { deny: [${rule}] }\n` });
      const { stdout, stderr, exitCode } = runIn(tree, ["skills", "load", "changelog"]);
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 3 });
      expect(stderr).toContain(`codelia: warning: config '${tree.path(USER)}': line 1: ${sentence}`);
      expect(stderr).toContain("codelia: no skill is loaded while config '");
    });
  }
});

describe("a rule that allows", () => {
  test("wins over one that asks", () => {
    const rules =
      "permissions:\n  confirm: [{ tool: skill_load }]\n  allow: [{ tool: skill_load, skill_name: repo-review }]\n";
    using tree = treeWith({ [USER]: rules });
    expect(runIn(tree, ["skills", "load", "repo-review"])).toMatchObject({ stderr: "", exitCode: 0 });
    expect(runIn(tree, ["skills", "load", "changelog"]).stdout).toContain("decision: confirm");
  });

  test("of the user wins over a project that asks", () => {
    using tree = treeWith({ [USER]: CONFIRM.replace("confirm", "allow"), [PROJECT]: CONFIRM });
    expect(runIn(tree, ["skills", "load", "repo-review"])).toMatchObject({ stderr: "", exitCode: 0 });
  });

  test("is not in force, with a warning, in the config of a project that nobody trusts", () => {
    using tree = treeWith({ [USER]: CONFIRM, [PROJECT]: CONFIRM.replace("confirm", "allow") });
    const { stdout, stderr, exitCode } = runIn(tree, ["skills", "load", "repo-review"]);
    expect(stdout).toContain(`- decision: confirm (permissions.confirm[0] in ${tree.path(USER)})`);
    expect(stderr).toContain(`codelia: warning: config '${tree.path(PROJECT)}': 'permissions.allow' is not in force`);
    expect(exitCode).toBe(1);
  });
});

describe("a rule that asks, where nobody can be asked", () => {
  test("loads nothing and says how to let it through", () => {
    using tree = treeWith({ [USER]: CONFIRM });
    const more = `Nothing was loaded: the user is asked first. To let it through, the user runs this at a terminal and answers 'a':
codelia skills load ${tree.path(SKILL, "SKILL.md")}
`;
    const rule = `permissions.confirm[0] in ${tree.path(USER)}`;
    expect(runIn(tree, ["skills", "load", "$repo-review"])).toEqual({
      stdout: reminder(`confirm (${rule})`, more),
      stderr: `codelia: skill 'repo-review' is not loaded: ${rule} has the user asked, and that needs a terminal\n`,
      exitCode: 1,
    });
    expect(ledgerOf(tree)).toBe("");
  });

  test("is an error object under --json", () => {
    using tree = treeWith({ [PROJECT]: CONFIRM });
    const { stdout, exitCode } = runIn(tree, ["skills", "load", "repo-review", "--json"]);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: "denied",
      skill: "repo-review",
      decision: "confirm",
      rule: `permissions.confirm[0] in ${tree.path(PROJECT)}`,
    });
    expect(exitCode).toBe(1);
  });
});

describe("a disabled skill", () => {
  for (const [where, file] of [
    ["the user", USER],
    ["the project", PROJECT],
  ] as const) {
    test(`of ${where} is not loaded, whichever way it is named`, () => {
      using tree = treeWith({ [file]: "skills: { disabled: [Repo-Review] }\n" });
      for (const named of ["repo-review", "$repo-review", tree.path(SKILL), tree.path(SKILL, "SKILL.md")]) {
        expect(runIn(tree, ["skills", "load", named])).toEqual({
          stdout: "",
          stderr: `codelia: skill 'repo-review' is disabled; take its name out of 'skills.disabled' in '${tree.path(file)}' to load it\n`,
          exitCode: 1,
        });
      }
      const { stdout } = runIn(tree, ["skills", "load", "repo-review", "--json"]);
      const path = tree.path(SKILL, "SKILL.md");
      expect(JSON.parse(stdout).error).toMatchObject({ code: "denied", path, disabledBy: tree.path(file) });
    });
  }
});

describe("codelia config", () => {
  test("shows every rule with the file it stands in", () => {
    using tree = treeWith({ [USER]: CONFIRM, [PROJECT]: DENY });
    const { stdout, stderr, exitCode } = runIn(tree, ["config"]);
    const rule = '{"tool":"skill_load","skill_name":"repo-review"}';
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toEndWith(
      `permissions.deny[0] = ${rule}  (${tree.path(PROJECT)})\npermissions.confirm[0] = ${rule}  (${tree.path(USER)})\n`,
    );
    const { values } = JSON.parse(runIn(tree, ["config", "--json"]).stdout);
    expect(values).toContainEqual({ key: "permissions.deny[0]", value: JSON.parse(rule), source: tree.path(PROJECT) });
  });
});

describe("a list of rules that allow, on its own", () => {
  const ALONE = CONFIRM.replace("confirm", "allow");
  const says =
    "does nothing: no 'permissions.confirm' rule is about the same skills, and a skill that no rule is about may be loaded";

  test("forbids nothing, and config says so", () => {
    using tree = treeWith({ [USER]: ALONE });
    const { stderr, exitCode } = runIn(tree, ["config"]);
    expect({ stderr, exitCode }).toEqual({
      stderr: `codelia: warning: permissions.allow[0] in '${tree.path(USER)}' ${says}\n`,
      exitCode: 0,
    });
    expect(runIn(tree, ["skills", "load", "release-notes"]).exitCode).toBe(0);
  });

  test("check says so about a project's file", () => {
    using tree = treeWith({ [PROJECT]: ALONE });
    const { stdout } = runIn(tree, ["check", tree.path("repo")]);
    expect(stdout).toContain(`permissions.allow[0] ${says}`);
    expect(stdout).toContain("config-overruled");
  });

  for (const [what, confirm] of [
    ["all skills", "{ tool: skill_load }"],
    ["this one", "{ tool: skill_load, skill_name: repo-review }"],
    ["those of its scope", "{ tool: skill_load, scope: repo }"],
  ] as const) {
    test(`with a rule that confirms ${what} it does something`, () => {
      using tree = treeWith({ [USER]: ALONE.replace("permissions: {", `permissions: { confirm: [${confirm}],`) });
      expect(runIn(tree, ["config"]).stderr).toBe("");
    });
  }
});
