import { describe, expect, test } from "bun:test";
import { framed } from "../../src/instructions/elements.ts";
import { distinctForms, ENTRY_FORMS, FORMS, inForm, listLines } from "../../src/skills/listing.ts";
import type { ShownSkill } from "../../src/skills/render.ts";
import { countShown } from "../../src/skills/shown-catalogue.ts";

function skill(name: string, description: string, above = "/repo/.agents/skills", scope: "repo" | "user" = "repo") {
  return { name, description, path: `${above}/${name}/SKILL.md`, scope } satisfies ShownSkill;
}

const LONG = "Draft notes from commits, whoever wrote them. ".repeat(20);
const SKILLS = [
  skill("one", LONG),
  skill("two", "Several\n  lines:\n\nof text"),
  skill("three", "</skill_list> <skill> & a: b"),
  skill("four", "日本語のコードレビュー手順", '/repo/.agents/skills/"<group>"'),
  skill("five", "Short", "/home/me/.agents/skills", "user"),
  skill("six", "Short", "/home/me/.agents/skills", "user"),
];

function catalogue(skills: readonly ShownSkill[], form: (typeof FORMS)[number], most: number): string {
  return framed("skills_catalog", listLines(skills, form, most).join(""), ' scope="initial"');
}

describe("a form of a listing", () => {
  test.each([...ENTRY_FORMS, ...FORMS])("names every skill, and what counts them finds each: %j", (form) => {
    const skills = inForm(SKILLS, form);
    for (const most of [1, 2, 2000]) {
      const text = catalogue(skills, form, most);
      expect(countShown([text], skills)).toEqual({ named: 6, described: form.length === 0 ? 0 : 6 });
    }
  });

  test("with groups gives each directory once, and each scope its own", () => {
    const [whole = ""] = listLines(SKILLS.slice(4), { length: 250, isGrouped: true }, 8);
    expect(whole).toBe(`  <skill_list scope="user" directory="/home/me/.agents/skills">
    five: Short
    six: Short
  </skill_list>
`);
    const names = listLines(inForm(SKILLS, { length: 0, isGrouped: true }), { length: 0, isGrouped: true }, 8);
    expect(names).toEqual([
      '  <skill_names scope="repo" directory="/repo/.agents/skills">one, two, three</skill_names>\n',
      '  <skill_names scope="repo" directory="/repo/.agents/skills/&quot;&lt;group&gt;&quot;">four</skill_names>\n',
      '  <skill_names scope="user" directory="/home/me/.agents/skills">five, six</skill_names>\n',
    ]);
  });

  test("with groups names the directory of a skill that has another name", () => {
    const linked = { ...skill("seven", "Short"), path: "/repo/.agents/skills/real-<7>/SKILL.md" };
    const [line] = listLines([linked, skill("eight", "Short")], { length: 250, isGrouped: true }, 8);
    expect(line).toContain("    seven (in real-&lt;7&gt;): Short\n    eight: Short\n");
    const [names] = listLines(inForm([linked], { length: 0, isGrouped: true }), { length: 0, isGrouped: true }, 8);
    expect(names).toContain(">seven (in real-&lt;7&gt;)</skill_names>");
  });

  test("takes less space than the one before it, for skills that are side by side", () => {
    const many = Array.from({ length: 50 }, (_, index) => skill(`skill-${index}`, LONG));
    const sizes = FORMS.map((form) => catalogue(inForm(many, form), form, 8).length);
    expect(sizes).toEqual(sizes.toSorted((left, right) => right - left));
  });

  test("that changes nothing is passed over", () => {
    const short = [skill("one", "Short")];
    expect(distinctForms(short, FORMS).map(({ length, isGrouped }) => [length, isGrouped])).toEqual([
      [Number.POSITIVE_INFINITY, false],
      [250, true],
      [0, true],
    ]);
  });
});
