/** A line that stands for any number of lines. */
export const ELISION = "…";
/** The line added to an output that does not end in a newline. */
export const NO_NEWLINE = "[no newline at end]";

const PLACEHOLDERS: Readonly<Record<string, string>> = { "{mtime}": "\\d+", "{any}": ".*" };

export interface ComparedLine {
  readonly kind: "same" | "missing" | "extra";
  /** The line as expected, or as printed if none was expected. */
  readonly text: string;
}

/** The lines of a text, without line ends; a missing one at the end is a line of its own. */
export function linesOf(output: string): string[] {
  const lines = output.split("\n");
  if (lines.pop() === "") return lines;
  return [...output.split("\n"), NO_NEWLINE];
}

/**
 * The shortest way from the expected lines to the printed ones; they agree if no line differs. Lines that an elision stands
 * for cost nothing and are not shown. A changed line costs as much as an added or removed one, so that an elision doesn't
 * include the changed line after it.
 */
export function compareLines(expected: readonly string[], actual: readonly string[]): ComparedLine[] {
  const matches = expected.map(matcherOf);
  const width = actual.length + 1;
  const costs = new Uint32Array((expected.length + 1) * width);

  const totalOf = (move: Move, row: number, column: number) =>
    move.cost + (costs[(row + move.down) * width + column + move.right] ?? 0);
  const bestMove = (row: number, column: number): Move => {
    const line = expected[row];
    const other = actual[column];
    return movesFor(line, other, other !== undefined && matches[row]?.(other) === true).reduce((best, move) =>
      totalOf(move, row, column) < totalOf(best, row, column) ? move : best,
    );
  };

  for (let row = expected.length; row >= 0; row--) {
    for (let column = actual.length; column >= 0; column--) {
      if (row === expected.length && column === actual.length) continue;
      costs[row * width + column] = totalOf(bestMove(row, column), row, column);
    }
  }

  const compared: ComparedLine[] = [];
  for (let row = 0, column = 0; row < expected.length || column < actual.length;) {
    const { kinds, down, right } = bestMove(row, column);
    for (const kind of kinds) compared.push({ kind, text: (kind === "extra" ? actual[column] : expected[row]) ?? "" });
    row += down;
    column += right;
  }
  return missingFirst(compared);
}

/** A step of the comparison: how many lines it uses of each side, and what it shows. */
interface Move {
  readonly kinds: readonly ComparedLine["kind"][];
  readonly down: 0 | 1;
  readonly right: 0 | 1;
  readonly cost: 0 | 1;
}

const SAME: Move = { kinds: ["same"], down: 1, right: 1, cost: 0 };
const MISSING: Move = { kinds: ["missing"], down: 1, right: 0, cost: 1 };
const EXTRA: Move = { kinds: ["extra"], down: 0, right: 1, cost: 1 };
const CHANGED: Move = { kinds: ["missing", "extra"], down: 1, right: 1, cost: 1 };
const ELISION_ENDS: Move = { kinds: ["same"], down: 1, right: 0, cost: 0 };
const ELIDED: Move = { kinds: [], down: 0, right: 1, cost: 0 };

/** The possible moves, with the preferred one of equals first. */
function movesFor(line: string | undefined, other: string | undefined, matches: boolean): Move[] {
  if (line === undefined) return [EXTRA];
  if (line === ELISION) return other === undefined ? [ELISION_ENDS] : [ELISION_ENDS, ELIDED];
  if (other === undefined) return [MISSING];
  return matches ? [SAME, MISSING, EXTRA] : [MISSING, EXTRA, CHANGED];
}

function missingFirst(compared: readonly ComparedLine[]): ComparedLine[] {
  const sorted: ComparedLine[] = [];
  const extra: ComparedLine[] = [];
  for (const line of compared) {
    if (line.kind === "extra") extra.push(line);
    else if (line.kind === "missing") sorted.push(line);
    else sorted.push(...extra.splice(0), line);
  }
  return [...sorted, ...extra];
}

function matcherOf(line: string): (other: string) => boolean {
  const parts = line.split(/(\{mtime\}|\{any\})/);
  const pattern = new RegExp(`^${parts.map((part) => PLACEHOLDERS[part] ?? RegExp.escape(part)).join("")}$`, "s");
  return (other) => pattern.test(other);
}
