import { basename, dirname } from "node:path";
import { nearest } from "../lib/nearest.ts";
import { isInside } from "../lib/paths.ts";
import type { Skill, SkillProblem } from "./skill.ts";
import { mentionedName } from "./mention.ts";
import { bySignificance } from "./order.ts";
import { compareText } from "../lib/compare.ts";
import type { SkillQuery } from "./rank.ts";
import { fold } from "./tokens.ts";

export interface Selectable {
  readonly skills: readonly Skill[];
  readonly errors: readonly SkillProblem[];
}

export interface SkillWanted extends SkillQuery {
  /** What the text is as a path, whether or not anything is there: absolute, its links as they are. */
  readonly typedPath: string;
}

export type Selection =
  | { readonly kind: "found"; readonly skill: Skill }
  | { readonly kind: "ambiguous"; readonly candidates: readonly Skill[] }
  /** The skill is there, and broken. */
  | { readonly kind: "unusable"; readonly error: SkillProblem }
  /** A file of a skill, and no skill itself. */
  | { readonly kind: "part"; readonly skill: Skill }
  | { readonly kind: "not-found"; readonly nearest: string | undefined };

/** The one skill that a path, a directory, a name or `$name` means. A path decides before a name does. */
export function selectSkill({ skills, errors }: Selectable, query: SkillWanted): Selection {
  const at = new Set([query.path, query.text, query.typedPath]);
  const skill = skills.find(({ path, dir }) => at.has(path) || at.has(dir));
  if (skill !== undefined) return { kind: "found", skill };
  const broken = errors.find(({ path }) => at.has(path) || (isSkillFile(path) && at.has(dirname(path))));
  if (broken !== undefined) return { kind: "unusable", error: broken };

  const name = mentionedName(query.text);
  const candidates = skills.filter((candidate) => fold(candidate.name) === name);
  const [first, second] = candidates;
  if (first !== undefined)
    return second === undefined
      ? { kind: "found", skill: first }
      : { kind: "ambiguous", candidates: bySignificance(candidates) };
  const brokenByName = errors.find((error) => nameOfPlace(error) === name);
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

/** What a skill would be called that is not there because of an error. */
function nameOfPlace({ path, rule }: SkillProblem): string | undefined {
  return rule === "skill-limit" ? undefined : fold(basename(isSkillFile(path) ? dirname(path) : path));
}

/** The error of a directory or link that was not entered, and so hides whatever is behind it. */
function around(errors: readonly SkillProblem[], { path, typedPath }: SkillWanted): SkillProblem | undefined {
  return errors.find((error) => {
    if (path !== undefined && isInside(error.path, path)) return true;
    // A limit hides only what is there.
    return error.rule !== "skill-limit" && isInside(error.path, typedPath);
  });
}

function isSkillFile(path: string): boolean {
  return basename(path).toLowerCase() === "skill.md";
}
