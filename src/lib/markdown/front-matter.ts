import { BOM } from "../text.ts";

/** Offsets of a header between two `---` lines at the top of a text; all 0 if there is no complete one. */
export interface FrontMatter {
  /** Of the lines between them. */
  readonly headerStart: number;
  readonly headerEnd: number;
  /** Of the text after it. */
  readonly bodyStart: number;
}

const NONE: FrontMatter = { headerStart: 0, headerEnd: 0, bodyStart: 0 };

export function frontMatterOf(text: string): FrontMatter {
  const headerStart = lineEnd(text, 0);
  if (!isFence(text, text.startsWith(BOM) ? 1 : 0, headerStart)) return NONE;
  for (let start = headerStart; start < text.length;) {
    const end = lineEnd(text, start);
    if (isFence(text, start, end)) return { headerStart, headerEnd: start, bodyStart: end };
    start = end;
  }
  return NONE;
}

/** The offset of the line with a top-level key of the header; 0 if there is none. */
export function keyOffset(text: string, { headerStart, headerEnd }: FrontMatter, key: string): number {
  for (let start = headerStart; start < headerEnd; start = lineEnd(text, start)) {
    const line = text.slice(start, Math.min(start + key.length + 8, headerEnd));
    const bare = line.replace(/^["']/, "");
    if (bare.startsWith(key) && /^["']?[ \t]*:/.test(bare.slice(key.length))) return start;
  }
  return 0;
}

/** The offset after the line's end. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end + 1;
}

function isFence(text: string, start: number, end: number): boolean {
  if (!text.startsWith("---", start)) return false;
  for (let at = start + 3; at < end; at++) if (!" \t\r\n".includes(text[at] as string)) return false;
  return true;
}
