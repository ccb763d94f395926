import type { Context } from "../ledger/schema.ts";

/** Whether the context has this very text of the skill before it: loaded since its last compaction, and unchanged. */
export function isLoaded(context: Context, skill: { readonly path: string; readonly mtimeMs: number }): boolean {
  if (!Object.hasOwn(context.loadedSkills, skill.path)) return false;
  const loaded = context.loadedSkills[skill.path];
  return loaded !== undefined && loaded.n > 0 && loaded.mtimeMs === skill.mtimeMs;
}
