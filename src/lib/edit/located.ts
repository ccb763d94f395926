/**
 * Where each part of a data file is in its text: the offsets of its first character and after its last, without
 * surrounding white space and comments. `isFlow`: between brackets, as in all of JSON; otherwise by indentation.
 */
export type Located = LocatedTable | LocatedList | LocatedValue;

export interface LocatedTable {
  readonly kind: "table";
  readonly isFlow: boolean;
  readonly start: number;
  readonly end: number;
  readonly entries: readonly LocatedEntry[];
}

export interface LocatedEntry {
  readonly key: string;
  readonly start: number;
  readonly keyEnd: number;
  readonly value: Located;
}

export interface LocatedList {
  readonly kind: "list";
  readonly isFlow: boolean;
  readonly start: number;
  readonly end: number;
  readonly items: readonly Located[];
}

/** What has parts. */
export type Container = LocatedTable | LocatedList;

interface LocatedValue {
  readonly kind: "value";
  readonly start: number;
  readonly end: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The items of a list, or the entries of a table with their keys. */
export function partsOf(container: Container): readonly Span[] {
  return container.kind === "list"
    ? container.items
    : container.entries.map(({ start, value }) => ({ start, end: value.end }));
}

/** How a format writes inserted values, always on one line. */
export interface Notation {
  key(key: string): string;
  value(value: unknown): string;
  /** The end of the comment or white space at an offset. */
  skipBlank(text: string, at: number): number;
}

/** The position of a value, or of the nearest table or list around it that has one. */
type OffsetOf = (keys: readonly (string | number)[]) => number;

/** Looks up keys in a table that is built once: a file may have as many findings as keys. */
export function offsetsIn(located: Located | undefined): OffsetOf {
  const tables = new Map<LocatedTable, ReadonlyMap<string | number, Located>>();

  function valueOf(table: LocatedTable, key: string | number): Located | undefined {
    const known = tables.get(table) ?? new Map(table.entries.toReversed().map((entry) => [entry.key, entry.value]));
    tables.set(table, known);
    return known.get(key);
  }

  return (keys) => {
    let current = located;
    let offset = 0;
    for (const key of keys) {
      if (current === undefined) break;
      offset = current.start;
      if (current.kind === "list") current = current.items[Number(key)];
      else current = current.kind === "table" ? valueOf(current, key) : undefined;
    }
    return current?.start ?? offset;
  };
}

/** A part of a text and its replacement. */
export interface Splice extends Span {
  readonly text: string;
}

/** Applies all splices; those at the same offset keep their order. */
export function splice(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: piece } of splices.toSorted((left, right) => left.start - right.start)) {
    result += text.slice(at, start) + piece;
    at = end;
  }
  return result + text.slice(at);
}

export function insertion(at: number, text: string): Splice {
  return { start: at, end: at, text };
}

export function removal({ start, end }: Span): Splice {
  return { start, end, text: "" };
}

export function startOfLine(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Where the line ends in which something ends, before its line break; what ends with a line break ends its line. */
export function endOfLine(text: string, at: number): number {
  const found = text[at - 1] === "\n" ? at - 1 : text.indexOf("\n", at);
  if (found < 0) return text.length;
  return text[found - 1] === "\r" ? found - 1 : found;
}

export function startOfNextLine(text: string, at: number): number {
  const found = text.indexOf("\n", endOfLine(text, at));
  return found < 0 ? text.length : found + 1;
}

/** The text of a line before an offset, as the indentation of another line. */
export function indentationBefore(text: string, at: number): string {
  return text.slice(startOfLine(text, at), at).replaceAll(/[^ \t]/g, " ");
}

export function isFirstInLine(text: string, at: number): boolean {
  return text.slice(startOfLine(text, at), at).trim() === "";
}

export function lineBreakOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The indentation unit: that of the first indented line that is not a comment or a list item. */
export function indentationOf(text: string): string {
  return /^([ \t]+)[^\s#*/-]/m.exec(text)?.[1] ?? "  ";
}
