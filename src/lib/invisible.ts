import { readBlocks } from "./markdown/blocks.ts";

/** A line with invisible characters. */
interface InvisibleLine {
  /** Offset of the first. */
  readonly at: number;
  /** The characters in order, each once: `U+202E`. */
  readonly codes: readonly string[];
}

/**
 * Control characters except tab and line ends, bidi marks and overrides, zero-width characters, fillers, separators
 * that look like line ends, tags, variation selectors.
 */
const SUSPECT =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is looked for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}]/gu;

// eslint-disable-next-line no-misleading-character-class -- selectors are what is looked for
const SELECTOR = /^[\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}]$/u;

const JOINER = /^[\u200C\u200D]$/;

/** Scripts in which joiners are part of the writing. */
const JOINING =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

const WORD_BREAK = "\u200B";

/** Scripts without spaces, in which it marks where a line may break. */
const SPACELESS = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

const EMOJI_PART = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|[\u{E0020}-\u{E007F}])$/u;

const EMOJI = /^\p{Extended_Pictographic}$/u;

/** A regional flag: a black flag, the region's name in tags, the final tag. */
const FLAG = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}/gu;

const MAX_CODES = 5;

/** The lines of a text with invisible characters, except those that emoji and joining scripts need, or that are shown. */
export function findInvisible(text: string): InvisibleLine[] {
  const lines: { at: number; codes: string[] }[] = [];
  let lineEnd = -1;
  for (const { character, at } of invisibleCharacters(text)) {
    if (isQuoted(text, character, at)) continue;
    if (at >= lineEnd) {
      lineEnd = text.indexOf("\n", at);
      if (lineEnd < 0) lineEnd = text.length;
      lines.push({ at, codes: [] });
    }
    const codes = lines.at(-1)?.codes ?? [];
    const code = codeOf(character);
    if (codes.length < MAX_CODES && !codes.includes(code)) codes.push(code);
  }
  return lines;
}

/** Whether it stands alone between quotes, which shows that it is there. One that changes what follows is not shown so. */
function isQuoted(text: string, character: string, at: number): boolean {
  const [before = "", after = ""] = [text[at - 1], text[at + character.length]];
  return before === after && /["'`]/.test(before) && NEEDLESS.test(character);
}

/** Each of them, in order. */
function* invisibleCharacters(text: string): Generator<{ readonly character: string; readonly at: number }> {
  let flags: ReadonlySet<number> | undefined;
  for (const { 0: character, index } of text.matchAll(SUSPECT)) {
    if (character === "\uFEFF" && index === 0) continue;
    if (isPartOfWriting(text, character, index)) continue;
    if (character >= "\u{E0000}" && (flags ??= offsetsOfFlags(text)).has(index)) continue;
    yield { character, at: index };
  }
}

function isPartOfWriting(text: string, character: string, index: number): boolean {
  if (character === WORD_BREAK) return isWordBreak(text, index);
  if (!SELECTOR.test(character) && !JOINER.test(character)) return false;
  const before = characterBefore(text, index);
  // One selector chooses the shape of the character before it; further ones carry hidden data.
  if (SELECTOR.test(character)) return before > " " && !SELECTOR.test(before);
  if (JOINING.test(before) || /^\p{M}$/u.test(before)) return true;
  const after = String.fromCodePoint(text.codePointAt(index + 1) ?? 0x20);
  return character === "\u200D" && EMOJI_PART.test(before) && (EMOJI.test(after) || /^[♀♂⚕]$/u.test(after));
}

/** One of a run is enough. */
function isWordBreak(text: string, index: number): boolean {
  // Beside a backtick it keeps a block of code from ending where one is shown in another.
  if (text[index + 1] === "`" || text[index - 1] === "`") return true;
  if (!SPACELESS.test(characterBefore(text, index))) return false;
  let next = index + 1;
  while (text[next] === WORD_BREAK) next++;
  return SPACELESS.test(text[next] ?? "");
}

function characterBefore(text: string, index: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text[index - 1] ?? "") && /[\uD800-\uDBFF]/.test(text[index - 2] ?? "");
  return text.slice(Math.max(0, index - (isPair ? 2 : 1)), index);
}

function offsetsOfFlags(text: string): ReadonlySet<number> {
  const offsets = new Set<number>();
  for (const { 0: flag, index } of text.matchAll(FLAG)) {
    for (let at = index; at < index + flag.length; at += 2) offsets.add(at);
  }
  return offsets;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Never needed to read a text: zero-width characters, soft hyphens, tags, selectors that carry data. */
// eslint-disable-next-line no-misleading-character-class -- selectors are what is looked for
const NEEDLESS = /^[\u00AD\u200B\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}]$/u;

/** Direction marks, which right-to-left text needs. */
const DIRECTION = /^[\u200E\u200F\u202A-\u202E\u2066-\u2069]$/;

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

interface Stripped {
  readonly text: string;
  /** The offsets of the removed characters in the original text. */
  readonly gone: ReadonlySet<number>;
}

/**
 * Removes invisible characters that are certainly not needed. Others stay, and so do those in code, which may be about
 * them.
 */
export function stripInvisible(text: string): Stripped {
  const hasDirection = RIGHT_TO_LEFT.test(text);
  const gone = new Set<number>();
  let kept = "";
  let from = 0;
  const { code } = readBlocks(text, 0);
  let block = 0;
  for (const { character, at } of invisibleCharacters(text)) {
    while ((code[block]?.end ?? text.length) <= at) block++;
    if ((code[block]?.start ?? text.length) <= at) continue;
    if (!NEEDLESS.test(character) && (hasDirection || !DIRECTION.test(character))) continue;
    gone.add(at);
    kept += text.slice(from, at);
    from = at + character.length;
  }
  return { text: kept + text.slice(from), gone };
}

/** Repeats this until nothing is left to remove: a removed character may have been what another one was attached to. */
export function withoutInvisible(text: string): string {
  let current = text;
  for (;;) {
    const { text: stripped, gone } = stripInvisible(current);
    if (gone.size === 0) return current;
    current = stripped;
  }
}
