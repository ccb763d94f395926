import { describe, expect, test } from "bun:test";
import { bookOf } from "../../src/skills/columns.ts";
import { rankSkills } from "../../src/skills/rank.ts";
import type { Skill } from "../../src/skills/skill.ts";
import type { SkillScope } from "../../src/config/schema.ts";

function skill(name: string, description: string, scope: SkillScope = "repo", above = `/${scope}`): Skill {
  const dir = `${above}/.agents/skills/${name}`;
  return { name, description, path: `${dir}/SKILL.md`, dir, scope, mtimeMs: 1, distance: 0 };
}

const SKILLS = [
  skill("release", "Cut a version"),
  skill("release-notes", "Draft notes from commits", "user"),
  skill("release-plan", "Plan work"),
  skill("changelog", "Write what a release changed"),
  skill("repo-review", "Review PRs with a checklist"),
  skill("nihongo", "日本語のコードレビュー手順"),
];

function hits(text: string, path?: string): [name: string, reason: string][] {
  return rankSkills(bookOf(SKILLS), { text, path }, 10).results.map(({ skill: { name }, reason }) => [name, reason]);
}

describe("rankSkills()", () => {
  const cases: [text: string, expected: [string, string][]][] = [
    [
      "release",
      [
        ["release", "exact_name"],
        ["release-plan", "prefix"],
        ["release-notes", "prefix"],
        ["changelog", "token_overlap"],
      ],
    ],
    ["$release-notes", [["release-notes", "exact_name"]]],
    ["ＲＥＬＥＡＳＥ－Notes", [["release-notes", "exact_name"]]],
    ["$repo", [["repo-review", "prefix"]]],
    ["レビュー", [["nihongo", "token_overlap"]]],
    ["checklists", [["repo-review", "token_overlap"]]],
    ["/repo/.agents/skills/release-plan", [["release-plan", "exact_path"]]],
    ["/repo/.agents/skills/changelog/SKILL.md", [["changelog", "exact_path"]]],
    ["nothing of the kind", []],
    ["$", []],
    ["…", []],
  ];
  for (const [text, expected] of cases) {
    test(`finds by '${text}'`, () => expect(hits(text).slice(0, Math.max(1, expected.length))).toEqual(expected));
  }

  test("takes the canonical path of what the query names", () => {
    expect(hits("../plan", "/repo/.agents/skills/release-plan")[0]).toEqual(["release-plan", "exact_path"]);
  });

  test("keeps each tier above the next", () => {
    const scores = rankSkills(
      bookOf(SKILLS),
      { text: "release", path: "/user/.agents/skills/release-notes" },
      10,
    ).results;
    expect(scores.map(({ reason }) => reason)).toEqual(["exact_path", "exact_name", "prefix", "token_overlap"]);
    expect(scores.slice(0, 3).map(({ score }) => score)).toEqual([1000, 900, 800]);
    expect(scores[3]?.score).toBeWithin(0.01, 700.01);
  });

  test("scores more where more of the query is met, and in the name", () => {
    const found = rankSkills(bookOf(SKILLS), { text: "write plan work", path: undefined }, 10).results;
    expect(found.map(({ skill: { name } }) => name)).toEqual(["release-plan", "changelog"]);
    expect(found.every(({ score }) => score > 0 && score <= 700)).toBe(true);
  });

  test("counts rare words for more than common ones, and function words for nothing", () => {
    const skills = [
      ...Array.from({ length: 20 }, (_, index) =>
        skill(`report-${index}`, `How to write a report for the team ${index}`),
      ),
      skill("invoices", "Check totals"),
      skill("unrelated", "How do I do the thing with the thing for a thing"),
    ];
    const query = { text: "How do I write the report on an invoice for a client?", path: undefined };
    const { results } = rankSkills(bookOf(skills), query, 30);
    expect(results[0]?.skill.name).toBe("invoices");
    expect(results.map(({ skill: { name } }) => name)).not.toContain("unrelated");
  });

  const misspelt: [text: string, found: string | undefined][] = [
    ["dokcer", "docker-images"],
    ["dokcer that is small", "docker-images"],
    ["kuberntes", "deploy"],
    ["postgress", "queries"],
    ["migratoin of a schema", "queries"],
    ["socker", undefined],
    ["imago", "docker-images"],
    ["dokr", undefined],
  ];
  for (const [text, found] of misspelt) {
    test(`finds ${found ?? "nothing"} by the misspelt '${text}'`, () => {
      const skills = [
        skill("docker-images", "Build them"),
        skill("deploy", "Roll out to Kubernetes"),
        skill("queries", "Migrations in Postgres"),
      ];
      const { results } = rankSkills(bookOf(skills), { text, path: undefined }, 1);
      expect(results[0]?.skill.name).toBe(found as string);
    });
  }

  test("takes no word for another that some skill has", () => {
    const skills = [skill("organize", "Tidy up"), skill("garden", "Organic vegetables")];
    const { results } = rankSkills(bookOf(skills), { text: "organic", path: undefined }, 9);
    expect(results.map(({ skill: { name } }) => name)).toEqual(["garden"]);
  });

  test("counts a word once, however often the query has it", () => {
    const book = bookOf([skill("second", "Deploy"), skill("first", "Commit"), skill("third", "Nothing")]);
    const { results } = rankSkills(book, { text: "deploy what is to deploy, and commit", path: undefined }, 10);
    expect(results.map(({ skill: { name } }) => name)).toEqual(["first", "second"]);
    expect(results[0]?.score).toBe(results[1]?.score as number);
  });

  test("prefers words that stand side by side", () => {
    const skills = [
      skill("one", "Review the style of code and write a guide"),
      skill("two", "Review the code and write a style guide"),
    ];
    const { results } = rankSkills(bookOf(skills), { text: "where is our style guide", path: undefined }, 2);
    expect(results.map(({ skill: { name } }) => name)).toEqual(["two", "one"]);
  });

  test("prefers the name that is said whole", () => {
    const skills = [skill("docker-compose-network-debugging", "Containers"), skill("docker-images", "Containers")];
    const { results } = rankSkills(bookOf(skills), { text: "smaller images for docker", path: undefined }, 2);
    expect(results.map(({ skill: { name } }) => name)).toEqual(["docker-images", "docker-compose-network-debugging"]);
  });

  test("ranks each text the same, whatever other characters the collection has", () => {
    const plain = SKILLS.filter(({ name }) => name !== "nihongo");
    const other = skill("zzz", "—");
    for (const text of ["write plan work", "what did the commits change", "checklists"]) {
      const [left, right] = [
        [...plain, skill("zzz", "-")],
        [...plain, other],
      ].map((skills) =>
        rankSkills(bookOf(skills), { text, path: undefined }, 9).results.map((hit) => [hit.skill.name, hit.score]),
      );
      expect(left).toEqual(right as typeof left);
    }
  });

  test("finds nothing where there is none, whatever is asked for", () => {
    for (const text of ["\u007F", "$\u007F", "x"]) {
      expect(rankSkills(bookOf([]), { text, path: undefined }, 10)).toEqual({ results: [], truncated: false });
    }
  });

  test("breaks ties by scope, then path", () => {
    const same = [skill("x", "d", "user", "/a"), skill("x", "d", "repo", "/c"), skill("x", "d", "repo", "/b")];
    const { results } = rankSkills(bookOf(same), { text: "x", path: undefined }, 10);
    expect(results.map(({ skill: { dir } }) => dir.slice(0, 2))).toEqual(["/b", "/c", "/a"]);
  });

  test("says when there are more than the limit", () => {
    const query = { text: "release", path: undefined };
    const cut = rankSkills(bookOf(SKILLS), query, 3);
    expect([cut.results.length, cut.truncated]).toEqual([3, true]);
    const whole = rankSkills(bookOf(SKILLS), query, 4);
    expect([whole.results.length, whole.truncated]).toEqual([4, false]);
  });

  test("searches one scope only when asked to", () => {
    const { results } = rankSkills(
      bookOf(SKILLS),
      { text: "release", path: undefined },
      10,
      ({ scope }) => scope === "user",
    );
    expect(results.map(({ skill: { name } }) => name)).toEqual(["release-notes"]);
  });
});
