import { dirname } from "node:path";
import { hasPlugin } from "../config/settings.ts";
import type { SkillChanges } from "../ledger/changes.ts";
import { findContext, knownSkills, MAIN_CONTEXT, surroundingsOf, type Surroundings } from "../ledger/contexts.ts";
import type { Context, LoadedSkill, Session } from "../ledger/schema.ts";
import { viewSession } from "../ledger/read.ts";
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
  /** Undefined for an unknown session. */
  readonly before: Surroundings | undefined;
  readonly after: Surroundings;
  readonly pending: Pending;
  readonly skills: SkillChanges;
}

export interface ResumeFacts extends LazyFacts {
  /** A file's present mtime, or undefined if it is gone. */
  mtimeAt(path: string): number | undefined;
}

/**
 * Tells a resumed context what differs from what it was last told. The present becomes the baseline for the next
 * comparison.
 *
 * @input  compose: called with fewer files until it returns a message; given: the files whose present text the client
 *          gives
 * @output whether anything was printed
 */
export async function tellDiff(
  world: World,
  workspace: Workspace,
  compose: (diff: ResumeDiff) => Message | undefined,
  given: (files: readonly InstructionFile[]) => Promise<ReadonlySet<string>> = async () => new Set(),
): Promise<boolean> {
  const found = await gatherWithTold(world, workspace);
  const known = await given(found.files);
  let applying = without(found, known);
  const facts = instructionFacts(world);
  warnPassedOver(world, applying.passedOver);
  const present = surroundingsOf(workspace);
  async function leaveOut(session: Session | undefined): Promise<void> {
    const { extendPending } = await world.extensions();
    applying = extendPending(world, workspace, applying, session, facts);
  }
  function decide(session: Session | undefined): Telling | undefined {
    for (let count = MOST_FILES; count > 0; count = Math.floor(count / 2)) {
      const diff = decideResume(session, workspace.key.context, present, applying, facts, count);
      const message = compose(diff);
      const context = findContext(session, workspace.key.context);
      const renewed = found.files.filter(({ path, version }) => known.has(path) && !isTold(context, path, version));
      if (!isRecordable(diff) && renewed.length === 0) return undefined;
      if (message === undefined) continue;
      const { told: pending, gone } = toldOf(diff.pending, facts, message);
      const told = [...pending, ...renewed.map((file) => asTold(file, facts, false, "native"))];
      return {
        ...(hasChanges(diff) ? message : { text: "" }),
        change: { kind: "resume", told, gone, skills: diff.skills },
      };
    }
    world.trace("too-long-to-tell");
    return undefined;
  }
  const isExtended = hasPlugin(workspace.layers, world.env, "agents:pending");
  return tellOnce(world, workspace, decide, isExtended ? leaveOut : undefined);
}

/**
 * The files that apply in the working directory, and those in other directories of which the context was told: they may
 * have changed as well.
 */
async function gatherWithTold(world: World, workspace: Workspace): Promise<Applying> {
  const { cwd, key, noState, root, userDirectories } = workspace;
  const own = await gatherInstructions(world, workspace, targetsOf(workspace, [cwd]));
  if (noState) return own;
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const told = Object.keys(findContext(session, key.context).loadedVersions).map((path) => dirname(path));
  const isElsewhere = (directory: string) => !own.directories.has(directory) && directory !== own.homeDirectory;
  const elsewhere = new Set(told.filter(isElsewhere));
  if (elsewhere.size === 0) return own;
  const all = await gatherInstructions(world, workspace, targetsOf(workspace, [cwd, ...elsewhere]));
  const counts = (directory: string) => own.directories.has(directory) || elsewhere.has(directory);
  return {
    ...all,
    files: all.files.filter(({ directory }) => counts(directory)),
    passedOver: all.passedOver.filter(({ path }) => counts(dirname(path))),
    directories: { has: (directory) => counts(directory) && all.directories.has(directory) },
  };
}

export function diffText(element: ReminderElement, diff: ResumeDiff): string {
  return renderResumeReminder(element, changesOf(diff));
}

