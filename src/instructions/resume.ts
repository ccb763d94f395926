import { hasPlugin } from "../config/settings.ts";
import type { SkillNews } from "../ledger/changes.ts";
import { findContext, knownSkills, MAIN_CONTEXT, surroundingsOf, type Surroundings } from "../ledger/contexts.ts";
import type { Context, LoadedSkill, Session } from "../ledger/schema.ts";
import { tellOnce, type Telling } from "../ledger/tell.ts";
import { escapeText } from "../lib/escape.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { InstructionFile } from "./chain.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "./gather.ts";
import {
  decidePending,
  asTold,
  isTold,
  toldOf,
  without,
  type Applying,
  type LazyFacts,
  type Pending,
} from "./pending.ts";
import {
  pathLine,
  renderReminder,
  versionLine,
  warnPassedOver,
  type NamedVersion,
  type ReminderElement,
  type Message,
} from "./tell.ts";

/** The most files that one answer may name; halved while the answer is too long. */
const MOST_FILES = 1024;

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

/**
 * Tells a resumed context what differs from what it was last told. The present becomes the baseline of the next
 * comparison.
 *
 * @input  compose: called with fewer files until it has a message; given: of which files the client gives the present text
 * @output whether anything was printed
 */
export async function tellDiff(
  world: World,
  workspace: Workspace,
  compose: (diff: ResumeDiff) => Message | undefined,
  given: (files: readonly InstructionFile[]) => Promise<ReadonlySet<string>> = async () => new Set(),
): Promise<boolean> {
  const found = await gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd]));
  const known = await given(found.files);
  let applying = without(found, known);
  const facts = instructionFacts(world);
  warnPassedOver(world, applying.passedOver);
  const present = surroundingsOf(workspace);
  async function leaveOut(session: Session | undefined): Promise<void> {
    const { pluggedPending } = await world.extensions();
    applying = pluggedPending(world, workspace, applying, session, facts);
  }
  function decide(session: Session | undefined): Telling | undefined {
    for (let count = MOST_FILES; count > 0; count = Math.floor(count / 2)) {
      const diff = decideResume(session, workspace.key.context, present, applying, facts, count);
      const message = compose(diff);
      const context = findContext(session, workspace.key.context);
      const renewed = found.files.filter(({ path, version }) => known.has(path) && !isTold(context, path, version));
      if (!isRecordable(diff) && renewed.length === 0) return undefined;
      if (message === undefined) continue;
      const { told: pending, gone } = toldOf(diff.pending, facts, message.named);
      const told = [...pending, ...renewed.map((file) => asTold(file, facts))];
      return {
        ...(isNews(diff) ? message : { text: "" }),
        change: { kind: "resume", told, gone, skills: diff.skills },
      };
    }
    world.trace("too-long-to-tell");
    return undefined;
  }
  const isPlugged = hasPlugin(workspace.layers, world.env, "agents:pending");
  return tellOnce(world, workspace, decide, isPlugged ? leaveOut : undefined);
}

export function diffText(element: ReminderElement, diff: ResumeDiff): string {
  return renderResumeReminder(element, newsOf(diff));
}

function newsOf(diff: ResumeDiff): ResumeNews {
  const { before, after, pending, skills } = diff;
  return {
    cwd: change(before?.cwd, after.cwd),
    root: change(before?.root, after.root),
    markers: change(before && JSON.stringify(before.markers), JSON.stringify(after.markers)),
    files: pending.tell.map(({ path, version }) => ({ path, mtimeMs: version.mtimeMs })),
    gone: pending.gone,
    changedSkills: skills.changed,
    goneSkills: skills.gone,
  };
}

function change(before: string | undefined, after: string): Change {
  return { before: before ?? "(not known)", after };
}

export function decideResume(
  session: Session | undefined,
  contextName: string,
  present: Surroundings,
  applying: Applying,
  facts: ResumeFacts,
  maxFiles: number,
): ResumeDiff {
  // Only the main context is told that the session has moved; others are told about files and skills.
  const baseline = contextName === MAIN_CONTEXT ? session : present;
  const before = baseline && { cwd: baseline.cwd, root: baseline.root, markers: baseline.markers };
  const context = findContext(session, contextName);
  const found = decidePending(applying, context, facts, maxFiles);
  const pending = { ...found, gone: withVanished(found.gone, context, facts) };
  return { before, after: present, pending, skills: skillNews(knownSkills(session, contextName), facts) };
}

/** Whether there is anything to print. */
export function isNews({ before, after, pending, skills }: ResumeDiff): boolean {
  const isMoved = before !== undefined && !isSame(before, after);
  return isMoved || [pending.tell, pending.gone, skills.changed, skills.gone].some((list) => list.length > 0);
}

/** Whether there is anything to record, printed or not. */
export function isRecordable(diff: ResumeDiff): boolean {
  return diff.before === undefined || diff.pending.aliases.length + diff.pending.renewed.length > 0 || isNews(diff);
}

/** A file that has vanished with its directory is on no ladder, so it is looked for by its path. */
function withVanished(gone: readonly string[], context: Context, facts: ResumeFacts): string[] {
  const vanished = Object.keys(context.loadedVersions).filter((path) => facts.mtimeAt(path) === undefined);
  return [...new Set([...gone, ...vanished])];
}

/** Skills whose text the context has. Those it only knows by name are loaded anew anyway. */
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

export interface Change {
  readonly before: string;
  readonly after: string;
}

export interface ResumeNews {
  readonly cwd: Change;
  readonly root: Change;
  readonly markers: Change;
  readonly files: readonly NamedVersion[];
  readonly gone: readonly string[];
  readonly changedSkills: readonly NamedVersion[];
  readonly goneSkills: readonly string[];
}

export function renderResumeReminder(element: ReminderElement, news: ResumeNews): string {
  return renderReminder(element, "session.resume.diff", [
    "Session resumed with context changes:",
    changeLine("cwd", news.cwd),
    changeLine("root", news.root),
    changeLine("markers", news.markers),
    ...section("Re-check AGENTS.md for current scope:", news.files.map(versionLine)),
    ...section("No longer in force, disregard what they said:", news.gone.map(pathLine)),
    ...section("Loaded skills that changed, load them again before use:", news.changedSkills.map(versionLine)),
    ...section("Loaded skills that are gone:", news.goneSkills.map(pathLine)),
  ]);
}

function changeLine(name: string, { before, after }: Change): string {
  return `- ${name}: ${escapeText(before)} -> ${escapeText(after)}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}
