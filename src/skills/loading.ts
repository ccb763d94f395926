import type { SkillScope } from "../config/skill-scope.ts";
import { judgeSkill, type Decision, type PlacedRule } from "./permissions.ts";

/** A skill that a tool would load, by all that it may be called and all that it may belong to. */
export interface SkillLoading {
  readonly names: readonly string[];
  readonly scopes: readonly SkillScope[];
  /** "" where it is in no file that we know. */
  readonly path: string;
}

export interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly decision: Exclude<Decision, "allow">;
  readonly rule: string;
}

/** The strictest that the rules say of any name and scope of any of them; undefined where all may be loaded. */
export function refusalOf(rules: readonly PlacedRule[], loadings: readonly SkillLoading[]): Refusal | undefined {
  let asking: Refusal | undefined;
  for (const { names, scopes, path } of loadings) {
    for (const name of names) {
      for (const scope of scopes) {
        const { decision, rule } = judgeSkill(rules, { name, scope });
        if (decision === "allow" || rule === undefined) continue;
        if (decision === "deny") return { name, path, decision, rule };
        asking ??= { name, path, decision, rule };
      }
    }
  }
  return asking;
}