function changesOf(diff: ResumeDiff): ResumeChanges {
  const { before, after, pending, skills } = diff;
  return {
    cwd: change(before?.cwd, after.cwd),
    root: change(before?.root, after.root),
    markers: change(before && JSON.stringify(before.markers), JSON.stringify(after.markers)),
    files: pending.tell.map(({ path, version: { mtimeMs } }) => {
      return { path, mtimeMs, isChanged: pending.changed.includes(path) };
    }),
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
  // Only the main context is told that the session has moved. Others are told about files and skills.
  const baseline = contextName === MAIN_CONTEXT ? session : present;
  const before = baseline && { cwd: baseline.cwd, root: baseline.root, markers: baseline.markers };
  const context = findContext(session, contextName);
  const found = decidePending(applying, context, facts, maxFiles);
  const pending = { ...found, gone: withVanished(found.gone, context, facts) };
  return { before, after: present, pending, skills: skillChanges(knownSkills(session, contextName), facts) };
}

/** Whether there is anything to print. */
export function hasChanges({ before, after, pending, skills }: ResumeDiff): boolean {
  const isMoved = before !== undefined && !isSame(before, after);
  return isMoved || [pending.tell, pending.gone, skills.changed, skills.gone].some((list) => list.length > 0);
}

/** Whether there is anything to record, printed or not. */
export function isRecordable(diff: ResumeDiff): boolean {
  return diff.before === undefined || diff.pending.aliases.length + diff.pending.renewed.length > 0 || hasChanges(diff);
}

/** A file that vanished with its directory is on no ladder, so it is looked up by its path. */
function withVanished(gone: readonly string[], context: Context, facts: ResumeFacts): string[] {
  const vanished = Object.keys(context.loadedVersions).filter((path) => facts.mtimeAt(path) === undefined);
  return [...new Set([...gone, ...vanished])];
}

/** Skills whose text the context has. Those known only by name are loaded anew anyway. */
function skillChanges(loadedSkills: Readonly<Record<string, LoadedSkill>>, facts: ResumeFacts): SkillChanges {
  const changed: { path: string; mtimeMs: number }[] = [];
  const gone: string[] = [];
  for (const [path, skill] of Object.entries(loadedSkills)) {
    const mtimeMs = facts.mtimeAt(path);
    if (mtimeMs === undefined) gone.push(path);
    else if (skill.n > 0 && isChanged(path, mtimeMs, skill)) changed.push({ path, mtimeMs });
  }
  return { changed, gone };

  function isChanged(path: string, mtimeMs: number, { mtimeMs: before, digest }: LoadedSkill): boolean {
    if (mtimeMs !== before) return true;
    return digest !== undefined && facts.digestOf({ path, realPath: path }) !== digest;
  }
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

export interface ResumeChanges {
  readonly cwd: Change;
  readonly root: Change;
  readonly markers: Change;
  readonly files: readonly NamedVersion[];
  readonly gone: readonly string[];
  readonly changedSkills: readonly NamedVersion[];
  readonly goneSkills: readonly string[];
}

export function renderResumeReminder(element: ReminderElement, news: ResumeChanges): string {
  return renderReminder(element, "session.resume.diff", [
    "Session resumed with context changes:",
    ...surroundingsLines(news),
    ...section("Re-check AGENTS.md for current scope:", news.files.map(versionLine)),
    ...section("No longer in force, disregard what they said:", news.gone.map(pathLine)),
    ...section("Loaded skills that changed, load them again before use:", news.changedSkills.map(versionLine)),
    ...section("Loaded skills that are gone:", news.goneSkills.map(pathLine)),
  ]);
}

/** All of them if one has changed. */
function surroundingsLines({ cwd, root, markers }: ResumeChanges): string[] {
  if ([cwd, root, markers].every(({ before, after }) => before === after)) return [];
  return [changeLine("cwd", cwd), changeLine("root", root), changeLine("markers", markers)];
}

function changeLine(name: string, { before, after }: Change): string {
  return `- ${name}: ${escapeText(before)} -> ${escapeText(after)}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}
