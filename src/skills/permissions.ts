import type { PermissionRule } from "../config/config.ts";
import type { SkillScope } from "../config/skill-scope.ts";
import type { Layer } from "../config/config-layers.ts";
import { fold } from "./tokens.ts";

/** The kinds of rules, the stronger first. */
const KINDS = ["deny", "allow", "confirm"] as const;

export type Decision = (typeof KINDS)[number];

export interface PlacedRule {
  readonly decision: Decision;
  readonly rule: PermissionRule;
  /** The skill's name that it is about, folded: each skill is held against each rule. */
  readonly name: string | undefined;
  /** `permissions.deny[0]` */
  readonly key: string;
  /** The layer it stands in. */
  readonly source: string;
}

export interface Permission {
  readonly decision: Decision;
  /** `permissions.deny[0] in /home/u/.codelia/config.yaml`; where no rule matches there is none, and all is allowed. */
  readonly rule: string | undefined;
}

/** The rules of every layer, the stronger kind first. */
export function permissionRules(layers: readonly Layer[]): PlacedRule[] {
  return KINDS.flatMap((decision) =>
    layers.flatMap(({ source, config }) =>
      (config.permissions?.[decision] ?? []).map((rule, index) => ({
        decision,
        rule,
        name: rule.skill_name === undefined ? undefined : fold(rule.skill_name),
        key: `permissions.${decision}[${index}]`,
        source,
      })),
    ),
  );
}

/** What the rules say about loading a skill: what forbids wins over what allows, which wins over what asks. */
export function judgeSkill(
  rules: readonly PlacedRule[],
  skill: { readonly name: string; readonly scope: SkillScope },
): Permission {
  // Another letter case or width of a name is the same name: a lenient skill could slip through by it otherwise.
  const name = fold(skill.name);
  for (const decision of KINDS) {
    const found = rules.find((placed) => placed.decision === decision && matches(placed, name, skill.scope));
    if (found !== undefined) return { decision, rule: `${found.key} in ${found.source}` };
  }
  return { decision: "allow", rule: undefined };
}

function matches({ rule: { tool, scope }, name }: PlacedRule, skill: string, skillScope: SkillScope): boolean {
  return tool === "skill_load" && (name === undefined || name === skill) && (scope ?? skillScope) === skillScope;
}
