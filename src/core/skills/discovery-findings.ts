import type { Finding, Severity } from "../findings.ts";
import { finding, isRuleId, type RuleId } from "../rules.ts";
import { keyOffset, skillParts } from "./skill-parts.ts";
import { textPositions } from "../text-positions.ts";

/** What discovery has against a skill or a directory; which rule it is stands in `rule`, or is told by the message. */
export interface DiscoveryProblem {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly rule?: string;
}

/** The beginnings of discovery's messages. */
const RULE_OF_MESSAGE: readonly (readonly [RegExp, RuleId])[] = [
  [/^'name' is '/, "skill-name-directory"],
  [/^'name' /, "skill-name"],
  [/^'description' /, "skill-description"],
  [/^'(?:version|license|compatibility|allowed-tools|metadata)\b/, "skill-field"],
  [/^(?:its header |it does not begin with a header|line \d+: )/, "skill-header"],
  [/^skills are looked for /, "skill-limit"],
];

export function ruleOfProblem({ rule, message }: DiscoveryProblem): RuleId {
  if (rule !== undefined && isRuleId(rule)) return rule;
  return RULE_OF_MESSAGE.find(([beginning]) => beginning.test(message))?.[1] ?? "skill-unreadable";
}

/**
 * What discovery found, as a finding.
 *
 * @param severity another one than the rule's
 * @param text the file's, where it could be read: it tells the line
 */
export function discoveryFinding(problem: DiscoveryProblem, text: string | undefined, severity?: Severity): Finding {
  const rule = ruleOfProblem(problem);
  // The line has a place of its own: in the message it would make another finding of one whose line moved.
  const { 1: lineInMessage, 2: message = problem.message } = /^line (\d+): ([^]*)$/.exec(problem.message) ?? [];
  const line = problem.line ?? (lineInMessage === undefined ? lineOfKey(problem, text) : Number(lineInMessage));
  return finding(rule, { path: problem.path, line, message, ...(severity === undefined ? {} : { severity }) });
}

function lineOfKey({ message }: DiscoveryProblem, text: string | undefined): number {
  const key = /^'([a-z-]+)/.exec(message)?.[1];
  if (key === undefined || text === undefined) return 1;
  return textPositions(text)(keyOffset(text, skillParts(text), key)).line;
}
