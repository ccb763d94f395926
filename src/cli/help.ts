import { withoutEnd } from "../lib/text.ts";
import { widthOf, wrap } from "../lib/text-width.ts";
import { COMMON_ARGS, HELP_ARGS } from "./args.ts";

/** Longer flags and arguments get a line of their own, above their description. */
const MOST = 26;
const INDENT = "  ";
const GAP = "  ";

interface Row {
  readonly name: string;
  readonly says: string;
}

/**
 * Lays out citty's help of a verb again: names on the left, flags that most verbs share last, and wrapped to the width of
 * a terminal.
 *
 * @input  usage: as `renderUsage` gives it; columns: infinite where it is no terminal
 */
export function layOutHelp(usage: string, columns: number): string {
  // eslint-disable-next-line no-control-regex -- the escape sequences are what is removed
  const lines = withoutEnd(usage.replaceAll(/\u001B\[\d+m/g, ""), "\n").split("\n");
  const rows = lines.flatMap((line) => rowOf(line) ?? []);
  const width = Math.max(0, ...rows.map(({ name }) => widthOf(name)).filter((each) => each <= MOST));
  const blocks = lines
    .join("\n")
    .split(/\n{2,}/)
    .map((block) => {
      const found = block.split("\n").map(rowOf);
      if (found.some((row) => row === undefined)) return wrapped(block, columns);
      return inOrder(found.flatMap((row) => row ?? []))
        .map((row) => renderRow(row, width, columns))
        .join("\n");
    });
  return blocks.join("\n\n");
}

/** citty separates a name from its description by four spaces or more. */
function rowOf(line: string): Row | undefined {
  const text = line.trim();
  const end = text.indexOf("    ");
  if (!line.startsWith(INDENT) || end < 0) return undefined;
  return { name: argumentName(text.slice(0, end)), says: text.slice(end).trim() };
}

/** `PATH=<…>` and `PATH=<PATH…>` as `PATH…`, `CLIENT=<CLIENT>` as `CLIENT`. */
function argumentName(name: string): string {
  if (name.startsWith("-")) return name;
  const [word = "", hint = ""] = name.split("=");
  return hint.includes("…") ? `${word}…` : word;
}

function inOrder(rows: readonly Row[]): readonly Row[] {
  return [...rows.filter((row) => !isCommon(row)), ...rows.filter(isCommon)];
}

function isCommon({ name }: Row): boolean {
  const flag = name.slice(name.indexOf("--") + 2).split("=")[0] ?? "";
  return name.startsWith("-") && (Object.hasOwn(COMMON_ARGS, flag) || Object.hasOwn(HELP_ARGS, flag));
}

function renderRow({ name, says }: Row, width: number, columns: number): string {
  const before = INDENT.length + width + GAP.length;
  const fits = widthOf(name) <= width;
  // In a narrow column, each word would be alone on its line.
  const isBeside = columns - before > MOST;
  const indent = " ".repeat(isBeside ? before : INDENT.length * 2);
  const [first = "", ...rest] = wrap(says, columns - indent.length, Number.POSITIVE_INFINITY);
  const head = INDENT + name;
  const lines = fits && isBeside ? [head.padEnd(before) + first, ...rest.map((line) => indent + line)] : undefined;
  return (lines ?? [head, ...[first, ...rest].map((line) => indent + line)]).join("\n");
}

function wrapped(block: string, columns: number): string {
  return block
    .split("\n")
    .flatMap((line) => (line.startsWith(INDENT) ? [line] : wrap(line, columns, Number.POSITIVE_INFINITY)))
    .join("\n");
}
