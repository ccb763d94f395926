import { escapeText } from "../lib/escape.ts";
import { framed } from "./elements.ts";
import { renderFile, type BundlePart, type LeftOut } from "./render.ts";
import { pathLine, renderReminder, remainingSentence, type ReminderElement } from "./tell.ts";

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

/**
 * The longest beginning of a text, in whole characters, of which something can be made.
 *
 * @param make undefined where so much is too much
 */
export function cutToFit<Made>(bytes: Uint8Array, make: (start: Uint8Array) => Made | undefined): Made | undefined {
  let low = 0;
  let best: Made | undefined;
  for (let high = bytes.length; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    const made = make(bytes.subarray(0, boundaryBefore(bytes, middle)));
    if (made === undefined) high = middle - 1;
    else {
      low = middle;
      best = made;
    }
  }
  return best;
}

/** Not inside a UTF-8 character. */
function boundaryBefore(bytes: Uint8Array, limit: number): number {
  let end = limit;
  while (end > 0 && limit - end < 3 && end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return end;
}
