import { fits } from "../clients/events.ts";
import type { Client, ClientEvent, TextLimit } from "../clients/client.ts";
import { renderBodyReminder } from "../instructions/body-reminder.ts";
import { readInstructions, type ReadInstructions } from "../instructions/bundle.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import { instructionFacts } from "../instructions/gather.ts";
import type { Pending } from "../instructions/pending.ts";
import {
  announced,
  reminderText,
  reminderMessage,
  subjectOf,
  type ComposeMessage,
  type DueFile,
  type Message,
  type Occasion,
  type Touching,
} from "../instructions/tell.ts";
import { textDigest } from "../lib/hash.ts";
import { fewerNamed, fittingSuggestions, NO_SKILLS, type PromptSkills } from "../skills/prompt.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { gatingFiles, overdueFiles, type WritingCall } from "./gate.ts";
import type { ToolUse } from "./tool-paths.ts";

/** More of one file than any client accepts. */
const MAX_BODY_BYTES = 64 * 1024;

/** How pending files are reported when the settings ask for more than their names. */
export interface ReminderComposer {
  readonly compose: ComposeMessage;
  readonly due: Touching["due"];
}

/**
 * Composes reminders with the text of files: of all files (`resolver.delivery: body`), or of those that the model was
 * told of and has not read when it writes in their scope (`escalate`). Blocks a write until the files that apply have
 * been given or read (`resolver.gate: edit`).
 *
 * @input  use: the tool call; skills: added to the reminder if there is room
 * @effect reads the files when they are printed
 */
export function reminderComposer(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  occasion: Occasion,
  use?: ToolUse,
  skills = NO_SKILLS,
): ReminderComposer {
  const { delivery, gate } = workspace.settings.agents.resolver;
  const { refuse } = client;
  const isGated = gate === "edit" && refuse !== undefined;
  const isRefusing = client.refusesToTell === true && use !== undefined;
  const recordsNames = gate === "edit" || delivery === "escalate";
  const { touched } = occasion;
  const written = touched.flatMap(({ path, access }) => (access === "write" ? path : []));
  const bodies = composeBodies(world, client);
  return {
    due:
      written.length === 0 || !recordsNames
        ? undefined
        : (files, pending, context) =>
            isGated
              ? gatingFiles(files, pending, context, writingCall(world, written, use))
              : delivery === "escalate"
                ? overdueFiles(files, context, written)
                : [],
    compose(pending, dueFiles, places) {
      const of = (...states: readonly DueFile["state"][]) =>
        dueFiles.flatMap(({ file, state }) => (states.includes(state) ? file : []));
      const given = of("given-meanwhile");
      const overdue = of("overdue");
      const closed = of("closed");
      // Print nothing at all: even an empty answer would be an empty message.
      const tell = (text: string) => (text === "" ? "" : client.tell(event, text));
      const plain = isRefusing
        ? SILENT
        : composeWithin({ about: occasion, pending, texts: overdue, names: [], places }, tell, skills);
      const isDue = closed.length + given.length > 0 || (isRefusing && pending.tell.length + overdue.length > 0);
      // What is no longer in force is no reason to refuse a call, and waits for one.
      if (isRefusing && !isDue && pending.gone.length > 0) return undefined;
      if (plain === undefined || !isDue || refuse === undefined) return plain;
      // The call is not made, so there is nothing to check.
      const about = { ...occasion, touched: touched.map(({ path }) => ({ path, access: "read" as const })) };
      const due = [...closed, ...overdue].filter((file) => !pending.tell.includes(file));
      const texts = delivery === "paths" ? [] : due;
      const names = [...given, ...(delivery === "paths" ? closed : [])];
      const deny = (text: string) => refuse(event, text + KEPT_BACK);
      const beside = isRefusing ? places : [];
      const denial = composeWithin({ about, pending, texts, names, places: beside }, deny, NO_SKILLS, KEPT_BACK);
      return denial && { ...denial, unblocking: plain };
    },
  };

  /**
   * Skills that the user names shorten the texts but never block a write; those of the touched directories, then
   * suggested ones get the remaining room.
   */
  function composeWithin(
    told: Told,
    answer: (text: string) => string,
    beside: PromptSkills,
    behind = "",
  ): Message | undefined {
    const within = (text: string) => (fits(client, text + behind) ? answer(text) : undefined);
    for (const named of fewerNamed(beside)) {
      const made = composeText(told, roomBeside(client.limit, named + behind));
      if (made === undefined) continue;
      const fitsBehind = (before: string) => (text: string) => within(made.text + before + text) !== undefined;
      const { text: nearby, covered } = announced(told.about, told.places, fitsBehind(named));
      const more = named + nearby + fittingSuggestions(beside, fitsBehind(named + nearby));
      const message = reminderMessage("agents.resolve.paths", made.text, (text) => within(text + more));
      if (message === undefined) continue;
      const { isWrite } = subjectOf(told.about, told.pending.tell);
      return { ...message, covered, isEdit: isWrite, bare: made.named, ...(recordsNames && { named: made.named }) };
    }
    return undefined;
  }

  /** The names first, then the texts. */
  function composeText({ about, pending, texts, names }: Told, room: TextLimit): Composed | undefined {
    const isBody = delivery === "body";
    const nothing = { ...pending, tell: [], gone: [], remaining: 0 };
    const shown = isBody ? { ...pending, tell: inOrder(pending.tell, texts) } : { ...nothing, tell: texts };
    const listed = isBody
      ? { ...nothing, tell: names }
      : {
          ...pending,
          tell: inOrder(
            pending.tell.filter((file) => !texts.includes(file)),
            names,
          ),
        };
    const list = reminderText(client.element, listed, about);
    const opening = isBody ? openingOf(about, shown.tell) : OVERDUE;
    const made = bodies(shown, roomBeside(room, list), opening);
    if (made === undefined || room.measure(list) > room.max) return undefined;
    // Overdue text is never given twice: a file counts as given once part of it is.
    const unread = isGated || isBody ? made.named : made.unseen;
    return { text: list + made.text, named: new Set([...listed.tell.map(({ path }) => path), ...unread]) };
  }
}

