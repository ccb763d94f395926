import type { Frame } from "./shapes.ts";

/** A reader that is given anything. */
export interface FuzzTarget {
  /** Its work alone, for how much that is and how it grows. */
  read(input: string): unknown;
  /** What must hold for every input; throws when it does not. */
  check(input: string): void;
  /** What the files of `corpus/` need beside what the source code holds. */
  readonly words: readonly string[];
  /** What is repeated to find out how its work grows: the parts of its grammar, few enough to try each two of them. */
  readonly parts: readonly string[];
  /** What stands around what is repeated, one after the other; nothing without them. */
  readonly frames?: readonly Frame[];
  /** Lengths between which its work may grow no more than in proportion. */
  readonly growth: readonly [short: number, long: number];
}
