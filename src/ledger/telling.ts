import { hasPlugin } from "../config/settings.ts";
import type { SystemReminderType } from "../instructions/schema.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Ledger, Session } from "./schema.ts";

/** A reminder inside what is said, for plugins. */
export interface Reminder {
  readonly type: SystemReminderType;
  readonly text: string;
  /** What is printed of a text in its place; undefined for one that is too long for its reader. */
  readonly wrap: (text: string) => string | undefined;
}

/** What is to be said, and what the ledger says once it has been. */
export interface Telling {
  /** May be empty: something to record, nothing to say. */
  readonly text: string;
  /** What goes with it to standard error. */
  readonly notes?: readonly string[];
  /** Where `text` is one. */
  readonly reminder?: Reminder | undefined;
  /** What is said in the reminder's place: asked once, right before that. */
  readonly atLast?: ((reminder: Reminder) => string) | undefined;
  /**
   * Without one there is nothing to record: it is said at once, whoever else says the same. It goes by the ledger it is
   * given, which may know less by then than what was decided on.
   */
  readonly record?: (ledger: Ledger) => Ledger;
  /**
   * What is said blocks the client's work. So it is recorded before it is said, and where that can't be done this is said
   * in its place.
   */
  readonly unblocking?: Pick<Telling, "text" | "reminder">;
  /** It begins the context anew: left unrecorded, what was told before would count as told still. */
  readonly isBeginning?: boolean;
}

/** Decides from what the session was told so far; undefined when there is nothing to say or record. Pure. */
export type Decide = (session: Session | undefined) => Telling | undefined;

/**
 * Says what needs no record.
 *
 * @output whether anything was printed
 * @effect prints
 * @error  none
 */
export function printUnrecorded(world: World, telling: Telling | undefined): boolean {
  if (telling === undefined) return false;
  const { text, reminder } = telling.unblocking ?? telling;
  return say(world, { ...telling, text, reminder }) && text !== "";
}

/**
 * @output false when the reader has gone: what nobody read was not told
 * @effect prints, notes to standard error
 * @error  none
 */
export function say(world: World, { text, notes = [], reminder, atLast }: Telling): boolean {
  for (const note of notes) world.complain(`codelia: ${note}\n`);
  return text === "" || world.write(reminder && atLast ? atLast(reminder) : text);
}

/**
 * What plugins make of a reminder at the moment when it is printed: once, whoever else would have said the same.
 *
 * @output undefined where no plugin has a say in reminders, at once: most have none
 * @effect none; those of plugins come when it is asked
 * @error  none
 */
export function lastWord(world: World, workspace: Workspace): Promise<Telling["atLast"]> | undefined {
  return hasPlugin(workspace.layers, world.env, "reminder:before") ? ofPlugins(world, workspace) : undefined;
}

async function ofPlugins(world: World, workspace: Workspace): Promise<Telling["atLast"]> {
  const { pluggedReminder } = await world.extensions();
  return (reminder) => pluggedReminder(world, workspace, reminder);
}
