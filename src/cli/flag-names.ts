import type { FlagDefinition } from "./flags.ts";

/** The names a user may type, for suggestions. */
export function flagNames(definitions: Readonly<Record<string, FlagDefinition>>): string[] {
  return Object.keys(definitions)
    .filter((name) => definitions[name]?.type !== "positional")
    .map((name) => `--${name}`);
}
