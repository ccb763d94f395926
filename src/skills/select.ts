import { basename, dirname, resolve } from "node:path";
import { compareText } from "../lib/sorting.ts";
import { shortHash } from "../lib/hash.ts";
import { nearest } from "../lib/words.ts";
import { isInside } from "../lib/paths.ts";
import type { SkillQuery } from "./rank.ts";
import { bySignificance, SKILL_FILE, type Skill, type SkillProblem } from "./skill.ts";
import { givenPath } from "../touched/given-path.ts";
import { fold } from "./tokens.ts";

export interface Selectable {
  readonly skills: readonly Skill[];
  readonly errors: readonly SkillProblem[];
}

export interface NamedSkill extends SkillQuery {
  /** The text as an absolute path, with links unresolved, whether or not it exists. */
  readonly typedPath: string;
}

export type Selection =
  | { readonly kind: "found"; readonly skill: Skill }
  | { readonly kind: "ambiguous"; readonly candidates: readonly Skill[] }
  /** The skill exists but is broken. */
  | { readonly kind: "unusable"; readonly error: SkillProblem }
  /** A file of a skill, not a skill itself. */
  | { readonly kind: "part"; readonly skill: Skill }
  | { readonly kind: "not-found"; readonly nearest: string | undefined };

/** What the user typed, as a path: relative to a directory, or a `file://` URL as it is printed for a skill. */
export function pathOf(cwd: string, text: string): string {
  // What is not the URL of a local file may be any other name.
  return resolve(cwd, text.startsWith("file://") ? (givenPath(text, "") ?? text) : text);
}

/** The form of a skill's id, which reminders print as its ref. */
const REF = /^[0-9a-f]{16}$/;

/** The skill that a path, a directory, a name, `$name` or a ref means. A path counts before a name, a name before a ref. */
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
  const ref = query.text.trim();
  const referred = REF.test(ref) ? skills.find(({ path }) => shortHash(path) === ref) : undefined;
  if (referred !== undefined) return { kind: "found", skill: referred };
  const brokenByName = errors.find((error) => nameByPath(error) === name);
  if (brokenByName !== undefined) return { kind: "unusable", error: brokenByName };
  // A skill may be inside another.
  const [whole] = skills
    .filter(({ dir }) => query.path !== undefined && isInside(dir, query.path))
    .toSorted((left, right) => right.dir.length - left.dir.length);
  if (whole !== undefined) return { kind: "part", skill: whole };
  const hiding = around(errors, query);
  if (hiding !== undefined) return { kind: "unusable", error: hiding };
  return {
    kind: "not-found",
    nearest: nearest(name, new Set(skills.map((candidate) => candidate.name).toSorted(compareText))),
  };
}

/** The name of a skill that an error made unusable. */
function nameByPath({ path, rule }: SkillProblem): string | undefined {
  return rule === "skill-limit" ? undefined : fold(basename(isSkillFile(path) ? dirname(path) : path));
}

/** The error about a directory or link that was not entered, and so hides its contents. */
function around(errors: readonly SkillProblem[], { path, typedPath }: NamedSkill): SkillProblem | undefined {
  return errors.find((error) => {
    if (path !== undefined && isInside(error.path, path)) return true;
    // A limit only hides what exists.
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
