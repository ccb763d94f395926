import { describe, expect, test } from "bun:test";
import { outputOf, runIn, skillFile, SKILLS_PROJECT, textsOf } from "../support/skills-project.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";

// `skills.directories`: where skills are looked for, in each directory from the root down and in the user's home.

const MORE: Readonly<Record<string, Entry>> = {
  ...SKILLS_PROJECT,
  "repo/.claude/skills/tidy/SKILL.md": skillFile("tidy", "Tidies up"),
  "repo/p/tools/agents/measure/SKILL.md": skillFile("measure", "Measures"),
  "home/.claude/skills/mine/SKILL.md": skillFile("mine", "Is mine"),
};
const DIRECTORIES = "skills: { directories: [.agents/skills, .claude/skills, tools/agents] }\n";

for (const place of ["repo/.codelia/config.yaml", "home/.codelia/config.yaml"]) {
  test(`every command looks in the directories that ${place} names`, () => {
    using tree = tempTree({ ...MORE, [place]: DIRECTORIES });
    const all = ["changelog", "measure", "repo-review", "tidy", "mine", "release-notes"];
    expect(textsOf(outputOf(tree, "skills", "list"), "name")).toEqual(all);
    expect(textsOf(outputOf(tree, "skills", "search", "tidies"), "name")).toEqual(["tidy"]);
    expect(outputOf(tree, "skills", "load", "measure")).toContain(tree.path("repo/p/tools/agents/measure/SKILL.md"));
    const catalogue = outputOf(tree, "init-context", "--only", "skills");
    for (const name of all) expect(catalogue).toContain(`<name>${name}</name>`);
    expect(JSON.parse(outputOf(tree, "inspect", "--include-skills", "--json")).skills.skills).toHaveLength(6);
    tree.write("repo/.claude/skills/broken/SKILL.md", "no header\n");
    const { stdout } = runIn(tree, ["skills", "check", tree.path("repo")]);
    expect(stdout).toContain(".claude/skills/broken/SKILL.md");
    expect(runIn(tree, ["check", tree.path("repo")]).stdout).toContain(".claude/skills/broken/SKILL.md");
  });
}

test("without it, skills are in .agents/skills alone", () => {
  using tree = tempTree(MORE);
  expect(textsOf(outputOf(tree, "skills", "list"), "name")).toEqual(["changelog", "repo-review", "release-notes"]);
});

test("a directory that is a link to another one's counts once", () => {
  using tree = tempTree({
    ...SKILLS_PROJECT,
    "repo/.claude/skills": { link: "../.agents/skills" },
    "repo/.codelia/config.yaml": DIRECTORIES,
  });
  expect(textsOf(outputOf(tree, "skills", "list"), "name")).toEqual(["changelog", "repo-review", "release-notes"]);
});

for (const outside of ["../other", "a/../../b", "/etc/skills", "~/skills", "", ".", "a\\\\b"]) {
  test(`a directory can't be '${outside}'`, () => {
    using tree = tempTree({
      ...MORE,
      "repo/.codelia/config.yaml": `skills: { directories: ["${outside}", .claude/skills] }\n`,
    });
    const { stdout, stderr, exitCode } = runIn(tree, ["skills", "list"]);
    expect(stderr).toContain("skills.directories");
    expect(textsOf(stdout, "name")).toEqual(["changelog", "repo-review", "release-notes"]);
    expect(exitCode).toBe(0);
  });
}

describe("where .claude/skills is not among them, it is Claude Code's", () => {
  const OWN: Readonly<Record<string, Entry>> = {
    ...MORE,
    "repo/.claude/skills/ship/SKILL.md": "---\nallowed-tools: [Read]\n---\nSee [the list](list.md).\n",
  };

  test("explain says so", () => {
    using tree = tempTree(OWN);
    const { skills } = JSON.parse(outputOf(tree, "explain", "--json"));
    const seen = skills.map(({ name, visibleTo }: { name: string; visibleTo: string[] }) =>
      [name, ...visibleTo].join(" "),
    );
    expect(seen.toSorted()).toEqual([
      "changelog raw codex",
      "mine claude",
      "release-notes raw codex",
      "repo-review raw codex",
      "tidy claude",
    ]);
    tree.write("home/.codelia/config.yaml", DIRECTORIES);
    expect(outputOf(tree, "explain")).toContain("tidy  visible to raw, claude  ");
  });

  test("check looks into it, by the client's rules for headers", () => {
    using tree = tempTree(OWN);
    const { stdout, exitCode } = runIn(tree, ["check", tree.path("repo"), "--json"]);
    const found = JSON.parse(stdout).findings.map(
      ({ path, rule }: { path: string; rule: string }) => `${path} ${rule}`,
    );
    expect(found.filter((line: string) => line.includes(".claude"))).toEqual([
      `${tree.path("repo/.claude/skills/ship/SKILL.md")} skill-missing-file`,
    ]);
    expect(exitCode).toBe(1);
  });

  test("doctor counts them, with the clients that list them, and says how all clients get them", () => {
    const made = {
      ...OWN,
      "repo/.gemini/skills/spot/SKILL.md": skillFile("spot", "Spots"),
      "repo/p/src/.gemini/skills/find/SKILL.md": skillFile("find", "Finds"),
      "repo/p/src/.gemini/skills/same": { link: "../../../../.agents/skills/repo-review" },
      "home/.pi/skills/none/SKILL.md": skillFile("none", "Is where nobody looks"),
      "home/.codex/skills/.system/own/SKILL.md": skillFile("own", "Is the client's"),
    };
    using tree = tempTree(made);
    const remedy = "for all clients set 'skills.directories' to [.agents/skills, .claude/skills, .gemini/skills]\n";
    const lines = [
      `only Claude Code, opencode, Kilo Code and Copilot CLI list 1 skill of '.claude/skills'; ${remedy}`,
      `only Claude Code, opencode and Kilo Code list 1 skill of '~/.claude/skills'; ${remedy}`,
      `only Gemini CLI lists 1 skill of '.gemini/skills'; ${remedy}`,
    ];
    expect(runIn(tree, ["doctor"]).stdout).toEndWith(lines.join(""));
    for (const path of Object.keys(made)) if (/\/\.(?:claude|gemini)\//.test(path)) tree.remove(path);
    expect(runIn(tree, ["doctor"]).stdout).not.toMatch(/\blists?\b/);
  });
});
