import type { PermissionRule, SkillScope } from "../config/schema.ts";
import type { Layer } from "../config/settings.ts";
import { fold } from "./tokens.ts";

/*
 * Which skills the config turns off (`skills.disabled`), and which of the others its rules (`permissions`) let a
 * context load. Names are compared folded: otherwise a skill could slip through by another letter case or width.
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

/** The kinds of rules, the stronger first. */
const KINDS = ["deny", "allow", "confirm"] as const;

export type Decision = (typeof KINDS)[number];

/** A rule and where it stands. */
export interface PlacedRule {
  readonly decision: Decision;
  readonly rule: PermissionRule;
  /** Folded, of the skill that it is about; undefined if it is about all. */
  readonly name: string | undefined;
  /** `permissions.deny[0]` */
  readonly key: string;
  /** The layer. */
  readonly source: string;
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

export interface Permission {
  readonly decision: Decision;
  /** `permissions.deny[0] in /home/u/.codelia/config.yaml`; undefined if no rule matches, and so the skill is allowed. */
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

/** A skill that a client's tool would load, by all names it may have and all scopes it may belong to. */
export interface ToolLoad {
  readonly names: readonly string[];
  readonly scopes: readonly SkillScope[];
  /** "" if it is in no file that we know. */
  readonly path: string;
}

/** A rule that keeps a skill back. */
export interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly decision: Exclude<Decision, "allow">;
  /** As in `Permission`. */
  readonly rule: string;
}

/** The strictest decision about any name and scope of any of them; undefined if all may be loaded. */
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
