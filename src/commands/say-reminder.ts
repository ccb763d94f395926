import type { Reminder, Telling } from "../io/telling.ts";

/** What is printed of news, and what goes with it to standard error. */
export type Said = Pick<Telling, "text" | "notes" | "reminder">;

/** A reminder as its reader gets it; undefined where it is too long for that reader. */
export function sayReminder(type: Reminder["type"], text: string, wrap: Reminder["wrap"]): Said | undefined {
  const wrapped = wrap(text);
  if (wrapped === undefined) return undefined;
  return { text: wrapped, reminder: text === "" ? undefined : { type, text, wrap } };
}
