/** Where the parts of a SKILL.md are. */
export interface SkillParts {
  /** Offsets of the lines between the two `---`; both 0 where there is no complete header. */
  readonly headerStart: number;
  readonly headerEnd: number;
  /** Offset of what follows the header. */
  readonly bodyStart: number;
}

const NO_HEADER: SkillParts = { headerStart: 0, headerEnd: 0, bodyStart: 0 };

export function skillParts(text: string): SkillParts {
  const headerStart = lineEnd(text, 0);
  if (!isMark(text, text.startsWith("\uFEFF") ? 1 : 0, headerStart)) return NO_HEADER;
  for (let start = headerStart; start < text.length;) {
    const end = lineEnd(text, start);
    if (isMark(text, start, end)) return { headerStart, headerEnd: start, bodyStart: end };
    start = end;
  }
  return NO_HEADER;
}

/** The offset of the line with a top-level key of the header; 0 where there is none. */
export function keyOffset(text: string, { headerStart, headerEnd }: SkillParts, key: string): number {
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

function isMark(text: string, start: number, end: number): boolean {
  if (!text.startsWith("---", start)) return false;
  for (let at = start + 3; at < end; at++) if (!" \t\r\n".includes(text[at] as string)) return false;
  return true;
}
