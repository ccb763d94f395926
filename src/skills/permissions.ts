import type { PermissionRule, SkillScope } from "../config/schema.ts";
import type { Layer } from "../config/settings.ts";
import { fold } from "./tokens.ts";

/*
 * Which skills the config turns off (`skills.disabled`), and which others its rules (`permissions`) allow a context to
 * load. Names are compared folded, so that different case or width can't bypass a rule.
 */

/** Whether `skills.disabled` turns a name off. */
export function disabledNames(disabled: readonly string[]): (name: string) => boolean {
  if (disabled.length === 0) return () => false;
  const names = new Set(disabled.map(fold));
  return (name) => names.has(fold(name));
}

/** The skills that `skills.disabled` does not turn off. */
export function withoutDisabled<Skill extends { readonly name: string }>(
  skills: readonly Skill[],
  disabled: readonly string[],
): Skill[] {
  const isDisabled = disabledNames(disabled);
  return skills.filter(({ name }) => !isDisabled(name));
}

/** The first layer whose `skills.disabled` turns a skill off, if any. */
export function disabledBy(layers: readonly Layer[], name: string): string | undefined {
  return layers.find(({ config }) => disabledNames(config.skills?.disabled ?? [])(name))?.source;
}

/** The kinds of rules, strongest first. */
const KINDS = ["deny", "allow", "confirm"] as const;

export type Decision = (typeof KINDS)[number];

/** A rule and where it stands. */
export interface PlacedRule {
  readonly decision: Decision;
  readonly rule: PermissionRule;
  /** The folded name of the skill it applies to; undefined if it applies to all. */
  readonly name: string | undefined;
  /** `permissions.deny[0]` */
  readonly key: string;
  /** The config file of the rule. */
  readonly source: string;
}

/** The rules of every layer, strongest kind first. */
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

/**
 * The rules that allow, but where none asks: deny wins over them, and without a rule a skill may be loaded anyway. So a
 * list of them alone is not a list of the only skills that may be loaded, which its author may believe.
 */
export function allowingNothing(rules: readonly PlacedRule[]): PlacedRule[] {
  const asking = rules.filter(({ decision }) => decision === "confirm");
  return rules.filter((rule) => rule.decision === "allow" && !asking.some((other) => canMeet(rule, other)));
}

export const ALLOWS_NOTHING =
  "does nothing: no 'permissions.confirm' rule is about the same skills, and a skill that no rule is about may be loaded";

/** Whether there can be a skill that both are about. */
function canMeet(left: PlacedRule, right: PlacedRule): boolean {
  const isSame = (one: string | undefined, other: string | undefined) =>
    one === undefined || other === undefined || one === other;
  return isSame(left.name, right.name) && isSame(left.rule.scope, right.rule.scope);
}

export interface Permission {
  readonly decision: Decision;
  /**
   * For example `permissions.deny[0] in /home/u/.codelia/config.yaml`; undefined if no rule matches, so that the skill
   * is allowed.
   */
  readonly rule: string | undefined;
}

/** What the rules say about loading a skill: `deny` wins over `allow`, which wins over `confirm`. */
export function decidePermission(
  rules: readonly PlacedRule[],
  skill: { readonly name: string; readonly scope: SkillScope },
): Permission {
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

/** A skill that a client's tool would load, with all names and scopes it may have. */
export interface ToolLoad {
  readonly names: readonly string[];
  readonly scopes: readonly SkillScope[];
  /** "" if it is in no known file. */
  readonly path: string;
}

/** A rule that forbids or asks about a skill. */
export interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly decision: Exclude<Decision, "allow">;
  /** As in `Permission`. */
  readonly rule: string;
}

/** What turns off one of them; undefined if all are on. */
export function disabledLoad(layers: readonly Layer[], loads: readonly ToolLoad[]): Refusal | undefined {
  for (const { names, path } of loads) {
    for (const name of names) {
      const source = disabledBy(layers, name);
      if (source !== undefined) return { name, path, decision: "deny", rule: `skills.disabled in ${source}` };
    }
  }
  return undefined;
}

/** The strictest decision for any of their names and scopes; undefined if all may be loaded. */
export function refusalOf(rules: readonly PlacedRule[], loads: readonly ToolLoad[]): Refusal | undefined {
  const refusals = loads.flatMap(({ names, scopes, path }) =>
    names.flatMap((name) =>
      scopes.flatMap((scope): Refusal[] => {
        const { decision, rule } = decidePermission(rules, { name, scope });
        return decision === "allow" || rule === undefined ? [] : [{ name, path, decision, rule }];
      }),
    ),
  );
  return refusals.find(({ decision }) => decision === "deny") ?? refusals[0];
}
