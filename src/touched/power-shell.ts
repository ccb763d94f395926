import { byName } from "../lib/table.ts";
import type { Access } from "./paths.ts";
import { type OpenedFile, type Value, changeDirectory, touchText, touchValue, type ShellState } from "./shell/state.ts";

/** A PowerShell command. Each of its arguments may be a list: `a.txt, b.txt`. */
interface PowerShellCommand {
  readonly args: readonly (readonly Value[])[];
  readonly files: readonly OpenedFile[];
}

interface Draft {
  readonly args: Value[][];
  readonly files: OpenedFile[];
  /** The index of each quoted argument: one that begins a command is a text, unless it is called with `&`. */
  readonly quoted: Set<number>;
  readonly isCalled: boolean;
}

interface Word {
  readonly value: Value;
  readonly end: number;
}

/** Characters that end a command, or begin or end a block or an expression that may contain one. */
const SEPARATORS = ";|&\n\r(){}";
const WORD_ENDS = `${SEPARATORS} \t,`;
const REDIRECTION = /[\d*]?>>?(?:&\d)?/y;
const MAX_ARGUMENTS = 4096;

/**
 * Reads the commands of a PowerShell text in one pass, including those in blocks and expressions. The rest of a word
 * after a `$` is unknown.
 */
export function powerShellCommands(text: string): readonly PowerShellCommand[] {
  const commands: PowerShellCommand[] = [];
  let command = newDraft(false);
  let [isList, target, count] = [false, undefined as "write" | undefined, 0];
  const end = (isCalled: boolean) => {
    if (command.args.length > 0 || command.files.length > 0) commands.push(withoutExpression(command));
    command = newDraft(isCalled);
    [isList, target] = [false, undefined];
  };
  for (let at = 0; at < text.length && count < MAX_ARGUMENTS;) {
    const char = text[at] as string;
    if (char === " " || char === "\t") at++;
    else if (char === "`" && /\r?\n/y.test(text.slice(at + 1, at + 3))) at += text[at + 1] === "\r" ? 3 : 2;
    else if (char === "#") at = lineEnd(text, at);
    else if (SEPARATORS.includes(char)) {
      end(char === "&");
      at++;
    } else if (char === ",") {
      isList = command.args.length > 0;
      at++;
    } else {
      REDIRECTION.lastIndex = at;
      const redirection = REDIRECTION.exec(text)?.[0];
      if (redirection !== undefined) {
        target = redirection.includes("&") ? undefined : "write";
        at += redirection.length;
        continue;
      }
      const word = readWord(text, at);
      if (target !== undefined) command.files.push({ value: word.value, access: target });
      else if (isList) command.args.at(-1)?.push(word.value);
      else {
        if (char === "'" || char === '"' || char === "@") command.quoted.add(command.args.length);
        command.args.push([word.value]);
      }
      [isList, target, at] = [false, undefined, Math.max(word.end, at + 1)];
      count++;
    }
  }
  end(false);
  return commands;
}

function newDraft(isCalled: boolean): Draft {
  return { args: [], files: [], quoted: new Set(), isCalled };
}

/**
 * Without anything before a command or in its place: `$text = Get-Content a.txt`, `$name in Get-ChildItem`, `'text'`.
 */
function withoutExpression({ args, files, quoted, isCalled }: Draft): PowerShellCommand {
  const isAssigned = args[0]?.[0]?.rest === "anything" && /^(?:[-+*/%]?=|in)$/i.test(args[1]?.[0]?.text ?? "");
  const start = isAssigned ? 2 : 0;
  return { args: quoted.has(start) && !isCalled ? [] : args.slice(start), files };
}

function readWord(text: string, start: number): Word {
  const here = hereString(text, start);
  if (here !== undefined) return here;
  let [known, rest, at] = ["", "" as Value["rest"], start];
  const add = (piece: string) => {
    if (rest === "") known += piece;
  };
  for (; at < text.length; at++) {
    const char = text[at] as string;
    if (WORD_ENDS.includes(char)) break;
    if (char === "`") add(text[++at] ?? "");
    else if (char === "'" || char === '"') {
      const quoted = readQuoted(text, at);
      add(quoted.value.text);
      if (rest === "") ({ rest } = quoted.value);
      at = quoted.end - 1;
    } else if (char === "$") rest = "anything";
    else if ((char === "*" || char === "?") && rest === "") rest = "pattern";
    else add(char);
  }
  return { value: { text: known, rest }, end: at };
}

/** In quotes, a doubled quote is one quote. In double quotes a backtick escapes, and `$` begins something unknown. */
function readQuoted(text: string, start: number): Word {
  const quote = text[start];
  let [known, rest, at] = ["", "" as Value["rest"], start + 1];
  for (; at < text.length; at++) {
    const char = text[at] as string;
    if (char === quote && text[at + 1] !== quote) break;
    if (char === quote || (char === "`" && quote === '"')) at++;
    else if (char === "$" && quote === '"') rest = "anything";
    if (rest === "") known += text[at] ?? "";
  }
  return { value: { text: known, rest }, end: at + 1 };
}

