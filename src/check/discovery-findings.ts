import type { Finding, Severity } from "./findings.ts";
import { finding } from "./rules.ts";
import type { SkillProblem } from "../skills/skill.ts";

/** What discovery found, as a finding. */
export function discoveryFinding({ path, line = 1, message, about, rule }: SkillProblem, severity?: Severity): Finding {
  return finding(rule, {
    path,
    line,
    message,
    ...(about === undefined ? {} : { about }),
    ...(severity === undefined ? {} : { severity }),
  });
}
