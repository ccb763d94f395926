import { expect, test } from "bun:test";
import { selectSkill, type Selectable, type Selection } from "../../../src/core/skills/select-skill.ts";
import type { Skill } from "../../../src/core/skills/skill.ts";
import type { SkillScope } from "../../../src/schema/skills.ts";

function skill(dir: string, name: string, scope: SkillScope): Skill {
  return { name, description: "d", path: `${dir}/SKILL.md`, dir, scope, mtimeMs: 1, distance: 0 };
}

const CATALOG: Selectable = {
  skills: [
    skill("/r/review", "review", "repo"),
    skill("/u/review", "review", "user"),
    skill("/r/notes", "notes", "repo"),
  ],
  errors: [
    { path: "/r/broken/SKILL.md", message: "no header", rule: "skill-header" },
    { path: "/r/notes", message: "a limit", rule: "skill-limit" },
  ],
};

const cases: [text: string, path: string | undefined, expected: string][] = [
  ["notes", undefined, "found /r/notes"],
  ["$notes", undefined, "found /r/notes"],
  ["Notes", undefined, "found /r/notes"],
  ["/u/review", undefined, "found /u/review"],
  ["/u/review/SKILL.md", undefined, "found /u/review"],
  ["../u/review/", "/u/review", "found /u/review"],
  ["review", "/r/review", "found /r/review"],
  ["review", "/elsewhere/review", "ambiguous /r/review /u/review"],
  ["review", undefined, "ambiguous /r/review /u/review"],
  ["broken", undefined, "unusable no header"],
  ["/r/broken", undefined, "unusable no header"],
  ["./b", "/r/broken/SKILL.md", "unusable no header"],
  ["note", undefined, "not-found notes"],
  ["something-else", undefined, "not-found undefined"],
  ["", undefined, "not-found undefined"],
];
for (const [text, path, expected] of cases) {
  test(`selectSkill() '${text}'${path === undefined ? "" : ` at ${path}`}: ${expected}`, () => {
    expect(summary(selectSkill(CATALOG, { text, path }))).toBe(expected);
  });
}

function summary(selection: Selection): string {
  switch (selection.kind) {
    case "found":
      return `found ${selection.skill.dir}`;
    case "ambiguous":
      return ["ambiguous", ...selection.candidates.map(({ dir }) => dir)].join(" ");
    case "unusable":
      return `unusable ${selection.error.message}`;
    case "not-found":
      return `not-found ${selection.nearest}`;
  }
}
