import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { END_OF_INPUT, runAtTerminal, type TerminalResult } from "../support/run-at-terminal.ts";
import { runIn, skillFile, SKILLS_PROJECT } from "../support/skills-project.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

// If a rule says to ask, a user at a terminal answers, and the answer can be saved.

const USER = "home/.codelia/config.yaml";
const CONFIG = `# mine
permissions:
  # ask me about all of them
  confirm:
    - tool: skill_load # all
  allow:
    - { tool:  skill_load, skill_name: changelog } # harmless

# the rest
skills: {enabled:   true}
`;
const REMEMBERED = CONFIG.replace("# harmless\n", "# harmless\n    - { tool: skill_load, skill_name: repo-review }\n");
const LOADED = '<skill_context name="repo-review"';

function treeWith(config: string): TempTree {
  return tempTree({ ...SKILLS_PROJECT, [USER]: config });
}

function load(
  tree: TempTree,
  typed: readonly (string | (() => string))[],
  ...args: readonly string[]
): Promise<TerminalResult> {
  return runAtTerminal(["skills", "load", "repo-review", ...args], {
    cwd: tree.path("repo/p/src"),
    home: tree.path("home"),
    typed,
  });
}

function question(tree: TempTree): string {
  const path = tree.path("repo/.agents/skills/repo-review/SKILL.md");
  return `Load skill 'repo-review' from ${path}? [y]es once, [a]lways, [N]o `;
}

describe("at a terminal", () => {
  for (const yes of ["y", "Y", " yes "]) {
    test(`'${yes}' loads it once`, async () => {
      using tree = treeWith(CONFIG);
      const { shown, exitCode } = await load(tree, [`${yes}\n`]);
      expect(shown).toStartWith(`${question(tree)}${yes}\n${LOADED}`);
      expect(exitCode).toBe(0);
      expect(tree.read(USER)).toBe(CONFIG);
      expect(runIn(tree, ["skills", "load", "repo-review"]).exitCode).toBe(1);
    });
  }

  test("'a' loads it, and is remembered: comments and order are kept, and nobody is asked again", async () => {
    using tree = treeWith(CONFIG);
    const { shown, exitCode } = await load(tree, ["a\n"]);
    const note = `codelia: added skill 'repo-review' to 'permissions.allow' in '${tree.path(USER)}'\n`;
    expect(shown).toStartWith(`${question(tree)}a\n${note}${LOADED}`);
    expect(exitCode).toBe(0);
    expect(tree.read(USER)).toBe(REMEMBERED);

    const second = await load(tree, [], "--again");
    expect(second.shown).toStartWith(LOADED);
    expect(second.exitCode).toBe(0);
    expect(runIn(tree, ["skills", "load", "repo-review", "--again"])).toMatchObject({ stderr: "", exitCode: 0 });
    expect(runIn(tree, ["skills", "load", "release-notes"]).exitCode).toBe(1);
  });

  test("'a' makes the user's config where only the project asks", async () => {
    using tree = tempTree({
      ...SKILLS_PROJECT,
      "repo/.codelia/config.yaml": "permissions: { confirm: [{ tool: skill_load }] }\n",
    });
    expect((await load(tree, ["a\n"])).exitCode).toBe(0);
    expect(tree.read(USER)).toBe("permissions:\n  allow:\n    - { tool: skill_load, skill_name: repo-review }\n");
    expect(runIn(tree, ["skills", "load", "repo-review", "--again"])).toMatchObject({ stderr: "", exitCode: 0 });
  });

  test("answers that are remembered at once are all remembered", async () => {
    using tree = treeWith("permissions:\n  confirm:\n    - tool: skill_load\n");
    const names = ["repo-review", "changelog", "release-notes"];
    const results = await Promise.all(
      names.map((name) =>
        runAtTerminal(["skills", "load", name], {
          cwd: tree.path("repo/p/src"),
          home: tree.path("home"),
          typed: ["always\n"],
        }),
      ),
    );
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    for (const name of names) expect(tree.read(USER)).toContain(`    - { tool: skill_load, skill_name: ${name} }\n`);
    for (const name of names) expect(runIn(tree, ["skills", "load", name]).exitCode).toBe(0);
  });

  test("'a' that can't be remembered loads it once, and says why", async () => {
    using tree = treeWith("? permissions\n: ? confirm\n  : - tool: skill_load\n");
    const { shown, exitCode } = await load(tree, ["a\n"]);
    expect(shown).toContain(LOADED);
    expect(shown).toContain("the answer can't be remembered: config ");
    expect(shown).toContain(`add {"tool":"skill_load","skill_name":"repo-review"} to 'permissions.allow'`);
    expect(exitCode).toBe(0);
  });

  test("what changed while the user was asked is not loaded", async () => {
    using tree = treeWith(CONFIG);
    const file = "repo/.agents/skills/repo-review/SKILL.md";
    const swap = () => {
      tree.write(file, skillFile("repo-review", "Not what the user was asked about", "EVIL\n"));
      tree.touch(file, 1_738_970_000_000);
      return "y\n";
    };
    const { shown, exitCode } = await load(tree, [swap]);
    expect(shown).toBe(
      `${question(tree)}y\ncodelia: skill '${tree.path(file)}' can't be loaded: it has just changed; load it again\n`,
    );
    expect(exitCode).toBe(1);
  });

  const NO: [what: string, typed: string, echo: string][] = [
    ["'n'", "n\n", "n\n"],
    ["an empty line", "\n", "\n"],
    ["another word", "yo\n", "yo\n"],
    ["the end of the input", END_OF_INPUT, "\n"],
    ["a line without an end", `y${END_OF_INPUT}${END_OF_INPUT}`, "y\n"],
  ];
  for (const [what, typed, echo] of NO) {
    test(`${what} is a no`, async () => {
      using tree = treeWith(CONFIG);
      const { shown, exitCode } = await load(tree, [typed]);
      expect({ shown, exitCode }).toEqual({
        shown: `${question(tree)}${echo}codelia: skill 'repo-review' is not loaded: the answer was no\n`,
        exitCode: 1,
      });
      expect(tree.read(USER)).toBe(CONFIG);
      expect(existsSync(tree.path("repo/.codelia/session.json"))).toBe(false);
    });
  }

  test("nobody is asked under --json", async () => {
    using tree = treeWith(CONFIG);
    const { shown, exitCode } = await load(tree, [], "--json");
    expect(shown).toStartWith('{"error":{"code":"denied",');
    expect(exitCode).toBe(1);
  });

  test("nobody is asked what is denied", async () => {
    using tree = treeWith("permissions: { deny: [{ tool: skill_load }], confirm: [{ tool: skill_load }] }\n");
    const { shown, exitCode } = await load(tree, []);
    expect(shown).toContain(`- decision: deny (permissions.deny[0] in ${tree.path(USER)})\n`);
    expect(exitCode).toBe(1);
  });
});
