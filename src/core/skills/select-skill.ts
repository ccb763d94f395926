import { basename, dirname } from "node:path";
import type { Skill, SkillProblem } from "./skill.ts";
import { nearest } from "../nearest.ts";
import { mentionedName } from "./mention.ts";
import type { SkillQuery } from "./rank.ts";
import { fold } from "./tokens.ts";

export interface Selectable {
  readonly skills: readonly Skill[];
  readonly errors: readonly SkillProblem[];
}

export type Selection =
  | { readonly kind: "found"; readonly skill: Skill }
  | { readonly kind: "ambiguous"; readonly candidates: readonly Skill[] }
  /** The skill is there, and broken. */
  | { readonly kind: "unusable"; readonly error: SkillProblem }
  | { readonly kind: "not-found"; readonly nearest: string | undefined };

/** The one skill that a path, a directory, a name or `$name` means. A path decides before a name does. */
export function selectSkill({ skills, errors }: Selectable, query: SkillQuery): Selection {
  const at = new Set([query.path, query.text]);
  const skill = skills.find(({ path, dir }) => at.has(path) || at.has(dir));
  if (skill !== undefined) return { kind: "found", skill };
  const broken = errors.find(({ path }) => at.has(path) || (isSkillFile(path) && at.has(dirname(path))));
  if (broken !== undefined) return { kind: "unusable", error: broken };

  const name = mentionedName(query.text);
  const candidates = skills.filter((candidate) => fold(candidate.name) === name);
  const [first, second] = candidates;
  if (first !== undefined)
    return second === undefined ? { kind: "found", skill: first } : { kind: "ambiguous", candidates };
  const brokenByName = errors.find(({ path }) => isSkillFile(path) && basename(dirname(path)) === name);
  if (brokenByName !== undefined) return { kind: "unusable", error: brokenByName };
  return { kind: "not-found", nearest: nearest(name, new Set(skills.map((candidate) => candidate.name))) };
}

function isSkillFile(path: string): boolean {
  return basename(path) === "SKILL.md";
}
