import { fill, fit, widthOf, wrap } from "../lib/text-width.ts";
import { counted } from "../lib/words.ts";
import type { World } from "../world.ts";
import { hasColour } from "./colour.ts";
import { outputColumns } from "./terminal.ts";

/** What people see at a terminal: how wide it is, and marks that do nothing where colour is off. */
export interface Display {
  readonly columns: number;
  readonly now: number;
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

/** On a narrower terminal, the last column of a table goes below the others. */
const NARROW = 60;
const GAP = "  ";
const INDENT = "  ";

export function displayOf(world: World): Display {
  const isColoured = hasColour(world.env);
  const mark = (code: number, end: number) => (text: string) =>
    isColoured && text !== "" ? `\u001B[${code}m${text}\u001B[${end}m` : text;
  return {
    columns: outputColumns(),
    now: world.now(),
    bold: mark(1, 22),
    dim: mark(2, 22),
    good: mark(32, 39),
    bad: mark(31, 39),
  };
}

/** A cell: its text, which is `visible`, and what marks it after it was fitted. */
export interface Cell {
  readonly text: string;
  readonly mark?: (text: string) => string;
}

/**
 * Rows of cells in columns. The last column takes the remaining room and is cut, or wrapped to at most `most` lines; on a
 * narrow terminal it goes below the others.
 */
export function table(display: Display, rows: readonly (readonly Cell[])[], most = 1): string {
  const count = Math.max(0, ...rows.map((row) => row.length - 1));
  const room = display.columns - INDENT.length;
  const widths = Array.from({ length: count }, (_, at) =>
    Math.min(Math.max(...rows.map((row) => widthOf(row[at]?.text ?? ""))), Math.max(8, Math.floor(room / 2))),
  );
  const isNarrow = display.columns < NARROW;
  const before = isNarrow ? INDENT.length : widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const lines = rows.flatMap((row) => {
    const last = row.at(-1);
    const rest = wrap(last?.text ?? "", room - before, most).map((line) => last?.mark?.(line) ?? line);
    const cells = row.slice(0, -1);
    if (isNarrow) {
      const head = fitCells(cells, room);
      return [...(head === "" ? [] : [head]), ...rest.map((line) => `${INDENT}${line}`)];
    }
    const head = cells.map((cell, at) => `${marked(cell, fill(cell.text, widths[at] ?? 0))}${GAP}`).join("");
    return [`${head}${rest[0] ?? ""}`, ...rest.slice(1).map((line) => " ".repeat(before) + line)];
  });
  return lines.map((line) => `${INDENT}${line.trimEnd()}\n`).join("");
}

function fitCells(cells: readonly Cell[], columns: number): string {
  let rest = columns;
  const fitted: string[] = [];
  for (const cell of cells) {
    const text = fit(cell.text, rest);
    if (text === "") continue;
    fitted.push(marked(cell, text));
    rest -= widthOf(text) + GAP.length;
  }
  return fitted.join(GAP);
}

function marked({ mark }: Cell, text: string): string {
  return mark === undefined ? text : mark(text);
}

/** A sentence, wrapped to the terminal. */
export function paragraph({ columns }: Display, text: string): string {
  return wrap(text, columns, Number.POSITIVE_INFINITY)
    .map((line) => `${line}\n`)
    .join("");
}

/** Lines, each wrapped to the terminal below its first word; with two columns below the second. */
export function hangingLines({ columns }: Display, text: string, mark = (line: string) => line): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines
    .map((line) => {
      const blanks = /^ */.exec(line)?.[0] ?? "";
      const head = /^( *\S+(?: \S+)* {2,})\S/.exec(line)?.[1] ?? blanks;
      const isNarrow = columns < NARROW || head.length > columns / 2;
      const first = isNarrow ? blanks : head;
      const indent = " ".repeat(isNarrow ? first.length + INDENT.length : first.length);
      const parts = wrap(line.slice(first.length), columns - indent.length, Number.POSITIVE_INFINITY);
      return `${mark(parts.map((part, at) => (at === 0 ? first : indent) + part).join("\n"))}\n`;
    })
    .join("");
}

const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** `3 days ago` */
export function ago({ now }: Pick<Display, "now">, time: number): string {
  const seconds = (now - time) / 1000;
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length);
    if (count > 0) return `${counted(count, unit)} ago`;
  }
  return "just now";
}
