import { invisibleCharacters } from "./invisible.ts";
import { readBlocks } from "./markdown/markdown-blocks.ts";

/** Nobody needs them to read a text: zero-width ones, soft hyphens, tags, selectors that carry data. */
// eslint-disable-next-line no-misleading-character-class -- selectors are what is looked for
const NEEDLESS = /^[\u00AD\u200B\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}]$/u;
/** Marks of direction, which are needed where a text is written from right to left. */
const DIRECTION = /^[\u200E\u200F\u202A-\u202E\u2066-\u2069]$/;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export interface Stripped {
  readonly text: string;
  /** Offsets in the text as it was of those that are gone. */
  readonly gone: ReadonlySet<number>;
}

/**
 * A text without the characters that can't be seen and are sure not to be needed; others stay, and so do those in code:
 * there they may be what it is about.
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

/** The same until nothing is left to take away: what goes may have been what another one belonged to. */
export function withoutInvisible(text: string): string {
  let current = text;
  for (;;) {
    const { text: stripped, gone } = stripInvisible(current);
    if (gone.size === 0) return current;
    current = stripped;
  }
}
