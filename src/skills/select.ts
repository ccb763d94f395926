import { basename, dirname } from "node:path";
import { compareText } from "../lib/compare.ts";
import { nearest } from "../lib/nearest.ts";
import { isInside } from "../lib/paths.ts";
import type { SkillQuery } from "./rank.ts";
import { bySignificance, SKILL_FILE, type Skill, type SkillProblem } from "./skill.ts";
import { fold } from "./tokens.ts";

export interface Selectable {
  readonly skills: readonly Skill[];
  readonly errors: readonly SkillProblem[];
}

export interface NamedSkill extends SkillQuery {
  /** The text as an absolute path, with its links unresolved, whether or not anything is there. */
  readonly typedPath: string;
}

export type Selection =
  | { readonly kind: "found"; readonly skill: Skill }
  | { readonly kind: "ambiguous"; readonly candidates: readonly Skill[] }
  /** The skill is there, but broken. */
  | { readonly kind: "unusable"; readonly error: SkillProblem }
  /** A file of a skill, not a skill itself. */
  | { readonly kind: "part"; readonly skill: Skill }
  | { readonly kind: "not-found"; readonly nearest: string | undefined };

/** The skill that a path, a directory, a name or `$name` means. A path counts before a name. */
export function selectSkill({ skills, errors }: Selectable, query: NamedSkill): Selection {
  const at = new Set([query.path, query.text, query.typedPath]);
  const skill = skills.find(({ path, dir }) => at.has(path) || at.has(dir));
  if (skill !== undefined) return { kind: "found", skill };
  const broken = errors.find(({ path }) => at.has(path) || (isSkillFile(path) && at.has(dirname(path))));
  if (broken !== undefined) return { kind: "unusable", error: broken };

  const name = mentionedName(query.text);
  const candidates = skills.filter((candidate) => fold(candidate.name) === name);
  const [first, second] = candidates;
  if (second !== undefined) return { kind: "ambiguous", candidates: bySignificance(candidates) };
  if (first !== undefined) return { kind: "found", skill: first };
  const brokenByName = errors.find((error) => nameByPath(error) === name);
  if (brokenByName !== undefined) return { kind: "unusable", error: brokenByName };
  const whole = skills.find(({ dir }) => query.path !== undefined && isInside(dir, query.path));
  if (whole !== undefined) return { kind: "part", skill: whole };
  const hiding = around(errors, query);
  if (hiding !== undefined) return { kind: "unusable", error: hiding };
  return {
    kind: "not-found",
    nearest: nearest(name, new Set(skills.map((candidate) => candidate.name).toSorted(compareText))),
  };
}

/** What a skill would be called that is missing because of an error. */
function nameByPath({ path, rule }: SkillProblem): string | undefined {
  return rule === "skill-limit" ? undefined : fold(basename(isSkillFile(path) ? dirname(path) : path));
}

/** The error about a directory or link that was not entered, and so hides what is behind it. */
function around(errors: readonly SkillProblem[], { path, typedPath }: NamedSkill): SkillProblem | undefined {
  return errors.find((error) => {
    if (path !== undefined && isInside(error.path, path)) return true;
    // A limit hides only what is there.
    return error.rule !== "skill-limit" && isInside(error.path, typedPath);
  });
}

function isSkillFile(path: string): boolean {
  return basename(path).toLowerCase() === SKILL_FILE.toLowerCase();
}

/** The name that `release-notes`, `$release-notes` or `Release-Notes` means. */
export function mentionedName(text: string): string {
  return fold(text).replace(/^\$/, "");
}
