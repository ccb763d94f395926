import type { Context, LoadedSkill, Session } from "../ledger/schema.ts";
import { findContext, type SkillNews, type Surroundings } from "../ledger/ledger.ts";
import { knownSkills } from "../ledger/known-skills.ts";
import { MAIN_CONTEXT } from "../ledger/session-name.ts";
import { decidePending, type Applying, type LazyFacts, type Pending } from "./pending.ts";

/** How the present differs from what a context was last told. */
export interface ResumeDiff {
  /** Undefined for a session that nothing is known of. */
  readonly before: Surroundings | undefined;
  readonly after: Surroundings;
  readonly pending: Pending;
  readonly skills: SkillNews;
}

export interface ResumeFacts extends LazyFacts {
  /** A file's present mtime, or undefined when it is gone. */
  mtimeAt(path: string): number | undefined;
}

export function decideResume(
  session: Session | undefined,
  contextName: string,
  present: Surroundings,
  applying: Applying,
  facts: ResumeFacts,
  maxFiles: number,
): ResumeDiff {
  // Where the session stands is the main context's affair: another one is only told about files and skills.
  const baseline = contextName === MAIN_CONTEXT ? session : present;
  const before = baseline && { cwd: baseline.cwd, root: baseline.root, markers: baseline.markers };
  const context = findContext(session, contextName);
  const found = decidePending(applying, context, facts, maxFiles);
  const pending = { ...found, gone: withVanished(found.gone, context, facts) };
  return { before, after: present, pending, skills: skillNews(knownSkills(session, contextName), facts) };
}

/** Whether there is anything to say. */
export function isNews({ before, after, pending, skills }: ResumeDiff): boolean {
  const isMoved = before !== undefined && !isSame(before, after);
  return isMoved || [pending.tell, pending.gone, skills.changed, skills.gone].some((list) => list.length > 0);
}

/** Whether the ledger has anything to learn, said or not. */
export function isRecordable(diff: ResumeDiff): boolean {
  return diff.before === undefined || diff.pending.aliases.length + diff.pending.renewed.length > 0 || isNews(diff);
}

/** A file that has vanished with its directory is on no ladder: it is looked for by its path. */
function withVanished(gone: readonly string[], context: Context, facts: ResumeFacts): string[] {
  const vanished = Object.keys(context.loadedVersions).filter((path) => facts.mtimeAt(path) === undefined);
  return [...new Set([...gone, ...vanished])];
}

/** Skills whose text the context holds; those it only knows by name are read afresh anyway. */
function skillNews(loadedSkills: Readonly<Record<string, LoadedSkill>>, facts: ResumeFacts): SkillNews {
  const changed: { path: string; mtimeMs: number }[] = [];
  const gone: string[] = [];
  for (const [path, skill] of Object.entries(loadedSkills)) {
    const mtimeMs = facts.mtimeAt(path);
    if (mtimeMs === undefined) gone.push(path);
    else if (skill.n > 0 && mtimeMs !== skill.mtimeMs) changed.push({ path, mtimeMs });
  }
  return { changed, gone };
}

function isSame(before: Surroundings, after: Surroundings): boolean {
  return (
    before.cwd === after.cwd &&
    before.root === after.root &&
    before.markers.length === after.markers.length &&
    before.markers.every((marker, index) => marker === after.markers[index])
  );
}
