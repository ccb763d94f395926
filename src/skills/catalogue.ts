import type { Skill } from "./skill.ts";

export interface CatalogueLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export interface Catalogue {
  readonly skills: readonly Skill[];
  /** There are skills that it does not show. */
  readonly truncated: boolean;
}

/** The markup of one entry as it is printed, without the four texts in it; a test holds it to the renderer. */
const MARKUP_BYTES = 109;
/** What is printed as an escape, at most this many bytes longer than it is. */
const PLAIN = /^[ -%'-;=?-~]*$/;
const ESCAPED = /[&<>\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const ESCAPE_BYTES = 5;

/**
 * The skills that fit into the initial catalogue, in the order given. The first one that does not fit ends it:
 * whether a skill is shown must not depend on how long the descriptions after it are.
 *
 * @param skills the most significant first
 */
export function chooseCatalogue(skills: readonly Skill[], limits: CatalogueLimits): Catalogue {
  let room = limits.maxBytes;
  let count = 0;
  for (const skill of skills.slice(0, limits.maxEntries)) {
    room -= entryBytes(skill);
    if (room < 0) break;
    count++;
  }
  return { skills: skills.slice(0, count), truncated: count < skills.length };
}

/** The bytes that an entry takes when printed, or a few more where characters must be escaped. */
export function entryBytes({ name, description, path, scope }: Skill): number {
  const text = name + description + path + scope;
  if (PLAIN.test(text)) return MARKUP_BYTES + text.length;
  return MARKUP_BYTES + new TextEncoder().encode(text).length + ESCAPE_BYTES * (text.match(ESCAPED)?.length ?? 0);
}
