import type { RuleId } from "../check/rules.ts";
import { compareText } from "../lib/compare.ts";
import { shortHash } from "../lib/hash.ts";
import type { SkillLoadError, SkillMetadata } from "./schema.ts";

/** A skill as it was found. Its id is made where it is printed: of thousands, few are. */
export interface Skill extends Omit<SkillMetadata, "id"> {
  /** Directories between where it was found and the working directory; nothing for the user's own. */
  readonly distance: number;
  /** When its SKILL.md was last changed in any way, which unlike `mtimeMs` nobody can set. */
  readonly changedMs?: number;
}

/** The public shape. */
export function withId({ name, description, path, dir, scope, mtimeMs }: Skill): SkillMetadata {
  return { id: shortHash(path), name, description, path, dir, scope, mtimeMs };
}

/** Something about a skill that its author should repair. */
export interface SkillProblem {
  readonly path: string;
  /** From 1; undefined where it is about the file as a whole. */
  readonly line?: number;
  readonly message: string;
  /** What it is about, where a figure in the message may change. */
  readonly about?: string;
  /** What kind of problem: the name of the rule of `skills check` that is broken. */
  readonly rule: RuleId;
}

/** The public shape of a problem, with its line in the sentence. */
export function asLoadError({ path, line, message }: SkillProblem): SkillLoadError {
  return { path, message: line === undefined ? message : `line ${line}: ${message}` };
}

/** What matters most first: repo before user, the nearest first, then by name and path. */
export function bySignificance(skills: readonly Skill[]): Skill[] {
  return skills.toSorted(
    (left, right) =>
      compareText(left.scope, right.scope) ||
      left.distance - right.distance ||
      compareText(left.name, right.name) ||
      compareText(left.path, right.path),
  );
}

/** What is wrong in a header. */
export interface HeaderDefect {
  readonly line: number;
  readonly message: string;
  /** What it is about, where a figure in the message may change. */
  readonly about?: string;
  readonly rule: RuleId;
}

/**
 * What the header of a SKILL.md says, whatever its directory is called and however strict its reader is. Plain data,
 * so that it can be remembered.
 */
export interface HeaderFacts {
  /** Undefined where there is none, or none that could name a skill. */
  readonly name: string | undefined;
  readonly nameLine: number;
  /** Undefined where there is none: then it is no skill. */
  readonly description: string | undefined;
  /** Against the specification, in the order of the header. */
  readonly defects: readonly HeaderDefect[];
}
