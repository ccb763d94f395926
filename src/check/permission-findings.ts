import type { PlacedRule } from "../skills/permissions.ts";
import { fold } from "../skills/tokens.ts";

/** Something in a config file that has no effect. */
export interface IdleEntry {
  readonly kind: "unknown-skill" | "overruled";
  /** `permissions.deny[0]` */
  readonly key: string;
  /** The name or kind that it is about, as it stands in the file. */
  readonly word: string;
  readonly message: string;
}

/** Kinds of rules, the one that wins first. */
const STRENGTH = ["deny", "allow", "confirm"];

/**
 * The rules and lists of one config file that say nothing about this project.
 *
 * @param names of the project's skills
 */
export function idleEntries(
  rules: readonly PlacedRule[],
  disabled: readonly string[],
  names: readonly string[],
): IdleEntry[] {
  const known = new Set(names.map(fold));
  const isUnknown = (name: string) => !known.has(fold(name));
  const unknown = (key: string, word: string): IdleEntry => {
    return { kind: "unknown-skill", key, word, message: `no skill of this project is called '${word}' (${key})` };
  };
  const byRules = rules.flatMap(({ rule, key }) =>
    rule.skill_name === undefined || rule.scope === "user" || !isUnknown(rule.skill_name)
      ? []
      : [unknown(key, rule.skill_name)],
  );
  const byList = disabled.flatMap((name, index) =>
    isUnknown(name) ? [unknown(`skills.disabled[${index}]`, name)] : [],
  );
  return [...byRules, ...byList, ...rules.flatMap((rule) => overruled(rule, rules))];
}

function overruled(weaker: PlacedRule, rules: readonly PlacedRule[]): IdleEntry[] {
  const stronger = rules.find(
    (other) => STRENGTH.indexOf(other.decision) < STRENGTH.indexOf(weaker.decision) && covers(other, weaker),
  );
  if (stronger === undefined) return [];
  const message = `${weaker.key} never decides: ${stronger.key} is about the same skills, and wins`;
  return [{ kind: "overruled", key: weaker.key, word: weaker.rule.skill_name ?? weaker.decision, message }];
}

/** Whether a rule is about all the skills that another one is about. */
function covers(wide: PlacedRule, narrow: PlacedRule): boolean {
  const isSameName = wide.name === undefined || wide.name === (narrow.name ?? "");
  return isSameName && (wide.rule.scope === undefined || wide.rule.scope === narrow.rule.scope);
}
