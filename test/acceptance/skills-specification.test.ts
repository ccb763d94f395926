import { expect, test } from "bun:test";
import { runCodelia } from "../support/run-codelia.ts";
import { envelopeOf, skillFile, textsOf } from "../support/skills-project.ts";
import { elementsNamed } from "../support/envelope.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// The exact rules of the specification of skills: names, limits, the order of results. How they work together is in
// skills.test.ts.

const SKILLS = "repo/.agents/skills";

function project(table: Readonly<Record<string, Entry>>): TempTree {
  return tempTree({ "home/": dir, "repo/.git/": dir, ...table });
}

function json(tree: TempTree, args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = "repo") {
  const { stdout } = runCodelia([...args, "--json"], { cwd: tree.path(cwd), home: tree.path("home"), env });
  return JSON.parse(stdout);
}

const namesIn = (found: { skills: { name: string }[] }) => found.skills.map(({ name }) => name);

const NAMES: readonly (readonly [name: string, directory: string, isSkill: boolean])[] = [
  ["a", "a", true],
  ["a1-b2-3", "a1-b2-3", true],
  ["a".repeat(64), "a".repeat(64), true],
  ["a".repeat(65), "a".repeat(65), false],
  ["A", "A", false],
  ["a_b", "a_b", false],
  ["a b", "a b", false],
  ["a--b", "a--b", false],
  ["-a", "-a", false],
  ["a-", "a-", false],
  ["ä", "ä", false],
  ["one", "other", false],
];

test.each(NAMES)("a skill may be called '%s' in a directory '%s': %p", (name, directory, isSkill) => {
  using tree = project({ [`${SKILLS}/${directory}/SKILL.md`]: skillFile(`"${name}"`, "d") });
  const { skills, errors } = json(tree, ["skills", "list"]);
  expect(skills.map((skill: { name: string }) => skill.name)).toEqual(isSkill ? [name] : []);
  const path = tree.path(SKILLS, directory, "SKILL.md");
  expect(errors).toEqual(isSkill ? [] : [{ path, message: expect.stringContaining("name") }]);
  expect(json(tree, ["init-context", "--only", "skills"]).skills).toHaveLength(isSkill ? 1 : 0);
});

const HEADERS: readonly (readonly [what: string, header: string, isSkill: boolean])[] = [
  ["a description of one character", "name: a\ndescription: d", true],
  ["a description of 1,024 characters", `name: a\ndescription: ${"d".repeat(1024)}`, true],
  ["a description of 1,025 characters", `name: a\ndescription: ${"d".repeat(1025)}`, false],
  ["an empty description", "name: a\ndescription:", false],
  ["no description", "name: a", false],
  ["no name", "description: d", false],
  [
    "a version, a license and metadata of texts",
    "name: a\ndescription: d\nversion: '1'\nlicense: MIT\nmetadata: { by: me }",
    true,
  ],
  ["metadata that is no table of texts", "name: a\ndescription: d\nmetadata: { n: 1 }", true],
];

test.each(HEADERS)("a skill with %s", (_, header, isSkill) => {
  using tree = project({
    [`${SKILLS}/a/SKILL.md`]: `---\n${header}\n---\n`,
    [`${SKILLS}/b/SKILL.md`]: skillFile("b", "d"),
  });
  const found = json(tree, ["skills", "list"]);
  expect(namesIn(found)).toEqual(isSkill ? ["a", "b"] : ["b"]);
  expect(found.errors.map(({ path }: { path: string }) => path)).toEqual(
    isSkill ? [] : [tree.path(SKILLS, "a/SKILL.md")],
  );
});

test("a file without a header, and one that is no YAML, are errors", () => {
  using tree = project({ [`${SKILLS}/a/SKILL.md`]: "# A\n", [`${SKILLS}/b/SKILL.md`]: "---\n[\n---\n" });
  const { skills, errors } = json(tree, ["skills", "list"]);
  expect(skills).toEqual([]);
  expect(errors).toHaveLength(2);
});

test("the root is that of the instruction files: the environment's, else the markers'", () => {
  using tree = project({
    [`${SKILLS}/outer/SKILL.md`]: skillFile("outer", "d"),
    "repo/a/mark": "",
    "repo/a/.agents/skills/middle/SKILL.md": skillFile("middle", "d"),
    "repo/a/b/.agents/skills/inner/SKILL.md": skillFile("inner", "d"),
  });
  const listed = (env = {}) => namesIn(json(tree, ["skills", "list"], env, "repo/a/b")).toSorted();
  expect(listed()).toEqual(["inner", "middle", "outer"]);
  expect(listed({ CODELIA_AGENTS_MARKERS: "mark" })).toEqual(["inner", "middle"]);
  expect(listed({ CODELIA_AGENTS_ROOT: tree.path("repo/a/b") })).toEqual(["inner"]);
  expect(namesIn(json(tree, ["skills", "list"], {}, "repo"))).toEqual(["outer"]);
});

test("skills are looked for in .agents/skills alone, of the project and of the user", () => {
  using tree = project({
    "repo/.claude/skills/claude/SKILL.md": skillFile("claude", "d"),
    "repo/.codex/skills/codex/SKILL.md": skillFile("codex", "d"),
    "repo/skills/plain/SKILL.md": skillFile("plain", "d"),
    "home/.claude/skills/mine/SKILL.md": skillFile("mine", "d"),
    "home/.agents/skills/group/deep/SKILL.md": skillFile("deep", "d"),
  });
  const { skills, errors } = json(tree, ["skills", "list"]);
  expect(errors).toEqual([]);
  expect(skills).toMatchObject([{ name: "deep", scope: "user" }]);
});

