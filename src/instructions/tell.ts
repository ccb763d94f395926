import { relative } from "node:path";
import { hasPlugin } from "../config/settings.ts";
import { findContext, type ToldFile } from "../ledger/contexts.ts";
import type { Context, Session } from "../ledger/schema.ts";
import { tellOnce, type Decide, type Reminder, type Telling } from "../ledger/tell.ts";
import { escapeText, visible } from "../lib/escape.ts";
import { isInside } from "../lib/paths.ts";
import { whyUnread } from "../lib/read-file.ts";
import type { TouchedPath } from "../touched/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { InstructionFile, PassedOver } from "./chain.ts";
import { framed, type Frame } from "./elements.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "./gather.ts";
import {
  asTold,
  decidePending,
  isNothing,
  knowingOf,
  toldOf,
  without,
  withOwn,
  type LazyFacts,
  type Pending,
} from "./pending.ts";
import type { SystemReminderType } from "./schema.ts";

/** What is printed about pending files. */
export interface Message extends Pick<Telling, "text" | "notes" | "reminder" | "unblocking" | "isEdit"> {
  /** The files of which only the path is told, if that makes a difference. */
  readonly named?: ReadonlySet<string>;
  /** The files whose text is not in the message; without it, no file's is. */
  readonly bare?: ReadonlySet<string>;
  /** The directories whose skills it tells, of those that the touch brings up. */
  readonly covered?: readonly string[];
}

/** A file that is due with a write although it may have been told: it blocks the write, or its text comes with it. */
export interface DueFile {
  readonly file: InstructionFile;
  /** `opened`: it blocked this call before; `given-meanwhile`: it blocks, but another call has delivered its text. */
  readonly state: "closed" | "given-meanwhile" | "opened" | "overdue";
  readonly held?: ToldFile["held"];
}

/**
 * Composes the message about pending files, about those that are due, and about the skills of directories; undefined if
 * they are too many for one.
 */
export type ComposeMessage = (
  pending: Pending,
  due: readonly DueFile[],
  places: readonly string[],
) => Message | undefined;

/** The client's own instruction files for the paths of a touch. */
export interface OwnLook {
  /** Whether there may be some that the context does not know. Called for every touch, so it must cost next to nothing. */
  isDue(targets: readonly string[], session: Session | undefined, context: Context): boolean;
  /** Finds them beside the files that apply in any client. */
  look(files: readonly InstructionFile[], session: Session | undefined, context: Context): Promise<OwnFound>;
}

export interface OwnFound {
  readonly files: readonly InstructionFile[];
  /** Those that the context knows and that are no more. */
  readonly vanished: ReadonlySet<string>;
  /** The directories that hold no others, for any path. */
  readonly settled: readonly string[];
  /** The directories of skills that the client lists with some touches only. */
  readonly places: readonly string[];
}

/** To look closer, before anything is told or recorded. */
export const LOOK_CLOSER: Telling = { text: "", change: { kind: "cover", told: [], gone: [] } };

/** What a touch brings up besides pending files. */
export interface Touching {
  readonly own?: OwnLook | undefined;
  /** Files that need not be told because the context learns of them in other ways. */
  readonly known: ReadonlySet<string>;
  /** The directories whose skills it brings within reach. Called for every touch, so it must cost next to nothing. */
  readonly places: (
    workspace: Workspace,
    targets: readonly string[],
    session: Session | undefined,
    context: Context,
  ) => readonly string[];
  /** Finds more of the known files, and the skills of these directories; called when there is something to tell. */
  readonly find: (
    files: readonly InstructionFile[],
    places: readonly string[],
    session: Session | undefined,
  ) => Promise<ReadonlySet<string>>;
  /** Which files are due with the edit that is about to be made. */
  readonly due?:
    | ((files: readonly InstructionFile[], pending: Pending, context: Context) => readonly DueFile[])
    | undefined;
}

/**
 * Tells the context what applies to the paths and has not been told.
 *
 * @input  compose: called with fewer files until it returns a message
 * @output whether anything was printed
 * @effect prints; the ledger records what was printed
 */
export async function tellPaths(
  world: World,
  workspace: Workspace,
  paths: readonly string[],
  compose: ComposeMessage,
  touching?: Touching,
): Promise<boolean> {
  const { decide, lookCloser } = await weighPaths(world, workspace, paths, compose, touching);
  return tellOnce(world, workspace, decide, lookCloser);
}

export const NONE_OWN: OwnFound = { files: [], vanished: new Set(), settled: [], places: [] };

/** How a context is told of paths: `lookCloser` is called between two decisions, where there is something to tell. */
export interface Weighing {
  readonly decide: Decide;
  readonly lookCloser: ((session: Session | undefined) => Promise<void>) | undefined;
}

