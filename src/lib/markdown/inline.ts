import type { Block } from "./blocks.ts";

/** A possible file name in prose, as written. */
export interface Mention {
  readonly kind: "link" | "image" | "definition" | "code";
  readonly written: string;
  /** Its offset. */
  readonly at: number;
}

/** The maximum nesting of parentheses in a link's target, which bounds how often a character is examined. */
const MAX_PARENTHESES = 32;
const MAX_LABEL = 999;
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/** The links, images, definitions and code spans of a block, in order; stops when `accept` returns false. */
export function scanMentions(text: string, { start, end }: Block, accept: (mention: Mention) => boolean): void {
  const brackets: boolean[] = [];
  const runs = findBacktickRuns(text, start, end);
  let run = 0;
  let hasComments = true;
  let at = skipDefinitions(text, start, end, accept);
  while (at < end) {
    const unit = text[at];
    if (unit === "\\" && PUNCTUATION.test(text[at + 1] ?? "")) {
      at += 2;
    } else if (unit === "`") {
      while ((runs[run]?.end ?? end) <= at) run++;
      const opening = runs[run] as BacktickRun;
      const closing = runs[opening.next];
      if (closing === undefined) at = opening.end;
      else {
        const written = text.slice(opening.end, closing.start);
        if (at === opening.start && !accept({ kind: "code", written, at: opening.end })) return;
        at = closing.end;
      }
    } else if (unit === "<" && hasComments && text.startsWith("<!--", at)) {
      const closed = commentEnd(text, at, end);
      // If one comment has no end, no later one has: searching again would take quadratic time.
      hasComments = closed >= 0;
      at = hasComments ? closed : at + 1;
    } else if (unit === "[") {
      brackets.push(text[at - 1] === "!");
      at++;
    } else if (unit === "]") {
      const isImage = brackets.pop();
      at++;
      if (isImage === undefined || text[at] !== "(") continue;
      const target = readTarget(text, skipBlanks(text, at + 1, end), end);
      const after = target === undefined ? at : skipBlanks(text, target.end, end);
      // A title follows, or the end.
      if (target === undefined || after >= end || !`)"'(`.includes(text[after] as string)) continue;
      if (!accept({ kind: isImage ? "image" : "link", ...target })) return;
      at = target.end;
    } else at++;
  }
}

/** The offset after a comment; -1 if it doesn't end in the block. */
function commentEnd(text: string, start: number, end: number): number {
  // `<!-->` is complete.
  for (let at = start + 2; at + 3 <= end; at++) if (text.startsWith("-->", at)) return at + 3;
  return -1;
}

interface BacktickRun {
  readonly start: number;
  readonly end: number;
  /** The index of the next run of the same length. */
  next: number;
}

/** Finds the closing run of each run in advance: searching from each would take quadratic time. */
function findBacktickRuns(text: string, start: number, end: number): BacktickRun[] {
  const runs: BacktickRun[] = [];
  const waiting = new Map<number, BacktickRun>();
  for (let at = nextBacktick(text, start, end); at < end; at = nextBacktick(text, at, end)) {
    const run = { start: at, end: at + 1, next: -1 };
    while (run.end < end && text[run.end] === "`") run.end++;
    const length = run.end - run.start;
    const earlier = waiting.get(length);
    if (earlier !== undefined) earlier.next = runs.length;
    waiting.set(length, run);
    runs.push(run);
    at = run.end;
  }
  return runs;
}

/** Unlike `indexOf`, does not search the following blocks. */
function nextBacktick(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text[at] !== "`") at++;
  return at;
}

interface Target {
  readonly written: string;
  readonly at: number;
  readonly end: number;
}

function readTarget(text: string, start: number, end: number): Target | undefined {
  const isBracketed = text[start] === "<";
  let depth = 0;
  let at = isBracketed ? start + 1 : start;
  for (; at < end; at++) {
    const unit = text[at] as string;
    if (unit === "\\" && PUNCTUATION.test(text[at + 1] ?? "")) at++;
    else if (isBracketed) {
      if (unit === ">") return { written: text.slice(start + 1, at), at: start + 1, end: at + 1 };
      if (unit === "<" || unit === "\n") return undefined;
    } else if (unit <= " ") break;
    else if (unit === "(" && ++depth > MAX_PARENTHESES) return undefined;
    else if (unit === ")" && --depth < 0) break;
  }
  return isBracketed || at === start ? undefined : { written: text.slice(start, at), at: start, end: at };
}

/** The definitions (`[label]: target`) that a block begins with; returns the offset after them. */
function skipDefinitions(text: string, start: number, end: number, accept: (mention: Mention) => boolean): number {
  let at = start;
  for (;;) {
    const label = text[at] === "[" && text[at + 1] !== "^" ? labelEnd(text, at, end) : -1;
    if (label < 0 || text[label + 1] !== ":") return at;
    const target = readTarget(text, skipBlanks(text, label + 2, end), end);
    if (target === undefined) return at;
    let after = target.end;
    while (text[after] === " " || text[after] === "\t" || text[after] === "\r") after++;
    if (after < end && !`\n"'(`.includes(text[after] as string)) return at;
    if (!accept({ kind: "definition", ...target })) return end;
    while (after < end && text[after] !== "\n") after++;
    at = skipBlanks(text, after, end);
  }
}

function labelEnd(text: string, start: number, end: number): number {
  for (let at = start + 1; at < Math.min(end, start + MAX_LABEL); at++) {
    const unit = text[at];
    if (unit === "\\") at++;
    else if (unit === "]") return at;
    else if (unit === "[" || unit === "\n") return -1;
  }
  return -1;
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && " \t\r\n".includes(text[at] as string)) at++;
  return at;
}
