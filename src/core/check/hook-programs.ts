import { isAbsolute } from "node:path";
import type { Located } from "../config-edit/located.ts";
import { readOwnCommand, PRESENCE_GUARD } from "../host-hooks/own-command.ts";
import { simpleCommands } from "../host-hooks/shell-words.ts";
import { handlersOf, hooksOf } from "../host-hooks/survey.ts";
import { isPathOf } from "../paths.ts";
import { isTable } from "../table.ts";

/** A program that a hook calls, and where its handler stands. */
export interface HookProgram {
  readonly program: string;
  /** A script that a program is given to run: it has to be there, and need not be executable. */
  readonly isScript: boolean;
  /** A bare name is looked for on PATH. */
  readonly isBare: boolean;
  readonly keys: readonly (string | number)[];
}

export interface HookPlace {
  /** As in `codelia hook NAME`. */
  readonly host: string;
  readonly root: string;
  /** The variable that the client sets to the root. */
  readonly variable: string | undefined;
}

/** What looks first whether a program is there: then its absence is no accident. */
const GUARD = /^(?:command|which|type|test|\[|\[\[|if)$/;
const BEFORE = /^(?:\w+=.*|exec|env|nohup|nice|time)$/s;
const INTERPRETER = /^(?:.*\/)?(?:ba|da|k|z)?sh$|^(?:.*\/)?(?:python3?|node|bun|deno|ruby|perl|tsx)$/;

/**
 * The programs of a settings file that have to be where their paths say. Not what is looked for on PATH, which is
 * another one on every machine, but for our own, called without a look whether it is there.
 */
export function hookPrograms(data: unknown, place: HookPlace): HookProgram[] {
  return Object.entries(hooksOf(data)).flatMap(([event, list]) =>
    (Array.isArray(list) ? list : []).flatMap((group: unknown, at) =>
      handlersOf(group).flatMap((handler, index) => {
        const keys = ["hooks", event, at, "hooks", index, "command"];
        return programsOf(handler, place).map(({ program, isScript, isBare }) => ({ program, isScript, isBare, keys }));
      }),
    ),
  );
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

function programsOf(handler: unknown, place: HookPlace): Omit<HookProgram, "keys">[] {
  if (!isTable(handler) || typeof handler["command"] !== "string") return [];
  const { command, args } = handler;
  // A client that has `args` runs the two without a shell.
  if (Array.isArray(args)) return inWords([command, ...args.map(String)], place);
  const commands = simpleCommands(command) ?? [];
  if (commands.some(({ words }) => GUARD.test(words[0] ?? ""))) return [];
  const found = commands.flatMap(({ words }) => inWords(words, place));
  const own = readOwnCommand(command, place.host);
  const isLookedFor = own !== undefined && !isPathOf(own.program) && !command.startsWith(PRESENCE_GUARD);
  return isLookedFor ? [...found, { program: own.program, isScript: false, isBare: true }] : found;
}

function inWords(words: readonly string[], place: HookPlace): Omit<HookProgram, "keys">[] {
  const [program, script] = words.slice(words.findIndex((word) => !BEFORE.test(word)));
  if (program === undefined) return [];
  const found = [{ word: program, isScript: false }];
  if (INTERPRETER.test(program) && script !== undefined && !script.startsWith("-"))
    found.push({ word: script, isScript: true });
  return found.flatMap(({ word, isScript }) => {
    const path = pathOf(word, place);
    return path === undefined ? [] : [{ program: path, isScript, isBare: false }];
  });
}

/** Undefined for what is no path, or one that only a shell knows. */
function pathOf(word: string, { root, variable }: HookPlace): string | undefined {
  const named = variable === undefined ? undefined : /^\$(?:\{(\w+)(?::?-[^}]*)?\}|(\w+))(?=\/)/.exec(word);
  const isRoot = named !== undefined && named !== null && (named[1] ?? named[2]) === variable;
  const expanded = isRoot ? root + word.slice(named[0].length) : word;
  if (!isPathOf(expanded) || /[$`*?~<>]/.test(expanded)) return undefined;
  if (isAbsolute(expanded)) return expanded;
  return `${root}/${expanded.replace(/^(?:\.\/)+/, "")}`;
}