/** The same without telling it. */
export async function weighPaths(
  world: World,
  workspace: Workspace,
  paths: readonly string[],
  compose: ComposeMessage,
  touching?: Touching,
): Promise<Weighing> {
  const found = await gatherInstructions(world, workspace, targetsOf(workspace, paths));
  world.trace("gathered", { files: found.files.length });
  warnPassedOver(world, found.passedOver);
  const facts = instructionFacts(world);
  const max = workspace.settings.agents.resolver.maxFilesPerResolve;
  const isExtended = hasPlugin(workspace.layers, world.env, "agents:pending");
  let applying = touching === undefined ? found : without(found, touching.known);
  let places: readonly string[] = [];
  let own: OwnFound | undefined;
  const isOwnDue = (session: Session | undefined, context: Context) =>
    touching?.own?.isDue(found.targets ?? [], session, context) === true;
  function placesFor(session: Session | undefined, context: Context): readonly string[] {
    const common = touching?.places(workspace, found.targets ?? [], session, context) ?? [];
    if (own === undefined || own.places.length === 0) return common;
    return [...common, ...own.places.filter((place) => !context.coveredDirs.includes(place))];
  }
  function decide(session: Session | undefined): Telling | undefined {
    const context = findContext(session, workspace.key.context);
    if (own === undefined && isOwnDue(session, context)) return LOOK_CLOSER;
    const settled = own === undefined ? [] : own.settled.filter((place) => !context.coveredDirs.includes(place));
    places = placesFor(session, context);
    for (let count = max; count > 0; count--) {
      const pending = decidePending(applying, context, facts, count, touching !== undefined);
      const due = touching?.due?.(applying.files, pending, context).filter(({ file }) => !facts.isUnread(file)) ?? [];
      const isNothingPending = due.length === 0 && isNothing(pending);
      if (isNothingPending && places.length + settled.length === 0) return undefined;
      const message = compose(pending, due, places);
      if (message === undefined) continue;
      const { covered = [] } = message;
      if (isNothingPending && covered.length + settled.length === 0) return undefined;
      const { told, gone } = toldOf(pending, facts, message);
      const all = [...told, ...due.map((each) => recordOf(each, facts, message))];
      // While skills are still to be told, a further touch of these directories is like a first one.
      const directories =
        covered.length === places.length ? [...all.map(({ directory }) => directory), ...covered] : [];
      return { ...message, change: { kind: "cover", told: all, gone, covered: [...directories, ...settled] } };
    }
    world.trace("too-long-to-tell");
    return undefined;
  }
  async function lookCloser(session: Session | undefined): Promise<void> {
    const context = findContext(session, workspace.key.context);
    if (touching?.own !== undefined && isOwnDue(session, context)) {
      own = await touching.own.look(applying.files, session, context);
      applying = withOwn(applying, own);
    } else own = NONE_OWN;
    if (touching !== undefined) {
      places = placesFor(session, context);
      applying = without(applying, await touching.find(applying.files, places, session));
    }
    if (!isExtended) return;
    const { extendPending } = await world.extensions();
    applying = extendPending(world, workspace, applying, session, facts);
  }
  return { decide, lookCloser: touching !== undefined || isExtended ? lookCloser : undefined };
}

function recordOf({ file, state, held }: DueFile, facts: LazyFacts, { named, bare }: Message): ToldFile {
  const isNamed = state !== "opened" && named?.has(file.path) === true;
  const how = state === "opened" ? undefined : knowingOf(file, bare);
  return { ...asTold(file, facts, isNamed, how), ...(held && { held }) };
}

/** What a reminder is about, and how the model learns that there are more files than one reminder may name. */
export interface Occasion {
  readonly cwd: string;
  /** Absolute. */
  readonly touched: readonly TouchedPath[];
  readonly more: "next-call" | "next-question" | "higher-limit";
  /** The names by which the model knows files, by path, if they differ. */
  names?: ReadonlyMap<string, string>;
  /** The text about the skills of directories that fits, and which directories that settles, once they were read. */
  nearby?: ((places: readonly string[], fits: (text: string) => boolean) => Announcement) | undefined;
}

export interface Announcement {
  readonly text: string;
  readonly covered: readonly string[];
}

/** Until the skills were read, assume that there are some to tell. */
export function announced(
  occasion: Occasion,
  places: readonly string[],
  fits: (text: string) => boolean,
): Announcement {
  if (places.length === 0) return { text: "", covered: [] };
  return occasion.nearby?.(places, fits) ?? { text: "", covered: places };
}

/** The reminder about pending files; "" if there is nothing to tell. */
export function reminderText(element: ReminderElement, pending: Pending, occasion: Occasion): string {
  const { tell, changed, remaining, gone, unread = [] } = pending;
  if (tell.length + gone.length + unread.length === 0) return "";
  const files = tell.map(({ path, version: { mtimeMs } }) => {
    return { path: occasion.names?.get(path) ?? path, mtimeMs, isChanged: changed.includes(path) };
  });
  const news = { files, remaining, gone, unread: unread.map(({ path }) => path), more: occasion.more };
  return renderResolveReminder(element, { ...news, ...subjectOf(occasion, tell) });
}

