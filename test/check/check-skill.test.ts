import { describe, expect, test } from "bun:test";
import { checkSkill, type SkillReference, type SkillFacts } from "../../src/check/skill.ts";
import { duplicateNameFinding, findDuplicateNames } from "../../src/check/duplicate-names.ts";
import type { Skill } from "../../src/skills/skill.ts";

const TEXT = "---\nname: x\ndescription: d\n---\nbody\n";

function factsOf(more: Partial<SkillFacts> = {}): SkillFacts {
  return {
    path: "/r/x/SKILL.md",
    text: TEXT,
    textBytes: 10,
    sizeBytes: 10,
    description: "d",
    references: [],
    moreReferences: false,
    moreFiles: false,
    strayLinks: [],
    moreLinks: false,
    ...more,
  };
}

function reference(more: Partial<SkillReference>): SkillReference {
  return { path: "a/b.md", line: 5, column: 3, at: 40, kind: "link", leadsTo: "nothing", isRooted: false, ...more };
}

/** `rule severity place`. */
function briefly(facts: Partial<SkillFacts>): string[] {
  return checkSkill(factsOf(facts)).map(
    ({ rule, severity, path, line = 1, column }) => `${rule} ${severity} ${path}:${line}${column ? `:${column}` : ""}`,
  );
}

const SKILL = "/r/x/SKILL.md";
const FOUND: [what: string, facts: Partial<SkillFacts>, findings: string[]][] = [
  ["nothing in a sound skill", {}, []],
  ["a text that is cut", { sizeBytes: 11 }, [`skill-too-large warning ${SKILL}:1`]],
  ["too many files", { moreFiles: true }, [`skill-too-many-files note ${SKILL}:1`]],
  ["an empty body", { text: "---\nname: x\n---\n \n" }, [`skill-empty-body note ${SKILL}:3`]],
  ["no empty body without a header", { text: "" }, []],
  ["a missing file", { references: [reference({})] }, [`skill-missing-file error ${SKILL}:5:3`]],
  ["a file that is there", { references: [reference({ leadsTo: "something" })] }, []],
  ["an outside file", { references: [reference({ leadsTo: "outside" })] }, [`skill-link-outside warning ${SKILL}:5:3`]],
  ["nothing in a path of another place", { references: [reference({ kind: "code" })] }, []],
  [
    "a path in a directory that is there",
    { references: [reference({ kind: "code", isRooted: true })] },
    [`skill-missing-file warning ${SKILL}:5:3`],
  ],
  [
    "a path in a directory that the specification names",
    { references: [reference({ kind: "code", path: "./scripts/a.sh" })], text: `${TEXT.padEnd(39)}\`./scripts/a.sh\`` },
    [`skill-missing-file warning ${SKILL}:5:3`],
  ],
  [
    "stray links",
    {
      strayLinks: [
        { path: "/r/x/a", leadsTo: "outside" },
        { path: "/r/x/b", leadsTo: "nothing" },
      ],
    },
    ["skill-link-outside warning /r/x/a:1", "skill-missing-file warning /r/x/b:1"],
  ],
  ["a tag of ours", { text: `${TEXT}a <skill_context>\n` }, [`skill-forged-tag warning ${SKILL}:6:3`]],
  ["unseen characters in the text", { text: `${TEXT}a\u200B\n` }, [`skill-invisible-characters warning ${SKILL}:6:2`]],
  [
    "an unseen character that the header names by its number",
    { description: "a\u202Eb" },
    [`skill-invisible-characters warning ${SKILL}:3:1`],
  ],
  [
    "one that stands in the header once",
    { text: TEXT.replace("d\n", "d\u202E\n"), description: "d\u202E" },
    [`skill-invisible-characters warning ${SKILL}:3:15`],
  ],
  ["limits", { moreReferences: true, moreLinks: true }, Array(2).fill(`skill-limit warning ${SKILL}:1`)],
];

describe("checkSkill()", () => {
  for (const [what, facts, findings] of FOUND) {
    test(`finds ${what}`, () => {
      expect(briefly(facts)).toEqual(findings);
    });
  }

  test("keeps a thousand findings of a rule, and says so", () => {
    const found = checkSkill(factsOf({ text: `${TEXT}${"\u200B\n".repeat(1001)}`, sizeBytes: 11 }));
    expect(found.length).toBe(1002);
    expect(found.at(-1)).toMatchObject({
      rule: "skill-limit",
      message: "only its first 1000 findings of skill-invisible-characters are kept",
    });
  });
});

describe("findDuplicateNames()", () => {
  const skill = (path: string, name: string, scope: "repo" | "user" = "repo") => ({ path, name, scope }) as Skill;

  test("names those of one scope that share a name", () => {
    const skills = [skill("/a", "x"), skill("/b", "y"), skill("/c", "x"), skill("/d", "y", "user"), skill("/e", "x")];
    expect(findDuplicateNames(skills)).toEqual([
      { path: "/a", name: "x", others: ["/c", "/e"], otherCount: 2 },
      { path: "/c", name: "x", others: ["/a", "/e"], otherCount: 2 },
      { path: "/e", name: "x", others: ["/a", "/c"], otherCount: 2 },
    ]);
  });

  test("of thousands with one name each holds the first three others, in order", () => {
    const skills = Array.from({ length: 20_000 }, (_, index) => skill(`/${19_999 - index}`, "x"));
    const found = findDuplicateNames(skills);
    expect(found.at(-1)).toEqual({ path: "/0", name: "x", others: ["/1", "/10", "/100"], otherCount: 19_999 });
    expect(found[0]).toMatchObject({ path: "/19999", others: ["/0", "/1", "/10"] });
  });

  test("minds no name that objects have", () => {
    expect(findDuplicateNames([skill("/a", "constructor"), skill("/b", "toString")])).toEqual([]);
  });

  test("the finding names three others, at the line of the name", () => {
    const others = ["/b", "/c", "/d"];
    expect(
      duplicateNameFinding({ path: "/a", name: "x", others, otherCount: 4 }, "---\ndescription: d\nname: x\n---\n"),
    ).toMatchObject({
      path: "/a",
      line: 3,
      message: "'x' is also the name of '/b', '/c', '/d' and 1 more",
    });
  });
});
