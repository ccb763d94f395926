import { escapeText } from "../lib/escape.ts";
import { renderReminder, type ReminderElement } from "../instructions/reminder.ts";
import { quoteForShell } from "../lib/shell-quote.ts";

export interface PermissionNews {
  readonly name: string;
  readonly path: string;
  readonly decision: "deny" | "confirm";
  /** The rule that decided, and where it stands. */
  readonly rule: string;
}

/** Said in place of a skill's text, when a rule keeps it back. */
export function renderPermissionReminder(element: ReminderElement, news: PermissionNews): string {
  const { name, path, decision, rule } = news;
  const lines = [
    "Permission decision for skill_load:",
    `- skill: ${escapeText(name)}`,
    `- decision: ${decision} (${escapeText(rule)})`,
  ];
  if (decision === "confirm") {
    const command = escapeText(quoteForShell(path));
    lines.push(
      "Nothing was loaded: the user is asked first. To let it through, the user runs this at a terminal and answers 'a':",
      `codelia skills load ${command}`,
    );
  }
  return renderReminder(element, "permission.decision", lines);
}
