/**
 * Where each part of a data file stands in its text: offsets of its first character and past its last, without the
 * white space and the comments around it. `isFlow`: between brackets, as all of JSON is; else by indentation.
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

export interface LocatedValue {
  readonly kind: "value";
  readonly start: number;
  readonly end: number;
}

/** How a format writes what is put in, always in one line. */
export interface Notation {
  key(key: string): string;
  value(value: unknown): string;
  /** Where the comment or white space at an offset ends. */
  skipBlank(text: string, at: number): number;
}

/** Where a value stands; that of the nearest table or list around it where it can't be told. */
export type OffsetOf = (keys: readonly (string | number)[]) => number;

/** Looks keys up in a table that is made once: a file may have as many findings as it has keys. */
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

/** A part of a text and what takes its place. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with every splice in its place; those at one place keep their order. */
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

/** What stands in a line before an offset, as the indentation of another line. */
export function indentationBefore(text: string, at: number): string {
  return text.slice(startOfLine(text, at), at).replaceAll(/[^ \t]/g, " ");
}

export function isFirstInLine(text: string, at: number): boolean {
  return text.slice(startOfLine(text, at), at).trim() === "";
}

export function lineBreakOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** What the text is indented by: the first indented line, comments and items of lists left aside, says it. */
export function indentationOf(text: string): string {
  return /^([ \t]+)[^\s#*/-]/m.exec(text)?.[1] ?? "  ";
}
