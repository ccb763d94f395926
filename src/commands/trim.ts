import { OUTPUT_ARGS, PLACE_ARGS, STATE_ARGS, textFlag, usage } from "../cli/args.ts";
import type { Command } from "../command.ts";
import { renderReminder, type ReminderElement } from "../instructions/tell.ts";
import { keepOutput, type KeptOutput } from "../ledger/outputs.ts";
import { locateLedger } from "../ledger/location.ts";
import { characterBoundary } from "../lib/bytes.ts";
import { escapeText, jsonLine } from "../lib/escape.ts";
import { counted } from "../lib/words.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

const DEFAULT_MAX_BYTES = 16 * 1024;

const MAX_INPUT_BYTES = 512 * 1024 * 1024;

/**
 * Prints standard input, or its head, its tail and every reminder in it, followed by a `tool.output.trimmed` reminder.
 *
 * @effect keeps the full output in `.codelia/outputs/`
 * @error  usage for a limit that is not a positive number, and for more than 512 MiB
 */
export const command: Command = {
  meta: {
    name: "trim",
    description: "Cut standard input to a limit, keep the whole in a file, and say where. Reminders are never cut.",
  },
  args: {
    "max-bytes": {
      type: "string",
      valueHint: "N",
      description: `print at most N bytes; default ${DEFAULT_MAX_BYTES}`,
    },
    ...PLACE_ARGS,
    ...STATE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 0,
  run(world, invocation) {
    const given = textFlag(invocation.flags["max-bytes"]);
    const maxBytes = given === undefined ? DEFAULT_MAX_BYTES : Number(given);
    if ((given !== undefined && !/^[0-9]+$/.test(given)) || !Number.isSafeInteger(maxBytes) || maxBytes < 1) {
      return usage(`'--max-bytes' can't be '${given}'; it must be a positive whole number`);
    }
    const bytes = world.readStdin(MAX_INPUT_BYTES);
    if (bytes === undefined) return usage("standard input is larger than 512 MiB");
    return inWorkspace(world, invocation, (workspace) => {
      const plan = planTrim(bytes, findReminders(bytes), maxBytes);
      const isWhole = plan.every((stretch) => stretch.isShown);
      const reminder = isWhole ? undefined : remind(world, workspace, bytes, plan);
      const shown = isWhole ? [bytes] : plan.map((stretch) => show(bytes, stretch));
      if (invocation.flags["json"] === true) {
        const output = shown.map((part) => new TextDecoder().decode(part)).join("");
        world.write(jsonLine({ trimmed: !isWhole, output, reminder: reminder ?? null }));
        return "ok";
      }
      for (const part of shown) world.write(part);
      if (reminder !== undefined) world.write(`\n${reminder}`);
      return "ok";
    });
  },
};

function remind(world: World, workspace: Workspace, bytes: Uint8Array, plan: readonly Stretch[]): string {
  const { root, userDirectories, settings, noState } = workspace;
  const location = locateLedger(root.directory, userDirectories, world.home);
  const kept = noState
    ? { ref: "none", whole: { reason: "--no-state" } }
    : keepOutput(world, location, settings.agents.root.markers, bytes);
  return renderTrimmed("system-reminder", {
    shownBytes: plan.reduce((sum, { start, end, isShown }) => sum + (isShown ? end - start : 0), 0),
    totalBytes: bytes.length,
    ...kept,
  });
}

function show(bytes: Uint8Array, { start, end, isShown }: Stretch): Uint8Array {
  return isShown ? bytes.subarray(start, end) : new TextEncoder().encode(gapLine(end - start));
}

/** A part of the text, shown or left out. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly isShown: boolean;
}

/** A range of bytes that must be shown whole. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Which parts of a text to show within `maxBytes`: its head, its tail, and all of every reminder. Reminders are shown
 * even if they exceed the limit by themselves: they must reach the model.
 */
export function planTrim(bytes: Uint8Array, reminders: readonly Range[], maxBytes: number): Stretch[] {
  if (bytes.length <= maxBytes) return [{ start: 0, end: bytes.length, isShown: true }];
  const reserved = reminders.reduce((sum, range) => sum + range.end - range.start, 0);
  const room = Math.max(0, maxBytes - reserved);
  const head = characterBoundary(bytes, takeOutside(bytes.length, reminders, Math.ceil(room / 2), "head"));
  const tail = nextCharacter(bytes, takeOutside(bytes.length, reminders, Math.floor(room / 2), "tail"));
  const shown = [{ start: 0, end: head }, ...reminders, { start: tail, end: bytes.length }];
  return stretches(shown, bytes.length);
}

/**
 * The positions of the complete reminders in a text. A closing tag belongs to the last opening tag of its name; an
 * earlier opening tag without its own end is ordinary text.
 */
export function findReminders(bytes: Uint8Array): Range[] {
  // Latin-1 keeps one character per byte, so offsets in the string are offsets in the bytes.
  const text = new TextDecoder("latin1").decode(bytes);
  const found: Range[] = [];
  const opened = new Map<string, number>();
  for (const match of text.matchAll(/<(\/?)(system-reminder|codelia-reminder)(?=[\s>])/g)) {
    const [tag, slash, name = ""] = match;
    if (slash === "") {
      opened.set(name, match.index);
      continue;
    }
    const start = opened.get(name);
    const end = match.index + tag.length + 1;
    if (start === undefined || text[end - 1] !== ">") continue;
    // Reminders inside this one are part of it.
    while ((found.at(-1)?.start ?? -1) > start) found.pop();
    for (const [other, at] of opened) if (at >= start) opened.delete(other);
    found.push({ start, end });
  }
  return found;
}

/** The offset up to which (or from which) `room` bytes outside the reminders fit. */
function takeOutside(size: number, reminders: readonly Range[], room: number, from: "head" | "tail"): number {
  let left = room;
  let offset = from === "head" ? 0 : size;
  for (const range of from === "head" ? reminders : reminders.toReversed()) {
    const gap = from === "head" ? range.start - offset : offset - range.end;
    if (gap > left) break;
    left -= gap;
    offset = from === "head" ? range.end : range.start;
  }
  return from === "head" ? Math.min(size, offset + left) : Math.max(0, offset - left);
}

function nextCharacter(bytes: Uint8Array, offset: number): number {
  let start = offset;
  while (start < bytes.length && start - offset < 3 && ((bytes[start] as number) & 0xc0) === 0x80) start++;
  return start;
}

function stretches(shown: readonly Range[], size: number): Stretch[] {
  const plan: Stretch[] = [];
  let offset = 0;
  for (const range of shown.toSorted((a, b) => a.start - b.start)) {
    if (range.end <= offset) continue;
    if (range.start > offset) plan.push({ start: offset, end: range.start, isShown: false });
    plan.push({ start: Math.max(offset, range.start), end: range.end, isShown: true });
    offset = range.end;
  }
  if (offset < size) plan.push({ start: offset, end: size, isShown: false });
  return plan;
}

interface TrimmedOutput extends KeptOutput {
  readonly shownBytes: number;
  readonly totalBytes: number;
}

export function renderTrimmed(element: ReminderElement, news: TrimmedOutput): string {
  const { shownBytes, totalBytes, ref, whole } = news;
  const [location, advice] =
    "path" in whole
      ? [escapeText(whole.path), "Read the full output only if the part shown is not enough."]
      : [`not kept (${whole.reason})`, "Run the command again with a narrower output if the part shown is not enough."];
  return renderReminder(element, "tool.output.trimmed", [
    `Tool output was trimmed: ${shownBytes} of ${counted(totalBytes, "byte")} shown.`,
    `- ref: ${ref}`,
    `- full output: ${location}`,
    advice,
  ]);
}

export function gapLine(bytes: number): string {
  return `\n[… ${counted(bytes, "byte")} left out …]\n`;
}
