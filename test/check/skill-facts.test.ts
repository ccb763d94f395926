import { describe, expect, test } from "bun:test";
import { findStrayLinks, lookUpReferences, readSkillFacts } from "../../src/check/skill-facts.ts";
import { skillFile } from "../support/skills-project.ts";
import { dir, tempTree } from "../support/temp-tree.ts";

const NONE: ReadonlySet<string> = new Set();

describe("lookUpReferences()", () => {
  const JUDGED: [target: string, leadsTo: string, isRooted: boolean][] = [
    ["references/a.md", "something", true],
    ["./references/a.md", "something", true],
    ["references/", "something", true],
    ["references/../references/a.md", "something", true],
    ["references/b.md", "nothing", true],
    ["scripts/a.sh", "nothing", false],
    ["references/a.md/b", "nothing", true],
    ["link", "something", true],
    ["dangling", "something", true],
    ["..x", "something", true],
    ["a\u0000b", "nothing", false],
    ["x".repeat(5000), "nothing", false],
    ["../other/SKILL.md", "outside", false],
    ["../skill-2/a", "outside", false],
    ["..", "outside", false],
  ];
  for (const [target, leadsTo, isRooted] of JUDGED) {
    test(`${target.slice(0, 30)} leads to ${leadsTo}`, () => {
      using tree = tempTree({
        "skill/references/a.md": "",
        "skill/..x": "",
        "skill/link": { link: "/" },
        "skill/dangling": { link: "gone" },
        "other/SKILL.md": "",
        "skill-2/a": "",
      });
      const given = { path: target, line: 1, column: 1, at: 0, kind: "link" as const };
      expect(lookUpReferences(tree.path("skill"), [given])).toEqual([
        { ...given, leadsTo: leadsTo as "nothing", isRooted },
      ]);
    });
  }
});

describe("lookUpReferences() in a project", () => {
  const OF_THE_PROJECT: [target: string, kind: "code" | "link", leadsTo: string][] = [
    ["scripts/ci/build.py", "code", "something"],
    ["scripts/ci/gone.py", "code", "nothing"],
    ["scripts/ci/build.py", "link", "nothing"],
    // Here the skill has such a directory itself.
    ["references/b.md", "code", "nothing"],
  ];
  for (const [target, kind, leadsTo] of OF_THE_PROJECT) {
    test(`${kind} '${target}' leads to ${leadsTo}`, () => {
      using tree = tempTree({ "scripts/ci/build.py": "", "references/b.md": "", "skill/references/a.md": "" });
      const given = { path: target, line: 1, column: 1, at: 0, kind };
      expect(lookUpReferences(tree.path("skill"), [given], { root: tree.root })).toMatchObject([{ leadsTo }]);
    });
  }
});

describe("findStrayLinks()", () => {
  test("finds links that lead out or nowhere, and follows none", () => {
    using tree = tempTree({
      "secret/file": "",
      "skill/SKILL.md": "",
      "skill/a/inside": { link: "../SKILL.md" },
      "skill/a/out": { link: "../../secret" },
      "skill/a/gone": { link: "nowhere" },
      "skill/a/loop": { link: "loop" },
      "skill/around": { link: "." },
      "skill/a/twice": { link: "out/file" },
      "skill/node_modules/out": { link: "/" },
      "skill/inner/SKILL.md": "",
      "skill/inner/out": { link: "/" },
      "skill/locked": { dir: true, mode: 0o000 },
      "skill/pipe": { fifo: true },
    });
    const { strayLinks, moreLinks } = findStrayLinks(tree.path("skill"), new Set(["node_modules"]));
    expect(moreLinks).toBe(false);
    expect(strayLinks.toSorted((left, right) => (left.path < right.path ? -1 : 1))).toEqual([
      { path: tree.path("skill/a/gone"), leadsTo: "nothing" },
      { path: tree.path("skill/a/loop"), leadsTo: "nothing" },
      { path: tree.path("skill/a/out"), leadsTo: "outside" },
      { path: tree.path("skill/a/twice"), leadsTo: "outside" },
    ]);
  });

  test("says that it did not look everywhere", () => {
    using tree = tempTree({ [`skill/${"d/".repeat(18)}x`]: "", "skill/link": { link: "/" } });
    expect(findStrayLinks(tree.path("skill"), NONE)).toEqual({
      strayLinks: [{ path: tree.path("skill/link"), leadsTo: "outside" }],
      moreLinks: true,
    });
  });

  test("a directory that has gone has none", () => {
    using tree = tempTree({ "x/": dir });
    expect(findStrayLinks(tree.path("gone"), NONE)).toEqual({ strayLinks: [], moreLinks: false });
  });
});

describe("readSkillFacts()", () => {
  test("reads no more of a skill than loading shows", () => {
    const head = skillFile("x", "d", "");
    using tree = tempTree({ "x/SKILL.md": `${head}${"é".repeat(700_000)}[x](a.md)` });
    const read = readSkillFacts(tree.path("x/SKILL.md"), NONE);
    if (read.kind !== "read") throw new Error(read.reason);
    const { textBytes, sizeBytes, references, text } = read.facts;
    expect(textBytes).toBeGreaterThan(1024 * 1024 - 4);
    expect(textBytes).toBeLessThanOrEqual(1024 * 1024);
    expect(sizeBytes).toBe(head.length + 1_400_000 + 9);
    expect([references, text.at(-1)]).toEqual([[], "é"]);
  });

  test("says why there is nothing to read", () => {
    using tree = tempTree({ "x/SKILL.md": { fifo: true }, "y/SKILL.md": { link: "../x" } });
    expect(readSkillFacts(tree.path("x/SKILL.md"), NONE)).toMatchObject({ kind: "unusable" });
    expect(readSkillFacts(tree.path("y/SKILL.md"), NONE)).toMatchObject({ kind: "unusable" });
    expect(readSkillFacts(tree.path("z/SKILL.md"), NONE)).toEqual({ kind: "unusable", reason: "it has gone" });
  });
});
