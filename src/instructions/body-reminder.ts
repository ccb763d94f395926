import { escapeText } from "../lib/escape.ts";
import { planDelivery, type Capacity, type Missing } from "./delivery.ts";
import type { BundlePart, LeftOut } from "./render.ts";
import { pathLine, remainingSentence, renderReminder, type ReminderElement } from "./tell.ts";

export interface BodyNews {
  /** Root first. */
  readonly files: readonly BundlePart[];
  /** Files whose text is not to be had. */
  readonly unread: readonly LeftOut[];
  /** More files apply than one reminder may hold. */
  readonly remaining: number;
  readonly gone: readonly string[];
}

export interface BodyReminder {
  readonly text: string;
  /** The files that it holds whole. */
  readonly whole: ReadonlySet<string>;
}

const TYPE = "agents.resolve.paths";
const OPENING = "Additional AGENTS.md apply for this path; follow them when you work in this scope:";

/**
 * The texts of files that apply, the nearest whole before the others, as far as there is room; the rest is named.
 *
 * @output undefined where so many files are too many
 */
export function renderBodyReminder(
  element: ReminderElement,
  news: BodyNews,
  { max, measure }: Omit<Capacity, "count">,
): BodyReminder | undefined {
  const files = news.files.map(({ path, bytes, sizeBytes }) => {
    return { path, bytes, sizeBytes, due: bytes.length > 0 ? [[0, bytes.length] as const] : [] };
  });
  const frame = measure(renderReminder(element, TYPE, [OPENING, ""]));
  const companions = { before: "", after: (missing: readonly Missing[]) => [closing(news, missing)] };
  const planned = planDelivery(files, companions, { count: 1, max: max - frame, measure }, "read", "paths");
  if (planned === undefined) return undefined;
  const { text = "", given = new Map() } = planned[0] ?? {};
  const shown = news.files.filter(({ path }) => given.has(path));
  const whole = shown.filter(({ path, sizeBytes }) => {
    return (given.get(path) ?? []).some(([from, to]: readonly number[]) => from === 0 && (to ?? 0) >= sizeBytes);
  });
  const lines = [...(shown.length > 0 ? [OPENING] : []), text.trimEnd()];
  return { text: renderReminder(element, TYPE, lines), whole: new Set(whole.map(({ path }) => path)) };
}

/** What is not shown, what there is besides, and what holds no longer. */
function closing({ files, unread, remaining, gone }: BodyNews, missing: readonly Missing[]): string {
  const unseen = missing.filter(({ shownBytes }) => shownBytes === 0);
  const rest = [...unseen, ...unread];
  const lines: string[] = [];
  if (rest.length > 0) {
    const areSomeShown = unseen.length < files.length;
    lines.push(
      areSomeShown ? "Too long to be shown with them:" : "Additional AGENTS.md may apply for this path:",
      ...rest.map(({ path, sizeBytes }) => `- ${escapeText(path)} (${sizeBytes} bytes)`),
      "Read and apply these files before editing files in this scope.",
    );
  }
  if (remaining > 0) lines.push(remainingSentence(remaining));
  if (gone.length > 0) lines.push("No longer in force, disregard what they said:", ...gone.map(pathLine));
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
