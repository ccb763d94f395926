import { isAbsolute, resolve } from "node:path";
import { readOwnCommand, PRESENCE_GUARD } from "../clients/settings/own-command.ts";
import { simpleCommands } from "../clients/settings/simple-commands.ts";
import { handlersOf, hooksOf } from "../clients/settings/survey.ts";
import { isPathOf } from "../lib/paths.ts";
import { isTable } from "../lib/table.ts";
import { calledPrograms, calledWords, type CalledWord } from "./called-programs.ts";

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

function programsOf(handler: unknown, place: HookPlace): Omit<HookProgram, "keys">[] {
  if (!isTable(handler) || typeof handler["command"] !== "string") return [];
  const { command, args } = handler;
  const { root, variable } = place;
  const known = variable === undefined ? {} : { [variable]: root };
  // A client that has `args` runs the two without a shell.
  if (Array.isArray(args)) {
    const words = [command, ...args.map(String)].map((word) => withRoot(word, place));
    return calledWords(words, root).flatMap(namedByPath);
  }
  if ((simpleCommands(command) ?? []).some(({ words }) => GUARD.test(words[0] ?? ""))) return [];
  const found = calledPrograms(command, root, known).flatMap(namedByPath);
  const own = readOwnCommand(command, place.host);
  const isLookedFor = own !== undefined && !isPathOf(own.program) && !command.startsWith(PRESENCE_GUARD);
  return isLookedFor ? [...found, { program: own.program, isScript: false, isBare: true }] : found;
}

/** It is the client that puts the root in the place of its variable, where no shell does. */
function withRoot(word: string, { root, variable }: HookPlace): string {
  const [named, bracketed, bare] = /^\$(?:\{(\w+)\}|(\w+))\//.exec(word) ?? [];
  return named !== undefined && (bracketed ?? bare) === variable ? root + word.slice(named.length - 1) : word;
}

/** Nothing for what is no path, or one that is another one on each machine. */
function namedByPath({ word, isScript, cwd }: CalledWord): Omit<HookProgram, "keys">[] {
  if (!isPathOf(word) || (cwd === undefined && !isAbsolute(word))) return [];
  const program = resolve(cwd ?? "", word);
  return /[$`*?~<>]/.test(program) ? [] : [{ program, isScript, isBare: false }];
}
