import { renderFile, type BundlePart, type LeftOut } from "./agents-context.ts";
import { cutToFit } from "./cut-to-fit.ts";
import { escapeText } from "../lib/escape.ts";
import { framed } from "./framed.ts";
import { pathLine, renderReminder, type ReminderElement } from "./reminder.ts";
import { remainingSentence } from "./resolve-reminder.ts";

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

/**
 * The texts of files that apply, the nearest whole, then as many of the others as fit; those that don't are named by
 * path and size. Where the nearest alone is too long it is cut, and says so.
 *
 * @param fits whether a text is within the limit
 * @output undefined where so many files are too many
 */
export function renderBodyReminder(
  element: ReminderElement,
  news: BodyNews,
  fits: (text: string) => boolean,
): BodyReminder | undefined {
  const nearest = news.files.at(-1);
  const whole = wholeFiles(element, news, fits);
  if (whole !== undefined && (nearest === undefined || whole.includes(nearest))) {
    return { text: render(element, news, whole), whole: new Set(whole.map(({ path }) => path)) };
  }
  // Fewer others beside it would leave it room.
  if (nearest === undefined || fits(render(element, { ...news, files: [nearest], unread: [] }, [nearest]))) {
    return undefined;
  }
  const text = cutToFit(nearest.bytes, (bytes) => {
    const cut = render(element, news, [{ ...nearest, bytes, shownBytes: bytes.length }]);
    return fits(cut) ? cut : undefined;
  });
  return text === undefined ? undefined : { text, whole: new Set() };
}

function wholeFiles(
  element: ReminderElement,
  news: BodyNews,
  fits: (text: string) => boolean,
): readonly BundlePart[] | undefined {
  const whole: BundlePart[] = [];
  if (!fits(render(element, news, whole))) return undefined;
  for (const file of news.files.toReversed()) {
    const isWhole = file.shownBytes === file.sizeBytes;
    if (isWhole && fits(render(element, news, [file, ...whole]))) whole.unshift(file);
  }
  return whole;
}

function render(element: ReminderElement, news: BodyNews, shown: readonly BundlePart[]): string {
  const paths = new Set(shown.map(({ path }) => path));
  const rest = [...news.files.filter(({ path }) => !paths.has(path)), ...news.unread];
  const lines: string[] = [];
  if (shown.length > 0) {
    lines.push(
      "Additional AGENTS.md apply for this path; follow them when you work in this scope:",
      framed("agents_context", shown.map(renderFile).join("\n"), ' scope="paths"').slice(0, -1),
    );
  }
  if (rest.length > 0) {
    lines.push(
      shown.length > 0 ? "Too long to be shown with them:" : "Additional AGENTS.md may apply for this path:",
      ...rest.map(({ path, sizeBytes }) => `- ${escapeText(path)} (${sizeBytes} bytes)`),
      "Read and apply these files before editing files in this scope.",
    );
  }
  if (news.remaining > 0) lines.push(remainingSentence(news.remaining));
  if (news.gone.length > 0) lines.push("No longer in force, disregard what they said:", ...news.gone.map(pathLine));
  return renderReminder(element, "agents.resolve.paths", lines);
}
