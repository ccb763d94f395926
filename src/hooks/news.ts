import { fits } from "../clients/events.ts";
import type { Client, ClientEvent, TextLimit } from "../clients/client.ts";
import { renderBodyReminder } from "../instructions/body-reminder.ts";
import { readInstructions, type ReadInstructions } from "../instructions/bundle.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import { instructionFacts } from "../instructions/gather.ts";
import { isKnown, isNamedOnly, isTold, type Pending } from "../instructions/pending.ts";
import {
  reminderText,
  reminderMessage,
  type Message,
  type Compose as ComposeMessage,
  type Unseen,
} from "../instructions/tell.ts";
import type { Context } from "../ledger/schema.ts";
import { isInside } from "../lib/paths.ts";
import { fewerNamed, fittingSuggestions, NO_SKILLS, type PromptSkills } from "../skills/prompt.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** More of one file than any client lets through. */
const MAX_BODY_BYTES = 64 * 1024;

/** How news are told where the settings want more than names. */
export interface Manner {
  readonly say: ComposeMessage;
  readonly closed: Unseen["closed"];
}

/**
 * Texts in the place of names (`resolver.delivery: body`); and of what is about to be written nothing, until its files
 * were given or read (`resolver.gate: edit`).
 *
 * @input  written: the paths that a tool is about to write; skills: told with the news, as far as there is room
 * @effect reads the files when they are told
 * @error  none
 */
export function fullManner(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  written: readonly string[],
  skills = NO_SKILLS,
): Manner {
  const { delivery, gate } = workspace.settings.agents.resolver;
  const { refuse } = client;
  const isGated = gate === "edit";
  const compose = delivery === "body" ? composeBodies(world, client) : composeNames(client);
  return {
    closed:
      isGated && refuse !== undefined && written.length > 0
        ? (files, pending, context) => closedFiles(files, pending, context, written)
        : undefined,
    say(pending, closed) {
      // With nothing to say, not even an empty answer: it would be an empty message.
      const plain = composeWithin(pending, (text) => (text === "" ? "" : client.tell(event, text)), skills);
      if (plain === undefined || closed.length === 0 || refuse === undefined) return plain;
      const all = { ...pending, tell: inOrder(pending.tell, closed) };
      const denial = composeWithin(all, (text) => refuse(event, text + KEPT_BACK), NO_SKILLS, KEPT_BACK);
      return denial && { ...denial, unblocking: plain };
    },
  };

  /** Skills that the user names make texts shorter, but keep back no file; suggestions have what room is left. */
  function composeWithin(
    pending: Pending,
    answer: (text: string) => string,
    beside: PromptSkills,
    behind = "",
  ): Message | undefined {
    const within = (text: string) => (fits(client, text + behind) ? answer(text) : undefined);
    for (const named of fewerNamed(beside)) {
      const made = compose(pending, roomBeside(client.limit, named + behind));
      if (made === undefined) continue;
      const whole = made.text + named;
      const more = named + fittingSuggestions(beside, (text) => within(whole + text) !== undefined);
      const said = reminderMessage("agents.resolve.paths", made.text, (text) => within(text + more));
      if (said !== undefined) return { ...said, ...(isGated ? { named: made.named } : {}) };
    }
    return undefined;
  }
}

interface Composed {
  readonly text: string;
  /** Those of which it tells the path only. */
  readonly named: ReadonlySet<string>;
}

type Compose = (pending: Pending, room: TextLimit) => Composed | undefined;

/** What is left of a limit beside a text. */
export function roomBeside({ max, measure }: TextLimit, text: string): TextLimit {
  return { max: max - measure(text), measure };
}

function composeNames({ element }: Client): Compose {
  return (pending, { max, measure }) => {
    const text = reminderText(element, pending);
    return measure(text) <= max ? { text, named: new Set(pending.tell.map(({ path }) => path)) } : undefined;
  };
}

/** The texts, as far as they fit, and the rest by path and size; "" for no news. */
export function composeBodies(world: World, { element }: Client): Compose {
  const facts = instructionFacts(world);
  // Decided more than once, read once.
  const known = new Map<string, ReadInstructions | undefined>();
  const read = (file: InstructionFile) => {
    if (!known.has(file.path)) known.set(file.path, readInstructions(world, [file], MAX_BODY_BYTES, facts)[0]);
    return known.get(file.path);
  };
  return ({ tell, remaining, gone }, room) => {
    if (tell.length === 0 && gone.length === 0) return { text: "", named: new Set() };
    const files = tell.map(read).filter((file) => file !== undefined);
    const unread = tell
      .filter((file) => read(file) === undefined)
      .map(({ path, version }) => ({ path, sizeBytes: version.sizeBytes }));
    const parts = files.map(({ path, bytes, sizeBytes }) => {
      return { path, bytes, sizeBytes, shownBytes: bytes.length };
    });
    const made = renderBodyReminder(element, { files: parts, unread, remaining, gone }, room);
    return (
      made && {
        text: made.text,
        named: new Set(tell.map(({ path }) => path).filter((path) => !made.whole.has(path))),
      }
    );
  };
}

/** Both, root first. */
function inOrder(tell: readonly InstructionFile[], closed: readonly InstructionFile[]): InstructionFile[] {
  const files = [...tell, ...closed.filter((file) => !tell.includes(file))];
  return files.toSorted((left, right) => (left.directory < right.directory ? -1 : 1));
}

/** Said with the files for whose sake a call was not made. */
export const KEPT_BACK =
  "Nothing was done: the call is kept back once, for you to know what applies there. Read the files above whose text you do not have, then make the call again.\n";

/**
 * The files that keep a path from being written: those that apply there, and whose text the context was neither given
 * nor seen to read in this epoch, in whatever version. Having kept something back once counts as given.
 *
 * @param files all that apply, root first
 * @param written the paths that are about to be written
 */
export function closedFiles(
  files: readonly InstructionFile[],
  pending: Pending,
  context: Context,
  written: readonly string[],
): InstructionFile[] {
  const isPresent = (file: InstructionFile) =>
    isTold(context, file.path, file.version) || pending.renewed.includes(file);
  return files.filter((file) => {
    if (!written.some((path) => isInside(file.directory, path))) return false;
    const isToldNow = pending.tell.includes(file);
    if (isNamedOnly(context, file.path)) return isToldNow || isPresent(file);
    return isToldNow && !isKnown(context, file.path);
  });
}
