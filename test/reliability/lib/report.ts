/** One promise and what became of it. */
export interface Row {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly verdict: "met" | "MISSED" | "skipped";
  /** Figures that nothing is promised about. */
  readonly notes: readonly string[];
  /** What went wrong: the first of each kind, and how many there were. */
  readonly faults: readonly string[];
}

const MOST_KINDS = 12;

export function makeRow(row: Omit<Row, "verdict">): Row {
  const { faults } = row;
  return { ...row, verdict: faults.length === 0 ? "met" : "MISSED", faults: firstOfEachKind(faults) };
}

export function skippedRow(what: string, target: string, why: string): Row {
  return { what, target, measured: why, verdict: "skipped", notes: [], faults: [] };
}

export function renderTable(rows: readonly Row[]): string {
  const lines = [["what", "target", "measured", "verdict"], ...rows.map(cells)];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}

/** What the table has no room for: one line each, after the row's name. */
export function renderLines(rows: readonly Row[], part: "notes" | "faults"): string {
  return rows.flatMap((row) => row[part].map((line) => `${row.what}: ${line}`)).join("\n");
}

/** Faults that differ in numbers and file names only are of one kind. */
function firstOfEachKind(faults: readonly string[]): string[] {
  const kinds = new Map<string, { first: string; count: number }>();
  for (const fault of faults) {
    const kind = fault.replaceAll(/'[^']*'|\d+/g, "*");
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, { first: fault, count: 1 });
    else known.count++;
  }
  return [...kinds.values()].slice(0, MOST_KINDS).map(({ first, count }) => `${count} × ${first}`);
}

function cells({ what, target, measured, verdict }: Row): string[] {
  return [what, target, measured, verdict];
}
