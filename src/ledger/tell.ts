import { hasPlugin } from "../config/settings.ts";
import type { SystemReminderType } from "../instructions/schema.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Change } from "./changes.ts";
import { viewSession } from "./read.ts";
import type { Session } from "./schema.ts";

/** What to print, and what the ledger records about it. */
export interface Telling {
  /** May be empty: there is something to record and nothing to print. */
  readonly text: string;
  /** Goes to standard error with it. */
  readonly notes?: readonly string[];
  /** It comes with a call that writes in the scope of what is told; for the evidence. */
  readonly isEdit?: boolean;
  /** If `text` is one. */
  readonly reminder?: Reminder | undefined;
  /** Without a change it is printed at once, even if others print the same. */
  readonly change?: Change;
  /**
   * `text` blocks the client's work. So it is recorded before it is printed; if that fails, this is printed instead.
   */
  readonly unblocking?: Pick<Telling, "text" | "reminder">;
}

/** A reminder inside the printed text, for plugins. */
export interface Reminder {
  readonly type: SystemReminderType;
  readonly text: string;
  /** Wraps another text in its place; undefined if that is too long for the client. */
  readonly wrap: (text: string) => string | undefined;
}

/** Decides from what the session was told so far; undefined if there is nothing to print or record. Pure. */
export type Decide = (session: Session | undefined) => Telling | undefined;

/** False if the reader has gone: text that nobody read was not told. */
export type Print = (message: Pick<Telling, "text" | "notes" | "reminder">) => boolean;

/** One call of `tellOnce`, for the code that records it. */
export interface Teller {
  readonly world: World;
  readonly workspace: Workspace;
  readonly decide: Decide;
  readonly print: Print;
  /** Prints what will not be recorded; for a text that blocks, its replacement. True if anything was printed. */
  readonly printUnrecorded: (telling: Telling | undefined) => boolean;
}

/** `updatedAt` alone is written at most this often. */
const REFRESH_MS = 60 * 60 * 1000;

/**
 * Tells a context something once: decides, and if there is something to record, decides again under the ledger's lock,
 * prints, then records. Of several processes that would print the same, one does. If recording fails, the text is
 * printed anyway, with a warning.
 *
 * @input  decide: called at least once, with newer knowledge each time; prepare: called when there is something to
 *          record, to gather what `decide` needs only then
 * @output whether anything was printed
 * @effect prints at most once; the ledger, its lock, late records, claim and archive. Nothing is written if `decide`
 *          has nothing to record, except the session's time, at most hourly
 * @ensures a crash at any moment repeats a telling and never loses one; a text that blocks is recorded first, so a
 *          crash may lose it but never repeats it
 */
export async function tellOnce(
  world: World,
  workspace: Workspace,
  decide: Decide,
  prepare?: (session: Session | undefined) => Promise<void>,
): Promise<boolean> {
  const { key, userDirectories, root, noState } = workspace;
  const view = noState ? undefined : viewSession(root.directory, key.session, userDirectories, world.home);
  const decideNow = refreshing(decide, world.now());
  let telling = decideNow(view?.session);
  if (view) world.trace("decided", { news: telling !== undefined, ledger: view.location.directory });
  if (telling === undefined) return false;
  const print = await printer(world, workspace);
  const printUnrecorded = (unrecorded: Telling | undefined) => {
    const message = unrecorded && { ...unrecorded, reminder: undefined, ...(unrecorded.unblocking ?? unrecorded) };
    return message !== undefined && print(message) && message.text !== "";
  };
  if (telling.change === undefined) return printUnrecorded(telling);
  if (prepare !== undefined) {
    await prepare(view?.session);
    telling = decideNow(view?.session);
  }
  if (view === undefined || telling?.change === undefined) return printUnrecorded(telling);
  // Everything that writes is loaded here: most calls have nothing to write.
  const { tellAndRecord } = await import("./record.ts");
  return tellAndRecord({ world, workspace, decide: decideNow, print, printUnrecorded }, view, telling);
}

/** The session's time alone is worth a write, but at most hourly. */
function refreshing(decide: Decide, now: number): Decide {
  return (session) => {
    const telling = decide(session);
    if (telling?.change !== undefined || session === undefined || now - session.updatedAt < REFRESH_MS) return telling;
    const refreshed = { ...session, updatedAt: now, contexts: {} };
    return { text: "", ...telling, change: { kind: "merge", session: refreshed } };
  };
}

/**
 * Prints a reminder after plugins have changed it. Plugins are asked right before printing, so once for all processes.
 */
export async function printer(world: World, workspace: Workspace): Promise<Print> {
  const isExtended = hasPlugin(workspace.layers, world.env, "reminder:before");
  const plugged = isExtended ? (await world.extensions()).extendReminder : undefined;
  return ({ text, notes = [], reminder }) => {
    for (const note of notes) world.complain(`codelia: ${note}\n`);
    return text === "" || world.write(plugged && reminder ? plugged(world, workspace, reminder) : text);
  };
}
