import { plainCommands } from "./plain-commands.ts";
import { runCommand, type Script } from "./run-command.ts";
import { beginLoop, nextRound, type Loop } from "./shell-loops.ts";
import {
  assign,
  exactly,
  initialState,
  touchText,
  touchValue,
  type Place,
  type ShellState,
  type Value,
  shellLists,
} from "./shell-state.ts";
import type { Redirect, ShellCommand, ShellStep, Word } from "./shell-steps.ts";
import { parseShell } from "./shell-words.ts";
import { isFull, nothingFound, touchedPaths, type Found, type TouchedPath } from "./touched.ts";
import { allValues, valuesOf } from "./word-values.ts";

export type CommandPaths = {
  readonly paths: readonly TouchedPath[];
  /** Where its shell is in the end, when that can be known. */
  readonly cwdAfter?: string;
};

const MAX_DEPTH = 8;

/** What a shell's command touches; undefined when it can't be read. */
export function commandPaths(command: string, place: Place): CommandPaths | undefined {
  const found = nothingFound();
  const state = initialState(place, found);
  if (!runText(state, command)) return undefined;
  const paths = touchedPaths(found);
  return state.isLost ? { paths } : { paths, cwdAfter: state.cwd };
}

/** As a part of a larger search; one that can't be read gives the directory it would run in. */
export function touchCommand(found: Found, command: string, place: Place): void {
  const state = initialState(place, found);
  if (!runText(state, command)) touchText(state, ".", "list");
}

/** A program and its arguments, without a shell between. */
export function touchProgram(found: Found, args: readonly string[], place: Place): void {
  const state = initialState(place, found);
  runWith(state, args.map(exactly), [], false, true);
}

function runText(state: ShellState, text: string): boolean {
  const plain = plainCommands(text);
  if (plain !== undefined) {
    for (const { args, isPiped } of plain) {
      state.found.work += args.length;
      if (isFull(state.found)) break;
      runWith(state, args, [], isPiped, !isPiped && state.found.shown !== undefined);
    }
    return true;
  }
  const steps = parseShell(text);
  if (steps === undefined) return false;
  runSteps(state, steps);
  return true;
}

function runSteps(state: ShellState, steps: readonly ShellStep[]): void {
  const lists = shellLists(state);
  const outerLoops: Loop[][] = [];
  let loops: Loop[] = [];
  for (let index = 0; index < steps.length; index++) {
    if (isFull(state.found)) return;
    const step = steps[index] as ShellStep;
    switch (step.kind) {
      case "command":
        runStep(state, step, outerLoops.length === 0);
        break;
      case "loop":
        loops.push(beginLoop(state, step, index, lists.began));
        lists.began = { ...state };
        break;
      case "done": {
        const loop = loops.at(-1);
        if (loop === undefined) break;
        if (nextRound(state, loop, step.at)) {
          index = loop.index;
          lists.began = { ...state };
        } else {
          loops.pop();
          lists.began = loop.list;
        }
        break;
      }
      case "end":
        lists.end(step.inBackground);
        break;
      case "scope":
        if (step.opens) {
          lists.open();
          outerLoops.push(loops);
          loops = [];
        } else if (lists.close()) loops = outerLoops.pop() ?? [];
    }
  }
}

function runStep(state: ShellState, step: ShellCommand, isOutermost: boolean): void {
  const { words, assignments, redirects, heredocs, hereString } = step;
  const args: Value[] = [];
  for (const word of words) {
    addValues(state, word, args);
    if (isFull(state.found)) return;
  }
  // Before a command they are its own.
  if (words.length === 0)
    for (const { name, words: values } of assignments) assign(state, name, allValues(state, values));
  const input: string[] = [];
  for (const { body } of heredocs) input.push(body);
  if (hereString !== undefined) {
    const values: Value[] = [];
    addValues(state, hereString, values);
    for (const { text } of values) input.push(text);
  }
  const isAsked = isOutermost && state.found.shown !== undefined;
  const isShowing = isAsked && !step.isPiped && !redirects.some((redirect) => isKept(state, redirect));
  if (args.length > 0) runWith(state, args, input, step.isPiped, isShowing);
  for (const { access, word } of redirects) for (const value of valuesOf(state, word)) touchValue(state, value, access);
}

/** A long text costs more: a variable may hold it, and many commands read it as a script. */
function addValues(state: ShellState, word: Word, values: Value[]): void {
  for (const value of valuesOf(state, word)) {
    state.found.work += value.text.length >> 10;
    values.push(value);
  }
}

/** Output that goes into a file; `2>/dev/null` does not. */
function isKept(state: ShellState, { access, word }: Redirect): boolean {
  return access === "write" && valuesOf(state, word).some(({ text }) => !text.startsWith("/dev/"));
}

function runWith(
  state: ShellState,
  args: readonly Value[],
  input: readonly string[],
  isPiped: boolean,
  isShowing: boolean,
): void {
  const scripts: Script[] = [];
  runCommand({ state, input, isPiped, isShowing, scripts, nesting: 0 }, args);
  for (const { text, isOwn } of scripts) {
    if (state.depth >= MAX_DEPTH || isFull(state.found)) return;
    const inner = { ...state, depth: state.depth + 1 };
    if (!runText(inner, text)) touchText(state, ".", "list");
    if (!isOwn) Object.assign(state, inner, { depth: state.depth });
  }
}
