import { hasPlugin } from "../config/settings.ts";
import type { SystemReminderType } from "../instructions/schema.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Change } from "./changes.ts";
import { viewSession } from "./read.ts";
import type { Session } from "./schema.ts";

/** What is to be printed, and what the ledger learns by it. */
export interface Telling {
  /** May be empty: something to record, nothing to print. */
  readonly text: string;
  /** What goes with it to standard error. */
  readonly notes?: readonly string[];
  /** If `text` is one. */
  readonly reminder?: Reminder | undefined;
  /** Without one it is printed at once, whoever else prints the same. */
  readonly change?: Change;
  /**
   * `text` blocks the client's work. So it is recorded before it is printed, and if that fails, this is printed instead.
   */
  readonly unblocking?: Pick<Telling, "text" | "reminder">;
}

/** A reminder inside what is printed, for plugins. */
export interface Reminder {
  readonly type: SystemReminderType;
  readonly text: string;
  /** What is printed for a text in its place; undefined if that is too long for its reader. */
  readonly wrap: (text: string) => string | undefined;
}

/** Decides from what the session was told so far; undefined if there is nothing to print or record. Pure. */
export type Decide = (session: Session | undefined) => Telling | undefined;

/** False if the reader has gone: what nobody read was not told. */
export type Print = (message: Pick<Telling, "text" | "notes" | "reminder">) => boolean;

/** One call of `tellOnce`, for the code that records. */
export interface Teller {
  readonly world: World;
  readonly workspace: Workspace;
  readonly decide: Decide;
  readonly print: Print;
  /** Prints what will not be recorded; of what blocks, what is printed instead. True if anything was printed. */
  readonly printUnrecorded: (telling: Telling | undefined) => boolean;
}

/** `updatedAt` alone is no reason to write more often than this. */
const REFRESH_MS = 60 * 60 * 1000;

/**
 * Tells a context something once: decides, and if there is something to record, decides again under the ledger's lock,
 * prints, then records. Of any number of processes that would print the same, one does. What can't be recorded is printed
 * all the same, with a warning.
 *
 * @input  decide: called once or more, with newer knowledge each time; prepare: called when there is something to record,
 *         for what `decide` needs to know only then
 * @output whether anything was printed
 * @effect prints at most once; the ledger, its lock, late records, claim and archive. Nothing is written if `decide` has
 *         nothing to record, but for the session's time, at most hourly
 * @ensures a crash at any moment repeats a telling and never loses one; but of what blocks, which is recorded first, it
 *          loses one and repeats none
 */
export async function tellOnce(
  world: World,
  workspace: Workspace,
  decide: Decide,
  prepare?: (session: Session | undefined) => Promise<void>,
): Promise<boolean> {
  const { key, places, root, noState } = workspace;
  const view = noState ? undefined : viewSession(root.directory, key.session, places, world.home);
  const decideNow = refreshing(decide, world.now());
  let telling = decideNow(view?.session);
  if (view) world.trace("decided", { news: telling !== undefined, ledger: view.place.directory });
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
  if (view === undefined) return printUnrecorded(telling);
  // All that writes is loaded here: most calls have nothing to write.
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

/** Prints a reminder as plugins leave it. They are asked right before it is printed: once, whoever would tell the same. */
export async function printer(world: World, workspace: Workspace): Promise<Print> {
  const isPlugged = hasPlugin(workspace.layers, world.env, "reminder:before");
  const plugged = isPlugged ? (await world.extensions()).pluggedReminder : undefined;
  return ({ text, notes = [], reminder }) => {
    for (const note of notes) world.complain(`codelia: ${note}\n`);
    return text === "" || world.write(plugged && reminder ? plugged(world, workspace, reminder) : text);
  };
}
