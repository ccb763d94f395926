import type { RuleId } from "../check/rules.ts";

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
