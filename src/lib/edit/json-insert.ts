import type { LocatedList, LocatedTable } from "./located.ts";
import { indentationBefore, indentationOf, insertion, isFirstInLine, lineBreakOf, splice } from "./splice.ts";

/** What is put into a table or a list. */
export interface Part {
  /** For a table. */
  readonly key?: string;
  readonly value: unknown;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * JSON with one more part at the end of a table or a list, in the manner of the text. Nothing that stands there is
 * changed, and no two texts become the same one: `takeBack` can tell what there was.
 */
export function insertPart(text: string, container: LocatedTable | LocatedList, part: Part): string {
  const last = partsOf(container).at(-1);
  if (last === undefined) {
    // The space before it tells it from what was written as a whole.
    const piece = renderPart(text, part, indentationOfLine(text, container.start));
    return splice(text, [insertion(container.start + 1, ` ${piece} `)]);
  }
  const comma = commaAfter(text, last.end);
  const rest = skipInLine(text, comma === undefined ? last.end : comma + 1);
  const isOwnLine = isFirstInLine(text, last.start) && /^\r?\n/.test(text.slice(rest, rest + 2));
  const tail = comma === undefined ? "" : ",";
  if (isOwnLine) {
    const indentation = indentationBefore(text, last.start);
    const line = `${lineBreakOf(text)}${indentation}${renderPart(text, part, indentation)}${tail}`;
    return splice(text, [...(comma === undefined ? [insertion(last.end, ",")] : []), insertion(rest, line)]);
  }
  const gap = isOneLine(text) ? "" : " ";
  const piece = renderPart(text, part, indentationOfLine(text, comma ?? last.end));
  return comma === undefined
    ? splice(text, [insertion(last.end, `,${gap}${piece}`)])
    : splice(text, [insertion(comma + 1, `${gap}${piece},`)]);
}

/** What takes the place of a value that we wrote, in the manner of that one. */
export function renderInPlace(text: string, { start, end }: Span, value: unknown): string {
  const indentation = indentationOfLine(text, start);
  const [, inner] = /\n([ \t]*)/.exec(text.slice(start, end)) ?? [];
  if (inner === undefined) return JSON.stringify(value);
  const unit = inner.startsWith(indentation) ? inner.slice(indentation.length) : indentationOf(text);
  return renderLines(text, value, indentation, unit);
}

/** A file of its own. */
export function renderFile(data: unknown): string {
  return `${JSON.stringify(data, undefined, 2)}\n`;
}

export function partsOf(container: LocatedTable | LocatedList): readonly Span[] {
  return container.kind === "list"
    ? container.items
    : container.entries.map(({ start, value }) => ({ start, end: value.end }));
}

export function indentationOfLine(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";
}

/** Where the comma after a part stands, comments between them passed over. */
export function commaAfter(text: string, end: number): number | undefined {
  const at = skipBlank(text, end);
  return text[at] === "," ? at : undefined;
}

function renderPart(text: string, { key, value }: Part, indentation: string): string {
  const rendered = isOneLine(text) ? JSON.stringify(value) : renderLines(text, value, indentation, indentationOf(text));
  return key === undefined ? rendered : `${JSON.stringify(key)}:${isOneLine(text) ? "" : " "}${rendered}`;
}

function renderLines(text: string, value: unknown, indentation: string, unit: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll("\n", lineBreakOf(text) + indentation);
}

/** An empty table says nothing about how its author writes. */
function isOneLine(text: string): boolean {
  const content = text.trim();
  return !content.includes("\n") && !/^\{\s*\}$/.test(content);
}

function skipBlank(text: string, from: number): number {
  return skip(text, from, /\s+|\/\/[^\n]*|\/\*[^]*?\*\//y);
}

/** Spaces and comments, to the end of the line at most; what a comment goes on over is its line. */
function skipInLine(text: string, from: number): number {
  return skip(text, from, /[ \t]+|\/\/[^\r\n]*|\/\*[^]*?\*\//y);
}

function skip(text: string, from: number, blank: RegExp): number {
  let at = from;
  for (;;) {
    blank.lastIndex = at;
    if (blank.exec(text) === null) return at;
    at = blank.lastIndex;
  }
}
