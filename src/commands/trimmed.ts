import { renderReminder, type ReminderElement } from "../instructions/reminder.ts";
import { escapeText } from "../lib/escape.ts";

export interface TrimNews {
  readonly shownBytes: number;
  readonly totalBytes: number;
  readonly ref: string;
  /** Where the whole is, or why it is nowhere. */
  readonly whole: { readonly path: string } | { readonly reason: string };
}

export function renderTrimmed(element: ReminderElement, news: TrimNews): string {
  const { shownBytes, totalBytes, ref, whole } = news;
  const [place, advice] =
    "path" in whole
      ? [escapeText(whole.path), "Read the full output only if the part shown is not enough."]
      : [`not kept (${whole.reason})`, "Run the command again with a narrower output if the part shown is not enough."];
  return renderReminder(element, "tool.output.trimmed", [
    `Tool output was trimmed: ${shownBytes} of ${totalBytes} bytes shown.`,
    `- ref: ${ref}`,
    `- full output: ${place}`,
    advice,
  ]);
}

export function gapLine(bytes: number): string {
  return `\n[… ${bytes} bytes left out …]\n`;
}
