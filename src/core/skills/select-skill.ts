import { basename, dirname } from "node:path";
import type { SkillCatalog, SkillLoadError, SkillMetadata } from "../../schema/skills.ts";
import { nearest } from "../nearest.ts";
import { mentionedName } from "./mention.ts";
import type { SkillQuery } from "./rank.ts";

export type Selection =
  | { readonly kind: "found"; readonly skill: SkillMetadata }
  | { readonly kind: "ambiguous"; readonly candidates: readonly SkillMetadata[] }
  /** The skill is there, and broken. */
  | { readonly kind: "unusable"; readonly error: SkillLoadError }
  | { readonly kind: "not-found"; readonly nearest: string | undefined };

/** The one skill that a path, a directory, a name or `$name` means. A path decides before a name does. */
export function selectSkill({ skills, errors }: SkillCatalog, query: SkillQuery): Selection {
  const at = new Set([query.path, query.text]);
  const skill = skills.find(({ path, dir }) => at.has(path) || at.has(dir));
  if (skill !== undefined) return { kind: "found", skill };
  const broken = errors.find(({ path }) => at.has(path) || (isSkillFile(path) && at.has(dirname(path))));
  if (broken !== undefined) return { kind: "unusable", error: broken };

  const name = mentionedName(query.text);
  const candidates = skills.filter((candidate) => candidate.name === name);
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
