import { equal, ok } from "node:assert/strict";
import { pathsOfPrompt } from "../../../src/touched/prompt.ts";
import { mentionsIn, skillPathsIn } from "../../../src/skills/prompt.ts";
import type { FuzzTarget } from "../lib/target.ts";
import { assertTouched, PLACE } from "../lib/touched-paths.ts";

const { cwd, home } = PLACE;

/** What a user, or a program in their place, asks a model. */
export const target: FuzzTarget = {
  read: (input) => [pathsOfPrompt(input, cwd, home), skillPathsIn(input, cwd, home), mentionsIn(input)],
  check(input) {
    assertTouched(pathsOfPrompt(input, cwd, home));
    const places = skillPathsIn(input, cwd, home);
    ok(places.length <= 32 && places.every((path) => path.includes("/")), "too many paths, or none of a file");
    const names = mentionsIn(input);
    equal(new Set(names).size, names.length, "a name twice");
    ok(names.length <= 8 && names.every((name) => /^[a-z0-9-]+$/.test(name)), "too many names, or none of a skill");
  },
  words: ["@src/a.ts", "$skill", ".agents/skills/a/SKILL.md", '@"with space.md"', "#L10-20", ":10-20", "(@", "`", "https://a.b/c", "~/x", "a@b.c", "，"],
  parts: ["@", "(@", "$", "a", "/", ".", "!", ":", ")", "[", '"', "'", " ", "\n", "-", " a/№"],
  growth: [16_384, 131_072],
}; // prettier-ignore
