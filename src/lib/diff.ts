import { visible } from "./escape.ts";

interface DiffedFile {
  /** Undefined if there is none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Line = readonly [mark: " " | "-" | "+", text: string];

const CONTEXT = 3;

/** With more edits, all differing lines are shown as removed and added: nobody reads them one by one. */
const MAX_EDITS = 256;

/** A change to a file as `diff -u` shows it; "" if nothing changes. */
export function unifiedDiff(path: string, { before, after }: DiffedFile): string {
  if (before === after) return "";
  const lines = compare(linesOf(before), linesOf(after));
  const names = [
    `--- ${before === undefined ? "/dev/null" : path}\n`,
    `+++ ${after === undefined ? "/dev/null" : path}\n`,
  ];
  return [...names, ...hunksOf(lines)].join("");
}

/** Lines with their ends; the last one may have none. */
function linesOf(text: string | undefined): string[] {
  return text?.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compare(left: readonly string[], right: readonly string[]): Line[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end++;
  return [
    ...left.slice(0, start).map((text): Line => [" ", text]),
    ...compareMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map((text): Line => [" ", text]),
  ];
}

/**
 * The shortest edit script, by Myers' algorithm: for each number of edits, how far each diagonal reaches from where it
 * was with one edit less. Time is linear in the lines, because the number of edits is limited.
 */
function compareMiddle(left: readonly string[], right: readonly string[]): Line[] {
  /** By the number of edits: the furthest row on each diagonal, `row - column`, starting with the lowest diagonal. */
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    const reached = new Int32Array(2 * edits + 1);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let row = startOn(diagonal, edits, trace[edits - 1]);
      while (row < left.length && row - diagonal < right.length && left[row] === right[row - diagonal]) row++;
      reached[diagonal + edits] = row;
      if (row >= left.length && row - diagonal >= right.length) return linesAlong(trace, edits, left, right);
    }
    trace.push(reached);
  }
  return [...left.map((text): Line => ["-", text]), ...right.map((text): Line => ["+", text])];
}

/** The row at which a diagonal is entered: from the one above by a removed line, or from below by an added one. */
function startOn(diagonal: number, edits: number, before: Int32Array | undefined): number {
  if (before === undefined) return 0;
  const at = (other: number) => before[other + edits - 1] ?? -1;
  return isByAdding(diagonal, edits, at) ? at(diagonal + 1) : at(diagonal - 1) + 1;
}

function isByAdding(diagonal: number, edits: number, at: (diagonal: number) => number): boolean {
  return diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
}

/** From the end back to the start, edit by edit. */
function linesAlong(
  trace: readonly Int32Array[],
  count: number,
  left: readonly string[],
  right: readonly string[],
): Line[] {
  const lines: Line[] = [];
  let [row, column] = [left.length, right.length];
  for (let edits = count; edits > 0; edits--) {
    const before = trace[edits - 1] as Int32Array;
    const at = (other: number) => before[other + edits - 1] ?? -1;
    const isAdded = isByAdding(row - column, edits, at);
    const start = startOn(row - column, edits, before);
    for (; row > start; row--, column--) lines.push([" ", left[row - 1] as string]);
    if (isAdded) lines.push(["+", right[--column] as string]);
    else lines.push(["-", left[--row] as string]);
  }
  for (; row > 0; row--) lines.push([" ", left[row - 1] as string]);
  return lines.toReversed();
}

function hunksOf(lines: readonly Line[]): string[] {
  const isNear = lines.map(() => false);
  for (const [index, [mark]] of lines.entries()) {
    if (mark === " ") continue;
    for (let near = Math.max(0, index - CONTEXT); near <= Math.min(lines.length - 1, index + CONTEXT); near++) {
      isNear[near] = true;
    }
  }
  const hunks: string[] = [];
  let [left, right] = [1, 1];
  for (let index = 0; index < lines.length;) {
    if (isNear[index] !== true) {
      index++;
      left++;
      right++;
      continue;
    }
    let end = index;
    while (isNear[end] === true) end++;
    const hunk = lines.slice(index, end);
    const [gone, added] = [countOf(hunk, "+"), countOf(hunk, "-")];
    hunks.push(`@@ -${rangeOf(left, gone)} +${rangeOf(right, added)} @@\n`);
    for (const line of hunk) hunks.push(render(line));
    left += gone;
    right += added;
    index = end;
  }
  return hunks;
}

function countOf(hunk: readonly Line[], except: Line[0]): number {
  return hunk.filter(([mark]) => mark !== except).length;
}

function rangeOf(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

function render([mark, text]: Line): string {
  return text.endsWith("\n") ? `${mark}${text}` : `${mark}${text}\n\\ No newline at end of file\n`;
}

/** A diff for people, with invisible characters made visible. */
export function renderDiff(diff: string): string {
  return diff
    .split("\n")
    .map((line) => line.replace(/\r$/, "").split("\t").map(visible).join("\t"))
    .join("\n");
}
