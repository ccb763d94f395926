import { escapeText } from "../lib/escape.ts";
import { pathLine, renderReminder, versionLine, type NamedVersion, type ReminderElement } from "./reminder.ts";

export interface Change {
  readonly before: string;
  readonly after: string;
}

export interface ResumeNews {
  readonly cwd: Change;
  readonly root: Change;
  readonly markers: Change;
  readonly files: readonly NamedVersion[];
  readonly gone: readonly string[];
  readonly changedSkills: readonly NamedVersion[];
  readonly goneSkills: readonly string[];
}

export function renderResumeReminder(element: ReminderElement, news: ResumeNews): string {
  return renderReminder(element, "session.resume.diff", [
    "Session resumed with context changes:",
    changeLine("cwd", news.cwd),
    changeLine("root", news.root),
    changeLine("markers", news.markers),
    ...section("Re-check AGENTS.md for current scope:", news.files.map(versionLine)),
    ...section("No longer in force, disregard what they said:", news.gone.map(pathLine)),
    ...section("Loaded skills that changed, load them again before use:", news.changedSkills.map(versionLine)),
    ...section("Loaded skills that are gone:", news.goneSkills.map(pathLine)),
  ]);
}

function changeLine(name: string, { before, after }: Change): string {
  return `- ${name}: ${escapeText(before)} -> ${escapeText(after)}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}
