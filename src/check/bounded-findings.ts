import { sortFindings, type Finding } from "./findings.ts";
import { finding } from "./rules.ts";

/** Of one rule in one file, as many as anyone reads. */
const MAX_PRINTED = 100;
/** A hostile file could have a million. Far more than are printed: a baseline has to know them, and what is new. */
const MAX_KEPT = 1_000;

/** What is kept of the findings in one file. */
export function keptFindings(findings: readonly Finding[]): Finding[] {
  return firstOfEach(findings, MAX_KEPT, (rule) => `only its first ${MAX_KEPT} findings of ${rule} are kept`);
}

/** What is printed of all findings, sorted: to be asked for once it is known which of them are new. */
export function printedFindings(findings: readonly Finding[]): Finding[] {
  const printed = firstOfEach(sortFindings(findings), MAX_PRINTED, (rule, more) => `${more} more findings of ${rule}`);
  return sortFindings(printed);
}

/** As many of each rule in each file; then a finding for those that had more. */
function firstOfEach(
  findings: readonly Finding[],
  most: number,
  say: (rule: string, more: number) => string,
): Finding[] {
  const groups = new Map<string, { readonly first: Finding; count: number }>();
  const kept = findings.filter((each) => {
    const key = `${each.rule} ${each.path}`;
    const group = groups.get(key) ?? { first: each, count: 0 };
    groups.set(key, group);
    return ++group.count <= most;
  });
  for (const { first, count } of groups.values()) {
    if (count <= most) continue;
    const { rule, path } = first;
    const limit = rule.startsWith("skill-") ? "skill-limit" : "check-limit";
    kept.push(finding(limit, { path, line: 1, message: say(rule, count - most), about: rule }));
  }
  return kept;
}
