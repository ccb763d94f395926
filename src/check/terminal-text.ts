import { visible } from "../lib/escape.ts";
import { lstatOf } from "../lib/path-facts.ts";
import { textAt } from "../lib/read-file.ts";
import { fit, widthOf, wrap } from "../lib/text-width.ts";
import type { Severity } from "../lib/diagnostic.ts";
import type { LocatedFinding } from "./findings.ts";
import { placeOf, sentenceOf, shown } from "./formats.ts";

const CODES: Readonly<Record<Severity | "path" | "faint" | "caret", string>> = {
  error: "\u001B[31m",
  warning: "\u001B[33m",
  note: "\u001B[36m",
  path: "\u001B[1m",
  faint: "\u001B[2m",
  caret: "\u001B[32m",
};
const PLAIN = "\u001B[0m";

const MAX_BYTES = 1024 * 1024;
/** How much of a long line before the column is shown. */
const MAX_BEFORE = 40;
const INDENT = "    ";
/** Before the further lines of a long sentence. */
const HANGING = "  ";

/**
 * The findings as for a program, with colours, wrapped at words, and below each that has a column its line with a caret.
 *
 * @effect reads the files that the findings are in
 */
export function renderFindingsForTerminal(
  findings: readonly LocatedFinding[],
  { hasColour, columns }: { readonly hasColour: boolean; readonly columns: number },
): string {
  const paint = (code: keyof typeof CODES, text: string) => (hasColour ? `${CODES[code]}${text}${PLAIN}` : text);
  let path: string | undefined;
  let lines: readonly string[] = [];
  const parts = findings.map((finding) => {
    const isNext = finding.path !== path;
    const gap = isNext && path !== undefined ? "\n" : "";
    if (isNext) lines = linesOf(finding.path);
    path = finding.path;
    const { severity, rule, line, column } = finding;
    const label = `${placeOf(finding)} ${severity} ${rule}`;
    const painted = `${paint("path", placeOf(finding))} ${paint(severity, severity)} ${paint("faint", rule)}`;
    const [first = "", ...more] = wrap(
      `${label} ${sentenceOf(finding)}`,
      columns - HANGING.length,
      Number.POSITIVE_INFINITY,
    );
    const shownFirst = first.startsWith(label) ? painted + first.slice(label.length) : first;
    const head = [shownFirst, ...more.map((part) => HANGING + part)].map((part) => `${part}\n`).join("");
    const source = column === undefined ? undefined : lines[line - 1];
    if (source === undefined || column === undefined) return gap + head;
    const { text, before } = around(source, column - 1, columns - INDENT.length);
    return `${gap}${head}${INDENT}${paint("faint", text)}\n${INDENT}${" ".repeat(before)}${paint("caret", "^")}\n`;
  });
  return parts.join("");
}

/** A link may lead out of the repository, and a pipe has no lines. */
function linesOf(path: string): readonly string[] {
  if (lstatOf(path)?.isFile() !== true) return [];
  return textAt(path, MAX_BYTES)?.split(/\r?\n/) ?? [];
}

/** The part of a line that fits, and how many columns precede the character at an offset. */
function around(line: string, at: number, columns: number): { text: string; before: number } {
  const start = Math.max(0, at - MAX_BEFORE);
  const lead = `${start > 0 ? "…" : ""}${plain(line.slice(start, at))}`;
  return { text: fit(lead + plain(line.slice(at, at + columns)), columns), before: widthOf(lead) };
}

function plain(text: string): string {
  return shown(visible(text.replaceAll("\t", " ")));
}