/** `@'`, lines, and `'@` at the beginning of a line. */
function hereString(text: string, start: number): Word | undefined {
  const quote = text[start + 1];
  if (text[start] !== "@" || (quote !== "'" && quote !== '"')) return undefined;
  const body = lineEnd(text, start) + 1;
  const end = text.indexOf(`\n${quote}@`, body - 1);
  return end === -1 ? undefined : { value: { text: text.slice(body, end), rest: "" }, end: end + 3 };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

// What PowerShell's own commands do with their arguments, by name and alias.

interface Cmdlet {
  /** What it does with its paths; undefined if it has none. */
  readonly access: Access | undefined;
  /** The parameters for its positional arguments. */
  readonly places: readonly Parameter[];
  /** Without a path it lists the working directory. */
  readonly isHere?: true;
}

type Parameter = "path" | "destination" | "pattern" | "value" | "other";

/** Runs a cmdlet; false for another program. */
export function runCmdlet(state: ShellState, args: readonly (readonly Value[])[]): boolean {
  const name = args[0]?.[0]?.text.toLowerCase() ?? "";
  const location = LOCATIONS.get(name);
  const cmdlet = location === undefined ? CMDLETS.get(name) : location;
  if (cmdlet === undefined) return false;
  const given = assignParameters(args.slice(1), cmdlet.places);
  if (location !== undefined) {
    const [directory] = given.find(({ parameter }) => parameter === "path")?.values ?? [];
    if (directory !== undefined) changeDirectory(state, directory);
    return true;
  }
  const { access } = cmdlet;
  if (access === undefined) return true;
  for (const { parameter, values } of given) {
    if (parameter !== "path" && parameter !== "destination") continue;
    for (const value of values) touchValue(state, value, parameter === "path" ? access : "write");
  }
  if (cmdlet.isHere === true && !given.some(({ parameter }) => parameter === "path")) touchText(state, ".", "list");
  return true;
}

interface Given {
  readonly parameter: Parameter;
  readonly values: readonly Value[];
}

function assignParameters(args: readonly (readonly Value[])[], places: readonly Parameter[]): Given[] {
  const named: Given[] = [];
  const unnamed: (readonly Value[])[] = [];
  for (let index = 0; index < args.length; index++) {
    const values = args[index] as readonly Value[];
    const [, name, inline] = /^-([a-z]\w*)(?::(.+))?$/i.exec(values[0]?.text ?? "") ?? [];
    if (name === undefined) {
      unnamed.push(values);
      continue;
    }
    const parameter = parameterOf(name.toLowerCase());
    if (parameter === undefined) continue;
    const value: readonly Value[] | undefined = inline === undefined ? args[++index] : [{ text: inline, rest: "" }];
    if (value !== undefined) named.push({ parameter, values: value });
  }
  const open = [...places];
  for (const { parameter } of named) if (open.includes(parameter)) open.splice(open.indexOf(parameter), 1);
  return [...named, ...unnamed.map((values, index) => ({ parameter: open[index] ?? "other", values }))];
}

/** Undefined for a switch. A name may be shortened. */
function parameterOf(name: string): Parameter | undefined {
  const found = PARAMETERS.get(name);
  if (found !== undefined || SWITCHES.has(name)) return found;
  for (const [full, parameter] of PARAMETERS) if (full.startsWith(name)) return parameter;
  return undefined;
}

const PARAMETERS = byName<Parameter>([
  ["path, literalpath, lp, pspath, filepath", "path"],
  ["destination", "destination"],
  ["pattern", "pattern"],
  ["value", "value"],
  ["encoding, totalcount, head, first, tail, last, skip, readcount, delimiter, filter, include, exclude", "other"],
  ["context, itemtype, type, name, newname, depth, stream, property, width, inputobject, erroraction, ea", "other"],
]);

/** Those that share their beginning with another parameter. */
const SWITCHES = new Set(["f", "force", "r", "recurse", "raw", "wait", "list", "file", "directory", "append"]);

const LOCATIONS = byName<Cmdlet>([
  ["set-location, cd, sl, chdir, push-location, pushd", { access: "list", places: ["path"] }],
]);

const CMDLETS = byName<Cmdlet>([
  ["get-content, gc, cat, type, import-csv, ipcsv, get-filehash", { access: "read", places: ["path"] }],
  ["select-string, sls", { access: "read", places: ["pattern", "path"] }],
  ["set-content, sc, add-content, ac", { access: "write", places: ["path", "value"] }],
  ["out-file, tee-object, tee, export-csv, epcsv, clear-content, clc", { access: "write", places: ["path"] }],
  [
    "new-item, ni, mkdir, md, remove-item, ri, rm, rmdir, rd, del, erase, rename-item, rni, ren",
    { access: "write", places: ["path"] },
  ],
  ["copy-item, cpi, cp, copy", { access: "read", places: ["path", "destination"] }],
  ["move-item, mi, mv, move", { access: "write", places: ["path", "destination"] }],
  ["get-childitem, gci, ls, dir", { access: "list", places: ["path"], isHere: true }],
  ["get-item, gi, test-path, resolve-path, rvpa", { access: "list", places: ["path"] }],
  [
    "write-output, write-host, echo, select-object, select, where-object, where, foreach-object, foreach, sort-object, measure-object, join-path, split-path",
    { access: undefined, places: [] },
  ],
]);
