export interface DiffedFile {
  /** Undefined where there is none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Line = readonly [mark: " " | "-" | "+", text: string];

const CONTEXT = 3;
/** Beyond it, what differs is shown as a whole: nobody reads it line by line. */
const MAX_CELLS = 4_000_000;

/** What a change does to a file, as `diff -u` shows it; nothing where it does nothing. */
export function unifiedDiff(path: string, { before, after }: DiffedFile): string {
  if (before === after) return "";
  const lines = compare(linesOf(before), linesOf(after));
  const names = [
    `--- ${before === undefined ? "/dev/null" : path}\n`,
    `+++ ${after === undefined ? "/dev/null" : path}\n`,
  ];
  return [...names, ...hunksOf(lines)].join("");
}

/** With their ends; the last one may have none. */
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

/** The longest common subsequence, from the end. */
function compareMiddle(left: readonly string[], right: readonly string[]): Line[] {
  const gone = left.map((text): Line => ["-", text]);
  const added = right.map((text): Line => ["+", text]);
  if (left.length * right.length > MAX_CELLS || left.length === 0 || right.length === 0) return [...gone, ...added];
  const width = right.length + 1;
  const longest = new Uint32Array((left.length + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      longest[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length || column < right.length) {
    if (row < left.length && left[row] === right[column]) {
      lines.push([" ", left[row++] as string]);
      column++;
    } else if (row < left.length && (column >= right.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(gone[row++] as Line);
    } else lines.push(added[column++] as Line);
  }
  return lines;
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
    hunks.push(`@@ -${rangeOf(left, gone)} +${rangeOf(right, added)} @@\n`, ...hunk.map(render));
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
