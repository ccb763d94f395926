import { describe, expect, test } from "bun:test";
import { chooseCatalogue } from "../../src/skills/catalogue.ts";
import { bySignificance } from "../../src/skills/skill.ts";
import { renderSkillEntry } from "../../src/skills/render.ts";
import type { Skill } from "../../src/skills/skill.ts";
import type { SkillScope } from "../../src/config/schema.ts";

function skill(name: string, description = "d", scope: SkillScope = "repo"): Skill {
  return {
    name,
    description,
    path: `/${scope}/${name}/SKILL.md`,
    dir: `/${scope}/${name}`,
    scope,
    mtimeMs: 1,
    distance: 0,
  };
}

const printedBytes = (entry: Skill) => Buffer.byteLength(renderSkillEntry(entry));

describe("chooseCatalogue()", () => {
  const three = [skill("a"), skill("b"), skill("c")];
  const size = printedBytes(skill("a"));
  const cases: [name: string, maxEntries: number, maxBytes: number, shown: number, truncated: boolean][] = [
    ["shows all that fit", 3, 3 * size, 3, false],
    ["ends at the number of entries", 2, 9999, 2, true],
    ["ends at the number of bytes", 3, 3 * size - 1, 2, true],
    ["may show none", 3, 1, 0, true],
  ];
  for (const [name, maxEntries, maxBytes, shown, truncated] of cases) {
    test(name, () => {
      expect(chooseCatalogue(three, { maxEntries, maxBytes })).toEqual({
        skills: three.slice(0, shown),
        truncated,
        isShortened: false,
        figures: { named: shown, shortened: 0, leftOut: 3 - shown },
      });
    });
  }

  test("counts the bytes that are printed, escapes included", () => {
    const escaped = skill("a", "<&> 日本語 \u202E");
    const [maxEntries, maxBytes] = [9, printedBytes(escaped)];
    expect(maxBytes).toBeGreaterThan(printedBytes(skill("a", "<&> 日本語 ")));
    expect(chooseCatalogue([escaped], { maxEntries, maxBytes }).skills).toEqual([escaped]);
    expect(chooseCatalogue([escaped], { maxEntries, maxBytes: maxBytes - 1 }).skills).toEqual([]);
  });

  test("shortens descriptions, all to one length, before it leaves out a skill", () => {
    const skills = [skill("a"), skill("b", "many words ".repeat(100)), skill("c")];
    const { skills: shown, figures, isShortened } = chooseCatalogue(skills, { maxEntries: 9, maxBytes: 600 });
    expect(shown.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(shown[1]?.description).toMatch(/^many words many .*…$/);
    expect([figures, isShortened]).toEqual([{ named: 3, shortened: 1, leftOut: 0 }, true]);
  });

  test("ends at the first that does not fit, whatever is after it", () => {
    const skills = [skill("a"), { ...skill("b"), path: `/${"x".repeat(1000)}` }, skill("c")];
    expect(chooseCatalogue(skills, { maxEntries: 9, maxBytes: 600 }).skills).toEqual(skills.slice(0, 1));
  });
});

test("bySignificance() orders by scope, nearness, name and path", () => {
  const placed = [
    skill("a", "d", "user"),
    { ...skill("a"), distance: 2 },
    skill("z"),
    { ...skill("b"), path: "/2" },
    { ...skill("b"), path: "/1" },
  ];
  const order = bySignificance(placed).map(({ name, path }) => `${name} ${path}`);
  expect(order).toEqual(["b /1", "b /2", "z /repo/z/SKILL.md", "a /repo/a/SKILL.md", "a /user/a/SKILL.md"]);
});