/** There may be something to record. */
const SILENT: Message = { text: "", covered: [] };

/** The content of one message: pending files, and others by their texts or their names. */
interface Told {
  readonly about: Occasion;
  readonly pending: Pending;
  readonly texts: readonly InstructionFile[];
  readonly names: readonly InstructionFile[];
  /** The directories whose skills it tells, if there is room. */
  readonly places: readonly string[];
}

function writingCall(world: World, paths: readonly string[], use: ToolUse | undefined): WritingCall {
  const now = world.now();
  const digest = () => textDigest(JSON.stringify([use?.tool, use?.input]));
  return { paths, digest, startedAt: now - world.ticks(), now };
}

interface Composed {
  readonly text: string;
  /** The files that are not given whole. */
  readonly named: ReadonlySet<string>;
}

/** The part of a limit that another text leaves free. */
export function roomBeside({ max, measure }: TextLimit, text: string): TextLimit {
  return { max: max - measure(text), measure };
}

type ComposeBodies = (
  pending: Pending,
  room: TextLimit,
  opening?: string,
) => (Composed & { readonly unseen: ReadonlySet<string> }) | undefined;

/** The texts that fit, and the other files by path and size; "" if there is nothing to report. */
export function composeBodies(world: World, { element }: Client): ComposeBodies {
  const facts = instructionFacts(world);
  // The decision may be repeated; each file is read once.
  const known = new Map<string, ReadInstructions | undefined>();
  const read = (file: InstructionFile) => {
    if (!known.has(file.path)) known.set(file.path, readInstructions(world, [file], MAX_BODY_BYTES, facts)[0]);
    return known.get(file.path);
  };
  return ({ tell, remaining, gone }, room, opening = openingFor("the current scope", false)) => {
    if (tell.length === 0 && gone.length === 0) return { text: "", named: new Set(), unseen: new Set() };
    const files = tell.map(read).filter((file) => file !== undefined);
    const unread = tell
      .filter((file) => read(file) === undefined)
      .map(({ path, version }) => ({ path, sizeBytes: version.sizeBytes }));
    const made = renderBodyReminder(element, { files, unread, remaining, gone, opening }, room);
    if (made === undefined) return undefined;
    const without = (shown: ReadonlySet<string>) => new Set(tell.flatMap(({ path }) => (shown.has(path) ? [] : path)));
    return { text: made.text, named: without(made.whole), unseen: without(made.shown) };
  };
}

function openingOf(occasion: Occasion, files: readonly InstructionFile[]): string {
  const { subject, isWrite } = subjectOf(occasion, files);
  return openingFor(subject, isWrite);
}

function openingFor(subject: string, isWrite: boolean): string {
  const check = isWrite ? "check this edit against them, and " : "";
  return `Additional AGENTS.md apply for ${subject}; ${check}follow them when you work in this scope:`;
}

const OVERDUE =
  "You were told of these AGENTS.md and have not read them; follow them, and check this edit against them:";

/** The files of both lists, root first. */
function inOrder(tell: readonly InstructionFile[], gating: readonly InstructionFile[]): InstructionFile[] {
  const files = [...tell, ...gating.filter((file) => !tell.includes(file))];
  return files.toSorted((left, right) => (left.directory < right.directory ? -1 : 1));
}

/** Follows the files for which a call was blocked. */
export const KEPT_BACK =
  "Nothing was done: the call is kept back once, for you to know what applies there. Read the files above whose text you do not have, then make the call again.\n";
