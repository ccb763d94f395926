import { joinTexts, searchTexts, type FoldedTexts } from "./folded-texts.ts";
import type { Skill } from "./skill.ts";

/** Skills that can be searched without each of thousands being an object first. In no order. */
export interface SkillBook {
  readonly size: number;
  skillAt(index: number): Skill;
  pathAt(index: number): string;
  scopeAt(index: number): Skill["scope"];
  all(): readonly Skill[];
  /** Their names and descriptions. */
  texts(): FoldedTexts;
}

export function bookOf(skills: readonly Skill[]): SkillBook {
  return {
    size: skills.length,
    skillAt: (index) => skills[index] as Skill,
    pathAt: (index) => (skills[index] as Skill).path,
    scopeAt: (index) => (skills[index] as Skill).scope,
    all: () => skills,
    texts: () => searchTexts(joinTexts(skills.flatMap(({ name, description }) => [name, description]))),
  };
}
