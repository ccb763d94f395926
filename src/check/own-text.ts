// What people wrote in a text: not its comments, nor what a tool keeps up to date between two of them.

/** With blanks in place of comments, which hold licences, and of what stands between two that mark its begin and end. */
export function withoutComments(text: string): string {
  const kept: string[] = [];
  let next = text.length;
  // From the end: what is marked contains the comments in it.
  for (const { start, end } of unwritten(text).toReversed()) {
    if (start >= next) continue;
    kept.push(text.slice(end, next), blank(text.slice(start, end)));
    next = start;
  }
  kept.push(text.slice(0, next));
  return kept.toReversed().join("");
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const MAX_MARK = 80;
const MARK = /^<!--[^\n]{0,40}?\b(begin|start|end)\b/i;

/** Comments, and marked parts, by where they end. */
function unwritten(text: string): Range[] {
  const ranges: Range[] = [];
  let begun: number | undefined;
  for (let at = text.indexOf("<!--"); at >= 0;) {
    const close = text.indexOf("-->", at + 4);
    if (close < 0) break;
    const end = close + 3;
    const mark = MARK.exec(text.slice(at, Math.min(end, at + MAX_MARK)))?.[1]?.toLowerCase();
    ranges.push({ start: mark === "end" ? (begun ?? at) : at, end });
    if (mark !== undefined) begun = mark === "end" ? undefined : at;
    at = text.indexOf("<!--", end);
  }
  return ranges;
}

export function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}
