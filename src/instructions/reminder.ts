import type { SystemReminderType } from "./schema.ts";
import type { Frame } from "./elements.ts";
import { escapeText } from "../lib/escape.ts";
import { framed } from "./framed.ts";

/** What a host lets through: one that escapes `<system-reminder` gets our own name for it. */
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
