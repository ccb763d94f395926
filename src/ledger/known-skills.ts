import type { LoadedSkill, Session } from "./schema.ts";
import { findContext } from "./ledger.ts";
import { mergeSkills } from "./ledger-merge.ts";
import { MAIN_CONTEXT, SHELL_CONTEXT } from "./session-name.ts";

/**
 * The skills that a context has loaded; of the main one also those that a shell has, which can't say whose it is. It is
 * skills alone: a shell's instruction files are never taken for told.
 */
export function knownSkills(session: Session | undefined, context: string): Readonly<Record<string, LoadedSkill>> {
  const { loadedSkills } = findContext(session, context);
  return context === MAIN_CONTEXT
    ? mergeSkills(loadedSkills, findContext(session, SHELL_CONTEXT).loadedSkills)
    : loadedSkills;
}
