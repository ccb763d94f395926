import { basename, dirname, resolve } from "node:path";
import { compareText } from "../lib/compare.ts";
import { nearest } from "../lib/nearest.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import type { SkillQuery } from "./rank.ts";
import { bySignificance, type Skill, type SkillProblem } from "./skill.ts";
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

/** The name that `release-notes`, `$release-notes` or `Release-Notes` means. */
export function mentionedName(text: string): string {
  return fold(text).replace(/^\$/, "");
}

const MENTION = /\$([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)/g;

/** What stands beside a mention makes it something else. */
const NOT_BEFORE = /[\w$\\]/;

const NOT_BEHIND = /[\w-]/;

const MAX_MENTIONS = 8;

const MAX_PROMPT = 256 * 1024;

/** The names that a text mentions as `$name`, each once; a shell's variables look the same, and name no skill. */
export function mentionsIn(text: string): string[] {
  const names = new Set<string>();
  const prompt = text.slice(0, MAX_PROMPT);
  for (const { 0: whole, 1: name = "", index } of prompt.matchAll(MENTION)) {
    if (NOT_BEFORE.test(prompt[index - 1] ?? "") || NOT_BEHIND.test(prompt[index + whole.length] ?? "")) continue;
    names.add(mentionedName(name));
    if (names.size === MAX_MENTIONS) break;
  }
  return [...names];
}

/**
 * The canonical path of what a word on the command line names.
 *
 * @input  cwd: what a relative path starts from
 * @output undefined where nothing has that name
 * @effect none
 * @error  none
 */
export function findNamedPath(cwd: string, word: string): string | undefined {
  return realPathOf(resolve(cwd, word));
}
