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
export function offsetOf(located: Located | undefined, keys: readonly (string | number)[]): number {
  let current = located;
  let offset = 0;
  for (const key of keys) {
    if (current === undefined) break;
    offset = current.start;
    if (current.kind === "list") current = current.items[Number(key)];
    else current = current.kind === "table" ? current.entries.find((entry) => entry.key === key)?.value : undefined;
  }
  return current?.start ?? offset;
}
