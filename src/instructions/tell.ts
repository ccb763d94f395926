import { hasPlugin } from "../config/settings.ts";
import { findContext } from "../ledger/contexts.ts";
import type { Context, Session } from "../ledger/schema.ts";
import { tellOnce, type Reminder, type Telling } from "../ledger/tell.ts";
import { escapeText, visible } from "../lib/escape.ts";
import { whyUnread } from "../lib/read-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { InstructionFile, PassedOver } from "./chain.ts";
import { framed, type Frame } from "./elements.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "./gather.ts";
import { asTold, decidePending, isNothing, toldOf, without, type Pending } from "./pending.ts";
import type { SystemReminderType } from "./schema.ts";

/** What is printed about pending files. */
export interface Message extends Pick<Telling, "text" | "notes" | "reminder" | "unblocking"> {
  /** The files of which it tells only the path, if that makes a difference. */
  readonly named?: ReadonlySet<string>;
}

/** The message about pending files, and about files that hold an edit back; undefined if they are too many for one. */
export type Compose = (pending: Pending, closed: readonly InstructionFile[]) => Message | undefined;

/** Files that need not be told, because the context learns of them in other ways. */
export interface Unseen {
  readonly known: ReadonlySet<string>;
  /** Finds more of them; called when there is something to tell. */
  readonly find: (files: readonly InstructionFile[]) => Promise<ReadonlySet<string>>;
  /** Which of the files hold back what is about to be done. */
  readonly closed?:
    | ((files: readonly InstructionFile[], pending: Pending, context: Context) => readonly InstructionFile[])
    | undefined;
}

/**
 * Tells the context what applies to the paths and was not told yet.
 *
 * @input  compose: called with fewer files until it has a message
 * @output whether anything was printed
 * @effect prints; the ledger: what was printed is covered
 */
export async function tellPaths(
  world: World,
  workspace: Workspace,
  paths: readonly string[],
  compose: Compose,
  unseen?: Unseen,
): Promise<boolean> {
  const found = await gatherInstructions(world, workspace, targetsOf(workspace, paths));
  world.trace("gathered", { files: found.files.length });
  warnPassedOver(world, found.passedOver);
  const facts = instructionFacts(world);
  const max = workspace.settings.agents.resolver.maxFilesPerResolve;
  const isPlugged = hasPlugin(workspace.layers, world.env, "agents:pending");
  let applying = unseen === undefined ? found : without(found, unseen.known);
  function decide(session: Session | undefined): Telling | undefined {
    const context = findContext(session, workspace.key.context);
    for (let count = max; count > 0; count--) {
      const pending = decidePending(applying, context, facts, count);
      const closed = unseen?.closed?.(applying.files, pending, context) ?? [];
      if (closed.length === 0 && isNothing(pending)) return undefined;
      const message = compose(pending, closed);
      if (message === undefined) continue;
      const { told, gone } = toldOf(pending, facts, message.named);
      const all = [...told, ...closed.map((file) => asTold(file, facts))];
      return { ...message, change: { kind: "cover", told: all, gone } };
    }
    world.trace("too-long-to-tell");
    return undefined;
  }
  async function lookCloser(session: Session | undefined): Promise<void> {
    if (unseen !== undefined) applying = without(applying, await unseen.find(applying.files));
    if (!isPlugged) return;
    const { pluggedPending } = await world.extensions();
    applying = pluggedPending(world, workspace, applying, session, facts);
  }
  return tellOnce(world, workspace, decide, unseen !== undefined || isPlugged ? lookCloser : undefined);
}

/** The reminder of what there is to tell; "" for nothing. */
export function reminderText(element: ReminderElement, { tell, remaining, gone }: Pending, noState = false): string {
  if (tell.length === 0 && gone.length === 0) return "";
  const files = tell.map(({ path, version }) => ({ path, mtimeMs: version.mtimeMs }));
  return renderResolveReminder(element, { files, remaining, gone, noState });
}

/** A reminder as its reader gets it; undefined if it is too long for that reader. */
export function reminderMessage(type: Reminder["type"], text: string, wrap: Reminder["wrap"]): Message | undefined {
  const wrapped = wrap(text);
  if (wrapped === undefined) return undefined;
  return { text: wrapped, reminder: text === "" ? undefined : { type, text, wrap } };
}

export interface ResolveNews {
  readonly files: readonly NamedVersion[];
  /** More files apply than one reminder may name. */
  readonly remaining: number;
  /** Nothing is recorded, so the next call would name the same ones. */
  readonly noState?: boolean;
  readonly gone: readonly string[];
}

export function renderResolveReminder(element: ReminderElement, news: ResolveNews): string {
  const lines: string[] = [];
  if (news.files.length > 0) {
    lines.push("Additional AGENTS.md may apply for this path:");
    for (const file of news.files) lines.push(versionLine(file));
    if (news.remaining > 0) lines.push(remainingSentence(news.remaining, news.noState));
    lines.push("Read and apply these files before editing files in this scope.");
  }
  if (news.gone.length > 0) lines.push("No longer in force, disregard what they said:", ...news.gone.map(pathLine));
  return renderReminder(element, "agents.resolve.paths", lines);
}

export function remainingSentence(remaining: number, noState = false): string {
  const count = remaining === 1 ? "1 more file applies" : `${remaining} more files apply`;
  return noState
    ? `${count}; raise agents.resolver.maxFilesPerResolve, or leave out --no-state.`
    : `${count}; resolve this path again to be told.`;
}

/** A client that escapes `<system-reminder` is given our own name for it. */
export type ReminderElement = Extract<Frame, "system-reminder" | "codelia-reminder">;

export interface NamedVersion {
  readonly path: string;
  readonly mtimeMs: number;
}

export function renderReminder(element: ReminderElement, type: SystemReminderType, lines: readonly string[]): string {
  return framed(element, `${lines.join("\n")}\n`, ` type="${type}"`);
}

/** `- /repo/AGENTS.md (mtime: 1738970000000)` */
export function versionLine({ path, mtimeMs }: NamedVersion): string {
  return `- ${escapeText(path)} (mtime: ${mtimeMs})`;
}

export function pathLine(path: string): string {
  return `- ${escapeText(path)}`;
}

/** Warns of files that can't be used. Files that are only hidden or met twice are as their authors meant them. */
export function warnPassedOver(world: World, passedOver: readonly PassedOver[]): void {
  for (const { path, reason } of passedOver) {
    if (reason !== "hidden" && reason !== "duplicate")
      world.warn(`'${visible(path)}' is passed over: ${whyPassedOver(reason)}`);
  }
}

function whyPassedOver(reason: Exclude<PassedOver["reason"], "hidden" | "duplicate">): string {
  if (reason === "dangling-link") return "it is a link that leads nowhere";
  if (reason === "link-outside-root") return "it is a link that leads outside the root";
  return whyUnread({ kind: "unusable", reason });
}