test("results come by tier: exact_path, exact_name, prefix, token_overlap", () => {
  using tree = project({
    [`${SKILLS}/release/SKILL.md`]: skillFile("release", "Cut a version"),
    [`${SKILLS}/release-notes/SKILL.md`]: skillFile("release-notes", "Draft notes"),
    [`${SKILLS}/changelog/SKILL.md`]: skillFile("changelog", "Write what a release changed"),
    [`${SKILLS}/other/SKILL.md`]: skillFile("other", "Something else"),
  });
  const found = (query: string) => {
    const { results } = json(tree, ["skills", "search", query]);
    const scores = results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    return results.map(({ skill, reason }: { skill: { name: string }; reason: string }) => `${skill.name} ${reason}`);
  };
  expect(found("release")).toEqual(["release exact_name", "release-notes prefix", "changelog token_overlap"]);
  expect(found(tree.path(SKILLS, "other/SKILL.md"))[0]).toBe("other exact_path");
  expect(found("notes draft")[0]).toBe("release-notes token_overlap");
});

test("of equal results the project's come before the user's, then the path decides", () => {
  using tree = project({
    [`${SKILLS}/z/same/SKILL.md`]: skillFile("same", "d"),
    [`${SKILLS}/b/same/SKILL.md`]: skillFile("same", "d"),
    "home/.agents/skills/a/same/SKILL.md": skillFile("same", "d"),
  });
  const { results, count } = json(tree, ["skills", "search", "same"]);
  expect(results.map(({ skill }: { skill: { path: string } }) => skill.path)).toEqual([
    tree.path(SKILLS, "b/same/SKILL.md"),
    tree.path(SKILLS, "z/same/SKILL.md"),
    tree.path("home/.agents/skills/a/same/SKILL.md"),
  ]);
  expect(count).toBe(3);
});

test("a search gives 8 results, or as many as are asked for, at most 50; the config decides otherwise", () => {
  const many = Array.from({ length: 60 }, (_, index) => `s${index}`);
  using tree = project(
    Object.fromEntries(many.map((name) => [`${SKILLS}/${name}/SKILL.md`, skillFile(name, "release")])),
  );
  const counted = (...args: string[]) => {
    const { results, count, truncated } = json(tree, ["skills", "search", "release", "--quiet", ...args]);
    expect(results).toHaveLength(count);
    return [count, truncated];
  };
  expect(counted()).toEqual([8, true]);
  expect(counted("--limit", "3")).toEqual([3, true]);
  expect(counted("--limit", "60")).toEqual([50, true]);
  tree.write("home/.codelia/config.json", '{ "skills": { "search": { "defaultLimit": 2, "maxLimit": 4 } } }');
  expect(counted()).toEqual([2, true]);
  expect(counted("--limit", "60")).toEqual([4, true]);
});

test("the catalogue stands behind the instruction files, and has name, description, path and scope alone", () => {
  using tree = project({ "repo/AGENTS.md": "Root.\n", [`${SKILLS}/a/SKILL.md`]: skillFile("a", "d", "The text.\n") });
  const { stdout } = runCodelia(["init-context"], { cwd: tree.path("repo"), home: tree.path("home") });
  expect(stdout.indexOf("</agents_context>")).toBeLessThan(stdout.indexOf("<skills_context>"));
  expect(stdout).not.toContain("The text.");
  const [entry] = elementsNamed("skill", envelopeOf(stdout));
  const parts = entry?.children.flatMap((child) => (typeof child === "string" ? [] : [child.name]));
  expect(parts).toEqual(["name", "description", "path", "scope"]);
  expect(textsOf(stdout, "path")).toEqual([tree.path(SKILLS, "a/SKILL.md")]);
});

test("the catalogue has 200 skills unless the config says otherwise, and says when there are more", () => {
  const many = Array.from({ length: 201 }, (_, index) => `s${String(index).padStart(3, "0")}`);
  using tree = project(Object.fromEntries(many.map((name) => [`${SKILLS}/${name}/SKILL.md`, skillFile(name, "d")])));
  tree.write("home/.codelia/config.json", '{ "skills": { "initial": { "maxBytes": 1000000 } } }');
  const shown = () => {
    const { skills, skillsTruncated, context } = json(tree, ["init-context", "--only", "skills"]);
    expect(context).toContain(`truncated="${skillsTruncated}"`);
    expect(context.includes("codelia skills search")).toBe(skillsTruncated);
    return [skills.length, skillsTruncated];
  };
  expect(shown()).toEqual([200, true]);
  tree.write("home/.codelia/config.json", '{ "skills": { "initial": { "maxBytes": 1000000, "maxEntries": 201 } } }');
  expect(shown()).toEqual([201, false]);
});

test("skills.enabled: false leaves nothing of them", () => {
  using tree = project({ [`${SKILLS}/a/SKILL.md`]: skillFile("a", "d") });
  expect(json(tree, ["init-context"]).skills).toHaveLength(1);
  tree.write("repo/.codelia/config.json", '{ "skills": { "enabled": false } }');
  expect(json(tree, ["init-context"])).toMatchObject({ skills: [], context: expect.not.stringContaining("skill") });
  expect(json(tree, ["skills", "list"])).toEqual({ skills: [], errors: [] });
});

test("a list that is asked to be read anew is", () => {
  using tree = project({ [`${SKILLS}/a/SKILL.md`]: skillFile("a", "d") });
  expect(namesIn(json(tree, ["skills", "list"]))).toEqual(["a"]);
  tree.write(`${SKILLS}/b/SKILL.md`, skillFile("b", "d"));
  expect(namesIn(json(tree, ["skills", "list", "--reload"]))).toEqual(["a", "b"]);
  expect(namesIn(json(tree, ["skills", "list", "--cwd", tree.path("home")]))).toEqual([]);
});
