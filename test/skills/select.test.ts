import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { selectSkill, type Selectable, type Selection } from "../../src/skills/select.ts";
import type { Skill } from "../../src/skills/skill.ts";
import type { SkillScope } from "../../src/config/schema.ts";

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
    { path: "/r/broken/SKILL.md", message: "no header", rule: "skill-header", severity: "error" },
    { path: "/r/notes", message: "a limit", rule: "skill-limit", severity: "warning" },
    { path: "/r/Out", message: "leads outside", rule: "skill-unreadable", severity: "error" },
    { path: "/r/lower/skill.md", message: "not so", rule: "skill-unreadable", severity: "error" },
    { path: "/r/deep/er", message: "too deep", rule: "skill-limit", severity: "warning" },
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
  ["out", undefined, "unusable leads outside"],
  ["/r/Out", "/elsewhere", "unusable leads outside"],
  ["/r/Out/SKILL.md", "/elsewhere/SKILL.md", "unusable leads outside"],
  ["lower", undefined, "unusable not so"],
  ["/r/lower", "/r/lower", "unusable not so"],
  ["/r/deep/er/x", "/r/deep/er/x", "unusable too deep"],
  ["/r/deep/er/y", undefined, "not-found undefined"],
  ["er", undefined, "not-found undefined"],
  ["x", "/r/notes/references/x.md", "part /r/notes"],
  ["/r/notes/SKILL.md/", "/r/notes/SKILL.md", "found /r/notes"],
  ["something-else", undefined, "not-found undefined"],
  ["", undefined, "not-found undefined"],
];
for (const [text, path, expected] of cases) {
  test(`selectSkill() '${text}'${path === undefined ? "" : ` at ${path}`}: ${expected}`, () => {
    expect(summary(selectSkill(CATALOG, { text, path, typedPath: resolve("/w", text) }))).toBe(expected);
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
    case "part":
      return `part ${selection.skill.dir}`;
    case "not-found":
      return `not-found ${selection.nearest}`;
  }
}
