import { escapeText } from "../lib/escape.ts";
import type { BundlePart } from "./bundle.ts";
import { planDelivery, type Capacity, type Missing } from "./delivery.ts";
import type { LeftOut } from "./render.ts";
import { pathLine, remainingSentence, renderReminder, type ReminderElement } from "./tell.ts";
import { counted } from "../lib/words.ts";

export interface BodyReminderContent {
  /** Root first. */
  readonly files: readonly BundlePart[];
  /** Files whose text can't be read. */
  readonly unread: readonly LeftOut[];
  /** More files apply than one reminder may contain. */
  readonly remaining: number;
  readonly gone: readonly string[];
  /** The line above the texts. */
  readonly opening: string;
}

export interface BodyReminder {
  readonly text: string;
  /** The files that are included whole. */
  readonly whole: ReadonlySet<string>;
  /** The files of which it contains any text. */
  readonly shown: ReadonlySet<string>;
}

const TYPE = "agents.resolve.paths";

/**
 * The texts of files that apply, nearest first, as far as there is room; the others are named.
 *
 * @output undefined if there are too many files to name
 */
export function renderBodyReminder(
  element: ReminderElement,
  news: BodyReminderContent,
  { max, measure }: Omit<Capacity, "count">,
): BodyReminder | undefined {
  const files = news.files.map(({ path, bytes, sizeBytes }) => {
    return { path, bytes, sizeBytes, due: bytes.length > 0 ? [[0, bytes.length] as const] : [] };
  });
  const frame = measure(renderReminder(element, TYPE, [news.opening, ""]));
  const companions = { before: "", after: (missing: readonly Missing[]) => [closing(news, missing)] };
  const planned = planDelivery(files, companions, { count: 1, max: max - frame, measure }, "read", "paths");
  if (planned === undefined) return undefined;
  const { text = "", given = new Map() } = planned.outputs[0] ?? {};
  const shown = news.files.filter(({ path }) => given.has(path));
  const whole = shown.filter(({ path, sizeBytes }) => {
    return (given.get(path) ?? []).some(([from, to]: readonly number[]) => from === 0 && (to ?? 0) >= sizeBytes);
  });
  const lines = [...(shown.length > 0 ? [news.opening] : []), text.trimEnd()];
  const pathsOf = (parts: readonly BundlePart[]) => new Set(parts.map(({ path }) => path));
  return { text: renderReminder(element, TYPE, lines), whole: pathsOf(whole), shown: pathsOf(shown) };
}

/** Names what is not shown and what no longer applies. */
function closing({ files, unread, remaining, gone }: BodyReminderContent, missing: readonly Missing[]): string {
  const unseen = missing.filter(({ shownBytes }) => shownBytes === 0);
  const rest = [...unseen, ...unread];
  const lines: string[] = [];
  if (rest.length > 0) {
    const areSomeShown = unseen.length < files.length;
    lines.push(
      areSomeShown ? "Too long to be shown with them:" : "Additional AGENTS.md may apply for this path:",
      ...rest.map(({ path, sizeBytes }) => `- ${escapeText(path)} (${counted(sizeBytes, "byte")})`),
      "Read and apply these files before editing files in this scope.",
    );
  }
  if (remaining > 0) lines.push(remainingSentence(remaining, "next-call"));
  if (gone.length > 0) lines.push("No longer in force, disregard what they said:", ...gone.map(pathLine));
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
