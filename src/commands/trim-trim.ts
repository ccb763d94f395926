import { characterBoundary } from "../instructions/bundle.ts";

/** A stretch of the text: shown, or left out. */
export interface Stretch {
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
 * Which parts of a text to show within `maxBytes`: its head, its tail, and every reminder whole wherever it
 * stands. Reminders are shown even where they alone exceed the limit: they must reach the model.
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
 * Where the complete reminders stand in a text. The end of one belongs to the last opening tag of its name: one before
 * that, without an end of its own, is ordinary text.
 */
export function findReminders(bytes: Uint8Array): Range[] {
  // One byte, one unit: offsets in the string are offsets in the bytes.
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
    // What stands inside it is part of it.
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
