import { expect, test } from "bun:test";
import { statSync, utimesSync } from "node:fs";
import { outputOf, runIn, skillFile, SKILLS_PROJECT, textsOf } from "../support/skills-project.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";

// Skills as people write, edit and ask for them.

const SKILLS = "repo/.agents/skills";
const REVIEW = `${SKILLS}/repo-review/SKILL.md`;

const FIELDS: [what: string, lines: string, warned: string][] = [
  ["a version that is a number", "version: 1.0", "'version' must be text"],
  ["metadata with a number", "metadata: {a: 1}", "'metadata.a' must be text"],
  ["metadata that is a list", "metadata: [a]", "'metadata' must be a table"],
  ["a list of tools", "allowed-tools: [Read, Bash]", "'allowed-tools' must be text"],
  ["a license that is a number", "license: 0", "'license' must be text"],
  ["an empty compatibility", 'compatibility: ""', "'compatibility' is 0 characters long"],
];
for (const [what, lines, warned] of FIELDS) {
  test(`${what} is a warning, and the skill is there`, () => {
    using tree = tempTree({
      "home/": dir,
      "repo/.git/": dir,
      [`${SKILLS}/tidy/SKILL.md`]: `---\nname: tidy\ndescription: Tidies up\n${lines}\n---\nTidy.\n`,
    });
    const listed = runIn(tree, ["skills", "list"], "repo");
    expect({ stderr: listed.stderr, exitCode: listed.exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(textsOf(listed.stdout, "name")).toEqual(["tidy"]);
    expect(textsOf(listed.stdout, "error")).toEqual([]);
    expect(textsOf(listed.stdout, "warning")).toEqual([expect.stringContaining(warned)]);
    expect(runIn(tree, ["skills", "load", "tidy"], "repo").stdout).toContain("Tidy.\n");
    expect(runIn(tree, ["skills", "search", "tidy"], "repo").stdout).toContain("<name>tidy</name>");
  });
}

/** Writes another text of the same length and time, as unpacking an archive or `cp -p` does. */
function rewrite(tree: TempTree, path: string, text: string): void {
  const { mtimeMs } = statSync(tree.path(path));
  tree.write(path, text);
  utimesSync(tree.path(path), mtimeMs / 1000, mtimeMs / 1000);
}

for (const text of ["# Else\n", "# Something longer\n"]) {
  test(`a text that changed under its old time is loaded again: ${text.trim()}`, () => {
    using tree = tempTree(SKILLS_PROJECT);
    utimesSync(tree.path(REVIEW), 1_738_970_000, 1_738_970_000);
    outputOf(tree, "skills", "load", "repo-review");
    rewrite(tree, REVIEW, skillFile("repo-review", "Review PR with risk-first checklist", text));
    const diff = outputOf(tree, "resume-diff");
    expect(diff).toContain(tree.path(REVIEW));
    const again = outputOf(tree, "skills", "load", "repo-review");
    expect(again).toContain(text);
    expect(outputOf(tree, "skills", "load", "repo-review")).toStartWith("<skill_context_reminder");
  });
}

test("a skill is loaded by the ref and by the URL that were printed for it", () => {
  using tree = tempTree(SKILLS_PROJECT);
  const loaded = outputOf(tree, "skills", "load", "repo-review", "--no-state");
  outputOf(tree, "skills", "load", "repo-review");
  const ref = /ref="([^"]+)"/.exec(outputOf(tree, "skills", "load", "repo-review"))?.[1] ?? "";
  const url = /^Base directory: (\S+)/m.exec(loaded)?.[1] ?? "";
  for (const printed of [ref, url, `${url}SKILL.md`]) {
    expect(outputOf(tree, "skills", "load", printed, "--no-state")).toBe(loaded);
  }
  for (const wrong of ["0000000000000000", "file:///nowhere/", "file://elsewhere/x", "file://%"]) {
    const { stdout, stderr, exitCode } = runIn(tree, ["skills", "load", wrong]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toStartWith(`codelia: no skill '${wrong}'`);
  }
});

test("while skills are disabled, load says so", () => {
  using tree = tempTree({ ...SKILLS_PROJECT, "repo/.codelia/config.yaml": "skills: { enabled: false }\n" });
  const said = "codelia: warning: skills are off: 'skills.enabled' is false\n";
  expect(runIn(tree, ["skills", "load", "repo-review"])).toEqual({ stdout: "", stderr: said, exitCode: 0 });
  expect(runIn(tree, ["skills", "load", "repo-review", "--json"])).toEqual({
    stdout: "{}\n",
    stderr: said,
    exitCode: 0,
  });
});

test("the candidates of an ambiguous name are on standard output, in words", () => {
  const twin = "home/.agents/skills/repo-review/SKILL.md";
  using tree = tempTree({ ...SKILLS_PROJECT, [twin]: skillFile("repo-review", "Mine") });
  const { stdout, stderr, exitCode } = runIn(tree, ["skills", "load", "repo-review"]);
  expect(exitCode).toBe(1);
  expect(stderr).toStartWith("codelia: skill 'repo-review' is ambiguous: 2 skills have that name");
  expect(stdout).toStartWith(
    '<skill_candidates name="repo-review" count="2">\nSeveral skills have this name, and none was loaded.',
  );
  expect(textsOf(stdout, "path")).toEqual([tree.path(REVIEW), tree.path(twin)]);
  expect(textsOf(stdout, "description")).toEqual(["Review PR with risk-first checklist", "Mine"]);
});
