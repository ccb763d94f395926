import type { Layer } from "../config/config-layers.ts";
import { fold } from "./tokens.ts";

/** Whether a name is one of those that are turned off. */
export function disabledNames(disabled: readonly string[]): (name: string) => boolean {
  if (disabled.length === 0) return () => false;
  const names = new Set(disabled.map(fold));
  return (name) => names.has(fold(name));
}

/** The skills that no name in `disabled` turns off. */
export function withoutDisabled<Skill extends { readonly name: string }>(
  skills: readonly Skill[],
  disabled: readonly string[],
): Skill[] {
  const isDisabled = disabledNames(disabled);
  return skills.filter(({ name }) => !isDisabled(name));
}

/** The first layer whose `skills.disabled` turns a skill off, or undefined. */
export function disabledBy(layers: readonly Layer[], name: string): string | undefined {
  const folded = fold(name);
  return layers.find(({ config }) => config.skills?.disabled?.some((disabled) => fold(disabled) === folded))?.source;
}
