// What people wrote in a text: not its comments, nor what a tool keeps up to date between two of them.

/** With blanks in place of comments, which hold licences, and of what stands between two that say so. */
export function withoutComments(text: string): string {
  const comments = commentsIn(text);
  let plain = "";
  let at = 0;
  for (let index = 0; index < comments.length; index++) {
    const { start, isBegin } = comments[index] as Comment;
    // Another beginning before the end: the first one has none.
    const next = isBegin ? comments.findIndex((other, later) => later > index && other.isMark) : -1;
    const last = next > 0 && comments[next]?.isBegin === false ? next : index;
    const { end } = comments[last] as Comment;
    plain += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
    index = last;
  }
  return plain + text.slice(at);
}

interface Comment {
  readonly start: number;
  readonly end: number;
  /** It says where what a tool keeps begins, or ends. */
  readonly isMark: boolean;
  readonly isBegin: boolean;
}

const MAX_MARK = 80;
const MARK = /^<!--[^\n]{0,40}?\b(begin|start|end)\b/i;

function commentsIn(text: string): Comment[] {
  const comments: Comment[] = [];
  for (let start = text.indexOf("<!--"); start >= 0;) {
    const close = text.indexOf("-->", start + 4);
    if (close < 0) break;
    const end = close + 3;
    const mark = MARK.exec(text.slice(start, Math.min(end, start + MAX_MARK)))?.[1]?.toLowerCase();
    comments.push({ start, end, isMark: mark !== undefined, isBegin: mark !== undefined && mark !== "end" });
    start = text.indexOf("<!--", end);
  }
  return comments;
}

export function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}
