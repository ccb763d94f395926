import { assign, type ShellState, type Value } from "./shell-state.ts";
import type { ShellLoop } from "./shell-steps.ts";
import { allValues } from "./word-values.ts";

/** Over how many words a loop goes; over more it goes as over anything. */
const MAX_ROUNDS = 256;

/** A loop whose body is being run. */
export type Loop = {
  /** Where its body begins, in the steps and in the text. */
  readonly index: number;
  readonly at: number;
  readonly name: string;
  readonly values: readonly Value[];
  /** What its shell was where the list began that it is a part of. */
  readonly list: ShellState;
  rounds: number;
};

export function beginLoop(state: ShellState, { name, words, at }: ShellLoop, index: number, list: ShellState): Loop {
  const values = allValues(state, words, MAX_ROUNDS);
  assign(state, name, values.slice(0, 1));
  return { index, at, name, values, list, rounds: 1 };
}

/** Whether its body is run again. Each time it costs what its text does, or a long one in many loops would take forever. */
export function nextRound(state: ShellState, loop: Loop, end: number): boolean {
  const { name, values, at, rounds } = loop;
  const isOver = rounds >= values.length;
  // It may have been left at any of them.
  assign(state, name, isOver ? values : values.slice(rounds, rounds + 1));
  loop.rounds++;
  state.found.work += 1 + ((end - at) >> 6);
  return !isOver;
}
