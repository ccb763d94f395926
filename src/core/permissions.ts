import type { PermissionRule } from "../schema/config.ts";
import type { SkillScope } from "../schema/skills.ts";
import type { Layer } from "./config-layers.ts";
import { fold } from "./skills/tokens.ts";

/** The kinds of rules, the stronger first. */
const KINDS = ["deny", "allow", "confirm"] as const;

export type Decision = (typeof KINDS)[number];

export interface PlacedRule {
  readonly decision: Decision;
  readonly rule: PermissionRule;
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
  for (const decision of KINDS) {
    const found = rules.find((placed) => placed.decision === decision && matches(placed.rule, skill));
    if (found !== undefined) return { decision, rule: `${found.key} in ${found.source}` };
  }
  return { decision: "allow", rule: undefined };
}

/** Another letter case or width of a name is the same name: a lenient skill could slip through by it otherwise. */
function matches({ tool, skill_name, scope }: PermissionRule, skill: { name: string; scope: SkillScope }): boolean {
  if (tool !== "skill_load") return false;
  if (skill_name !== undefined && fold(skill_name) !== fold(skill.name)) return false;
  return scope === undefined || scope === skill.scope;
}
