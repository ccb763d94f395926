import { characters } from "../lib/text-width.ts";

/** A line of text that a person edits, with a cursor between two characters as displayed. */
export interface TextLine {
  readonly text: string;
  /** In code units, from 0 to the length of `text`. */
  readonly cursor: number;
}

export type TextEdit =
  | { readonly kind: "insert"; readonly text: string }
  | {
      readonly kind: "delete-before" | "delete-after" | "delete-word" | "clear" | "left" | "right" | "start" | "end";
    };

export const EMPTY_LINE: TextLine = { text: "", cursor: 0 };

export function editLine(line: TextLine, edit: TextEdit): TextLine {
  const { text, cursor } = line;
  switch (edit.kind) {
    case "insert":
      return settle(text.slice(0, cursor) + edit.text + text.slice(cursor), cursor + edit.text.length);
    case "delete-before":
      return without(line, boundaryBefore(text, cursor), cursor);
    case "delete-after":
      return without(line, cursor, boundaryAfter(text, cursor));
    case "delete-word":
      return without(line, wordBefore(text, cursor), cursor);
    case "clear":
      return EMPTY_LINE;
    case "left":
      return { text, cursor: boundaryBefore(text, cursor) };
    case "right":
      return { text, cursor: boundaryAfter(text, cursor) };
    case "start":
      return { text, cursor: 0 };
    case "end":
      return { text, cursor: text.length };
  }
}

function without({ text }: TextLine, from: number, to: number): TextLine {
  return settle(text.slice(0, from) + text.slice(to), from);
}

/**
 * If the text after the cursor combines with the text before it into one character, the cursor moves behind that
 * character.
 */
function settle(text: string, cursor: number): TextLine {
  if (cursor === 0 || cursor === text.length) return { text, cursor };
  return { text, cursor: boundaryAfter(text, cursor - 1) };
}

function wordBefore(text: string, cursor: number): number {
  let start = cursor;
  while (start > 0 && isBlank(text, start - 1)) start--;
  while (start > 0 && !isBlank(text, start - 1)) start--;
  return start;
}

function isBlank(text: string, at: number): boolean {
  return (text[at] as string).trim() === "";
}

function boundaryBefore(text: string, cursor: number): number {
  return cursor === 0
    ? 0
    : (characters()
        .segment(text)
        .containing(cursor - 1)?.index ?? 0);
}

function boundaryAfter(text: string, cursor: number): number {
  const there = cursor < text.length ? characters().segment(text).containing(cursor) : undefined;
  return there === undefined ? text.length : there.index + there.segment.length;
}
