import { pathLine, renderReminder, versionLine, type NamedVersion, type ReminderElement } from "./reminder.ts";

export interface ResolveNews {
  readonly files: readonly NamedVersion[];
  /** More files apply than one reminder may name. */
  readonly remaining: number;
  /** Nothing is recorded, so the next call would name the same ones. */
  readonly noState?: boolean;
  readonly gone: readonly string[];
}

export function renderResolveReminder(element: ReminderElement, news: ResolveNews): string {
  const lines: string[] = [];
  if (news.files.length > 0) {
    lines.push("Additional AGENTS.md may apply for this path:");
    for (const file of news.files) lines.push(versionLine(file));
    if (news.remaining > 0) lines.push(remainingSentence(news.remaining, news.noState));
    lines.push("Read and apply these files before editing files in this scope.");
  }
  if (news.gone.length > 0) lines.push("No longer in force, disregard what they said:", ...news.gone.map(pathLine));
  return renderReminder(element, "agents.resolve.paths", lines);
}

export function remainingSentence(remaining: number, noState = false): string {
  const count = remaining === 1 ? "1 more file applies" : `${remaining} more files apply`;
  return noState
    ? `${count}; raise agents.resolver.maxFilesPerResolve, or leave out --no-state.`
    : `${count}; resolve this path again to be told.`;
}
