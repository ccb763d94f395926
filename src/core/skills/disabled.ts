import type { Layer } from "../config-layers.ts";
import { fold } from "./tokens.ts";

/** The skills that no name in `disabled` turns off. */
export function withoutDisabled<Skill extends { readonly name: string }>(
  skills: readonly Skill[],
  disabled: readonly string[],
): readonly Skill[] {
  if (disabled.length === 0) return skills;
  const names = new Set(disabled.map(fold));
  return skills.filter(({ name }) => !names.has(fold(name)));
}

/** The first layer whose `skills.disabled` turns a skill off, or undefined. */
export function disabledBy(layers: readonly Layer[], name: string): string | undefined {
  const folded = fold(name);
  return layers.find(({ config }) => config.skills?.disabled?.some((disabled) => fold(disabled) === folded))?.source;
}
