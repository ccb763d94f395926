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
