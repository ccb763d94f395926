/** How many terminal columns a text takes, and how to shorten it. All texts here are `visible`. */
const PLAIN = /^[ -~]*$/;
const ELLIPSIS = "…";

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of characters().segment(text)) width += widthOfCharacter(segment);
  return width;
}

/** The start of a text that fits, with an ellipsis if something is left out. */
export function fit(text: string, columns: number): string {
  if (columns <= 0) return "";
  if (widthOf(text) <= columns) return text;
  return `${takeStart(text, columns - 1)}${ELLIPSIS}`;
}

/** The same for its end. */
export function fitEnd(text: string, columns: number): string {
  if (columns <= 0) return "";
  if (widthOf(text) <= columns) return text;
  let rest = columns - 1;
  let kept = "";
  for (const { segment } of [...characters().segment(text)].toReversed()) {
    rest -= widthOfCharacter(segment);
    if (rest < 0) break;
    kept = segment + kept;
  }
  return `${ELLIPSIS}${kept}`;
}

/** `fit`, padded with spaces. */
export function fill(text: string, columns: number): string {
  const fitting = fit(text, columns);
  return fitting + " ".repeat(Math.max(0, columns - widthOf(fitting)));
}

/** Wraps a text into at most this many lines, at spaces if possible; an ellipsis ends text that is cut. */
export function wrap(text: string, columns: number, maxLines: number): string[] {
  if (columns <= 0) return [];
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < maxLines) {
    const isLast = lines.length === maxLines - 1;
    const length = isLast ? rest.length : lengthOfLine(rest, columns);
    lines.push(fit(rest.slice(0, length).trimEnd(), columns));
    rest = rest.slice(length).trimStart();
  }
  return lines;
}

function lengthOfLine(text: string, columns: number): number {
  const start = takeStart(text, columns);
  if (start.length === text.length || text[start.length] === " ") return start.length;
  const space = start.lastIndexOf(" ");
  return space > 0 ? space : start.length || lengthOfFirst(text);
}

function takeStart(text: string, columns: number): string {
  let rest = columns;
  let end = 0;
  for (const { segment, index } of characters().segment(text)) {
    rest -= widthOfCharacter(segment);
    if (rest < 0) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** For a character wider than the terminal; an ellipsis replaces it. */
function lengthOfFirst(text: string): number {
  return characters().segment(text).containing(0)?.segment.length ?? text.length;
}

const MARK = /^[\p{Mn}\p{Me}\u1160-\u11FF\uD7B0-\uD7FF]$/u;
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;

/** As in most terminals; where they differ, rather too wide than too narrow. */
function widthOfCharacter(character: string): number {
  if (EMOJI.test(character)) return 2;
  let width = 0;
  for (const point of character) if (!MARK.test(point)) width += isWide(point.codePointAt(0) ?? 0) ? 2 : 1;
  return width;
}

/** First and last code points of what Unicode's East Asian Width calls wide or fullwidth, except emoji. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2630, 0x2637],
  [0x268a, 0x268f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4dc0, 0x4dff],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f320],
  [0x20000, 0x3fffd],
];

function isWide(point: number): boolean {
  return WIDE.some(([first, last]) => point >= first && point <= last);
}

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into characters as displayed. Created on first use, because that takes a while. */
export function characters(): Intl.Segmenter {
  return (segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" }));
}
