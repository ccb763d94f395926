import { describe, expect, test } from "bun:test";
import { chooseCatalogue, entryBytes } from "../../src/skills/catalogue.ts";
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

const printedBytes = (entry: Skill) => new TextEncoder().encode(renderSkillEntry(entry)).length;

describe("chooseCatalogue()", () => {
  const three = [skill("a"), skill("b"), skill("c")];
  const size = entryBytes(skill("a"));
  const cases: [name: string, maxEntries: number, maxBytes: number, shown: number, truncated: boolean][] = [
    ["shows all that fit", 3, 3 * size, 3, false],
    ["ends at the number of entries", 2, 9999, 2, true],
    ["ends at the number of bytes", 3, 3 * size - 1, 2, true],
    ["may show none", 3, 1, 0, true],
  ];
  for (const [name, maxEntries, maxBytes, shown, truncated] of cases) {
    test(name, () => {
      expect(chooseCatalogue(three, { maxEntries, maxBytes })).toEqual({ skills: three.slice(0, shown), truncated });
    });
  }

  test("ends at the first that does not fit, whatever is after it", () => {
    const skills = [skill("a"), skill("b", "x".repeat(1000)), skill("c")];
    expect(chooseCatalogue(skills, { maxEntries: 9, maxBytes: 600 }).skills).toEqual(skills.slice(0, 1));
  });
});

describe("entryBytes()", () => {
  for (const description of ["plain", "日本語 and é", "x".repeat(1024)]) {
    test(`is what the entry takes: ${description.slice(0, 12)}`, () => {
      expect(entryBytes(skill("a", description))).toBe(printedBytes(skill("a", description)));
    });
  }
  const hostile = [
    "<&>",
    "\u0000\n\u001F",
    "\u202E\u200B",
    "\u{E0001}\u{E0FFF}",
    "\uFE0F",
    "\uD800",
    "\u3164",
    "\u2028",
  ];
  for (const description of hostile) {
    test(`is not less than an entry takes with escapes: ${JSON.stringify(description)}`, () => {
      const hundred = skill("a", description.repeat(100));
      expect(entryBytes(hundred)).toBeGreaterThanOrEqual(printedBytes(hundred));
    });
  }
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