/** Which of several paths the files apply to, and whether one of them is being written. */
export function subjectOf(
  { cwd, touched }: Pick<Occasion, "cwd" | "touched">,
  files: readonly InstructionFile[],
): { readonly subject: string; readonly isWrite: boolean } {
  const concerned = touched.filter(({ path }) => files.some(({ directory }) => isInside(directory, path)));
  const isWrite = concerned.some(({ access }) => access === "write");
  if (touched.length <= 1) return { subject: "this path", isWrite };
  if (concerned.length === 0) return { subject: "these paths", isWrite };
  const paths = concerned.map(({ path }) => path).toSorted();
  const names = paths.slice(0, MOST_PATHS).map((path) => escapeText(pathFrom(cwd, path)));
  const rest = paths.length - names.length;
  return { subject: listed(rest === 0 ? names : [...names, `${rest} more`]), isWrite };
}

const MOST_PATHS = 5;

function pathFrom(directory: string, path: string): string {
  return isInside(directory, path) ? relative(directory, path) || "." : path;
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A reminder in the client's form; undefined if it is too long for the client. */
export function reminderMessage(type: Reminder["type"], text: string, wrap: Reminder["wrap"]): Message | undefined {
  const wrapped = wrap(text);
  if (wrapped === undefined) return undefined;
  return { text: wrapped, reminder: text === "" ? undefined : { type, text, wrap } };
}

export interface ResolveReminder {
  readonly files: readonly NamedVersion[];
  /** More files apply than one reminder may name. */
  readonly remaining: number;
  readonly gone: readonly string[];
  /** They apply and can't be read. */
  readonly unread?: readonly string[];
  /** What they apply to. */
  readonly subject?: string;
  /** The call that it accompanies writes there. */
  readonly isWrite?: boolean;
  readonly more?: Occasion["more"];
}

export function renderResolveReminder(element: ReminderElement, news: ResolveReminder): string {
  const { files, remaining, gone, unread = [], subject = "this path", isWrite = false, more = "next-question" } = news;
  const lines: string[] = [];
  if (files.length > 0) {
    lines.push(`Additional AGENTS.md may apply for ${subject}:`, ...files.map(versionLine));
    if (remaining > 0) lines.push(remainingSentence(remaining, more));
    lines.push(
      isWrite
        ? "Read these files, check this edit against them, and apply them when you edit more in this scope."
        : "Read and apply these files before editing files in this scope.",
    );
  }
  if (unread.length > 0) lines.push(UNREAD, ...unread.map(pathLine));
  if (gone.length > 0) lines.push("No longer in force, disregard what they said:", ...gone.map(pathLine));
  return renderReminder(element, "agents.resolve.paths", lines);
}

/** Above the paths of files that apply and can't be read. */
export const UNREAD = "These apply but can't be read; tell the user that you don't know what they say:";

export function remainingSentence(remaining: number, more: Occasion["more"]): string {
  const count = remaining === 1 ? "1 more file applies" : `${remaining} more files apply`;
  switch (more) {
    case "next-call":
      return `${count}; your next call there brings the rest.`;
    case "next-question":
      return `${count}; resolve again to be told.`;
    case "higher-limit":
      return `${count}; raise agents.resolver.maxFilesPerResolve, or leave out --no-state.`;
  }
}

/** Clients that escape `<system-reminder` get our own element name. */
export type ReminderElement = Extract<Frame, "system-reminder" | "codelia-reminder">;

export interface NamedVersion {
  readonly path: string;
  readonly mtimeMs: number;
  /** The model was told another version. */
  readonly isChanged?: boolean;
}

export function renderReminder(element: ReminderElement, type: SystemReminderType, lines: readonly string[]): string {
  return framed(element, `${lines.join("\n")}\n`, ` type="${type}"`);
}

/** `- /repo/AGENTS.md (mtime: 1738970000000)` */
export function versionLine({ path, mtimeMs, isChanged = false }: NamedVersion): string {
  return `- ${escapeText(path)} (mtime: ${mtimeMs})${isChanged ? " (changed: read it again)" : ""}`;
}

export function pathLine(path: string): string {
  return `- ${escapeText(path)}`;
}

/** Warns of files that can't be used. Files that are only hidden or duplicate need no warning. */
export function warnPassedOver(world: World, passedOver: readonly PassedOver[]): void {
  for (const { path, reason, by } of passedOver) {
    if (reason === "hidden" || reason === "duplicate") continue;
    const importer = by === undefined ? "" : `, which '${visible(by)}' imports,`;
    world.warn(`'${visible(path)}'${importer} is skipped: ${whyPassedOver(reason)}`);
  }
}

function whyPassedOver(reason: Exclude<PassedOver["reason"], "hidden" | "duplicate">): string {
  if (reason === "dangling-link") return "it is a link that leads nowhere";
  if (reason === "link-outside-root") return "it is a link that leads outside the root";
  return whyUnread({ kind: "unusable", reason });
}
