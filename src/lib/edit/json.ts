// Edits to clients' settings that `takeBack` can undo byte for byte. `modify` of jsonc-parser can't do that: it
// reformats the parts beside the new one, and in `[\n  1 // one\n]` it moves the comment behind the new item, with
// which the comment is then removed.

import { removeFromFlow, JSON_NOTATION, skip } from "./lists.ts";
import {
  indentationBefore,
  indentationOf,
  insertion,
  isFirstInLine,
  lineBreakOf,
  partsOf,
  removal,
  splice,
  startOfLine,
  type Container,
  type Located,
  type Span,
} from "./located.ts";

/** What is inserted into a table or a list. */
export interface Part {
  /** For a table only. */
  readonly key?: string;
  readonly value: unknown;
}

/**
 * Adds a part at the end of a table or a list, in the style of the text. Existing text is never changed, and two texts
 * never give the same result, so `takeBack` can tell what the text was.
 */
export function insertPart(text: string, container: Container, part: Part): string {
  const last = partsOf(container).at(-1);
  if (last === undefined) {
    // The space before it distinguishes it from text written as a whole.
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

/** Replaces a value that we wrote, in the same style. */
export function renderInPlace(text: string, { start, end }: Span, value: unknown): string {
  const indentation = indentationOfLine(text, start);
  const [, inner] = /\n([ \t]*)/.exec(text.slice(start, end)) ?? [];
  if (inner === undefined) return JSON.stringify(value);
  const unit = inner.startsWith(indentation) ? inner.slice(indentation.length) : indentationOf(text);
  return renderLines(text, value, indentation, unit);
}

/** A new file. */
export function renderFile(data: unknown): string {
  return `${JSON.stringify(data, undefined, 2)}\n`;
}

function indentationOfLine(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(startOfLine(text, at), at))?.[0] ?? "";
}

/** The position of the comma after a part, skipping comments between them. */
function commaAfter(text: string, end: number): number | undefined {
  const at = JSON_NOTATION.skipBlank(text, end);
  return text[at] === "," ? at : undefined;
}

function renderPart(text: string, { key, value }: Part, indentation: string): string {
  const rendered = isOneLine(text) ? JSON.stringify(value) : renderLines(text, value, indentation, indentationOf(text));
  return key === undefined ? rendered : `${JSON.stringify(key)}:${isOneLine(text) ? "" : " "}${rendered}`;
}

function renderLines(text: string, value: unknown, indentation: string, unit: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll("\n", lineBreakOf(text) + indentation);
}

/** An empty table does not show its author's style. */
function isOneLine(text: string): boolean {
  const content = text.trim();
  return !content.includes("\n") && !/^\{\s*\}$/.test(content);
}

/** Spaces and comments, up to the end of the line. */
function skipInLine(text: string, from: number): number {
  return skip(text, from, /[ \t]+|\/\/[^\r\n]*|\/\*[^]*?\*\//y);
}

/** Finds a container in another text than the one in which it was located. */
export type Find = (text: string) => Located | undefined;

/**
 * The text from which `insertPart` made this one: its last part is the inserted one. Undefined if there is none,
 * because someone has edited it since.
 */
export function takeBack(text: string, container: Container, part: Part, find: Find): string | undefined {
  const before = withoutLast(container);
  for (const candidate of candidates(text, container)) {
    // The text before the last part is the same in each candidate, and reading it takes longer than this.
    if (insertPart(candidate, before, part) !== text) continue;
    const found = find(candidate);
    if (found === undefined || found.kind !== container.kind) continue;
    if (insertPart(candidate, found, part) === text) return candidate;
  }
  return undefined;
}

function withoutLast(container: Container): Container {
  return container.kind === "list"
    ? { ...container, items: container.items.slice(0, -1) }
    : { ...container, entries: container.entries.slice(0, -1) };
}

/** Removes a part, its comma and its line if nothing else is on it; comments stay. */
export function removePart(text: string, container: Container, index: number): string | undefined {
  const first = Math.max(0, index - 1);
  const items = partsOf(container)
    .slice(first, index + 1)
    .map(({ start, end }): Located => ({ kind: "value", start, end }));
  return removeFromFlow(text, { ...container, kind: "list", items }, index - first, JSON_NOTATION);
}

function* candidates(text: string, container: Container): Generator<string> {
  const parts = partsOf(container);
  const last = parts.at(-1);
  const previous = parts.at(-2);
  if (last === undefined) return;
  if (previous === undefined) {
    yield without(text, [container.start + 1, last.end + 1]);
    return;
  }
  for (const start of beginnings(text, last.start)) {
    if (text[last.end] === ",") yield without(text, [start, last.end + 1]);
    const comma = commaAfter(text, previous.end);
    if (comma === undefined) continue;
    if (comma >= start) yield without(text, [Math.min(comma, start), last.end]);
    else yield without(text, [comma, comma + 1], [start, last.end]);
  }
}

/** Where the inserted part may begin: at the end of the previous line, at a space, or at itself. */
function beginnings(text: string, start: number): number[] {
  const line = /\r?\n[ \t]*$/.exec(text.slice(0, start))?.index;
  return [...(line === undefined ? [] : [line]), start - 1, start];
}

function without(text: string, ...spans: readonly (readonly [number, number])[]): string {
  return splice(
    text,
    spans.map(([start, end]) => removal({ start, end })),
  );
}
