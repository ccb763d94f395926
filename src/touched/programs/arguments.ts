import { looksLikePath } from "../likely-path.ts";
import type { Access } from "../paths.ts";
import { exactly, type Value, touchText, touchValue, type ShellState } from "../shell/state.ts";

export type Option = { readonly name: string; readonly value: Value | undefined };

type Arguments = { readonly operands: Value[]; readonly options: Option[] };

/**
 * Splits a program's arguments from index `from` on into operands and options. `withValue` names the options that take
 * a value, without dashes and separated by spaces: a letter is `-n`, a word is `--name` (with `hasLongDash` also
 * `-name`).
 */
export function splitArguments(
  args: readonly Value[],
  from: number,
  withValue: string,
  hasLongDash = false,
): Arguments {
  const operands: Value[] = [];
  const options: Option[] = [];
  for (let index = from; index < args.length; index++) {
    const arg = args[index] as Value;
    const { text } = arg;
    if (text.length < 2 || !text.startsWith("-")) {
      // A lone dash is standard input or output.
      if (text !== "-") operands.push(arg);
    } else if (text === "--") {
      for (index++; index < args.length; index++) operands.push(args[index] as Value);
    } else if (hasLongDash || text[1] === "-") index += readLong(args, index, withValue, options);
    else index += readLetters(args, index, withValue, options);
  }
  return { operands, options };
}

export function isNamed(names: string | undefined, name: string): boolean {
  return names !== undefined && ` ${names} `.includes(` ${name} `);
}

export function hasOption(options: readonly Option[], names: string | undefined): boolean {
  return options.some(({ name }) => isNamed(names, name));
}

/** Returns how many further arguments the option took. */
function readLong(args: readonly Value[], index: number, withValue: string, options: Option[]): number {
  const { text, rest } = args[index] as Value;
  const start = text[1] === "-" ? 2 : 1;
  const equals = text.indexOf("=");
  if (equals !== -1) {
    options.push({ name: text.slice(start, equals), value: { text: text.slice(equals + 1), rest } });
    return 0;
  }
  const name = text.slice(start);
  const takes = isNamed(withValue, name);
  options.push({ name, value: takes ? args[index + 1] : undefined });
  return takes ? 1 : 0;
}

/** `-rn`, `-n5`, `-n 5`. */
function readLetters(args: readonly Value[], index: number, withValue: string, options: Option[]): number {
  const { text, rest } = args[index] as Value;
  for (let at = 1; at < text.length; at++) {
    const name = text[at] as string;
    if (!isNamed(withValue, name)) {
      // A hostile cluster may be very long.
      if (at < 64) options.push({ name, value: undefined });
      continue;
    }
    const isLast = at === text.length - 1 && rest === "";
    const attached = text.slice(text[at + 1] === "=" ? at + 2 : at + 1);
    options.push({
      name,
      value: isLast ? args[index + 1] : rest === "" ? exactly(attached) : { text: attached, rest },
    });
    return isLast ? 1 : 0;
  }
  return 0;
}

/** How a program's arguments name paths. Options are written as for `splitArguments()`. */
export type Rule = {
  /** What the program does with its operands; `likely`: it reads those that look like paths. */
  readonly operands: Access | "likely" | "none";
  /** What it does with the last of several operands: `cp a b`. */
  readonly last?: Access;
  /** Operands before the first path: a pattern, a mode. */
  readonly leading?: number;
  /** Verbs that may stand before the first path: `vitest run a.ts` is `vitest a.ts`. */
  readonly verbs?: string;
  /** Options that replace the leading operand: `grep -e`. */
  readonly unless?: string;
  /** Options whose value is not a path, or a path that is read, written or listed. */
  readonly values?: string;
  readonly reads?: string;
  readonly writes?: string;
  readonly lists?: string;
  /** Options that turn reading into writing: `sed -i`. */
  readonly inPlace?: string;
  /** Without operands it examines the working directory: always, or with one of these options. */
  readonly here?: true | string;
  /** `-name` is one option. */
  readonly hasLongDash?: true;
  /** Where the path ends within an operand: `a.py::test`. */
  readonly endsAt?: string;
};

/** Touches all paths of a command whose program has a rule. `isFed`: `xargs` gives it more operands. */
export function touchByRule(state: ShellState, args: readonly Value[], rule: Rule, isFed: boolean): void {
  const { reads, writes, lists, leading = 0 } = rule;
  const withValue = `${rule.values ?? ""} ${reads ?? ""} ${writes ?? ""} ${lists ?? ""}`;
  const { operands, options } = splitArguments(args, 1, withValue, rule.hasLongDash);
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (isNamed(reads, name)) touchValue(state, value, "read");
    else if (isNamed(writes, name)) touchValue(state, value, "write");
    else if (isNamed(lists, name)) touchValue(state, value, "list");
    else if (rule.operands !== "none" && !isNamed(rule.values, name) && looksLikePath(value)) {
      touchValue(state, value, "read");
    }
  }
  if (rule.operands === "none") return;
  const isInPlace = hasOption(options, rule.inPlace);
  // The BSDs' `sed -i '' s/a/b/ file`.
  if (isInPlace && operands[0]?.text === "" && operands[0].rest === "") operands.shift();
  const hasVerb = isNamed(rule.verbs, operands[0]?.text ?? "");
  const start = hasVerb ? 1 : hasOption(options, rule.unless) ? 0 : leading;
  const isLikely = rule.operands === "likely";
  const access = isInPlace ? "write" : rule.operands === "likely" ? "read" : rule.operands;
  // In `cp -t target file` the target is an option's value.
  const last = operands.length > start + 1 && !hasOption(options, writes) ? rule.last : undefined;
  for (let index = start; index < operands.length; index++) {
    const operand = cutAt(operands[index] as Value, rule.endsAt);
    if (isLineNumber(operand.text) || (isLikely && !looksLikePath(operand))) continue;
    touchValue(state, operand, (index === operands.length - 1 ? last : undefined) ?? access);
  }
  if (rule.here === undefined || isFed || operands.length > start) return;
  if (rule.here === true || hasOption(options, rule.here)) touchText(state, ".", "list");
}

/** `vim +10 file` */
function isLineNumber(text: string): boolean {
  return text[0] === "+" && "0123456789G".includes(text[1] ?? "-");
}

function cutAt(value: Value, end: string | undefined): Value {
  const index = end === undefined ? -1 : value.text.indexOf(end);
  return index === -1 ? value : { text: value.text.slice(0, index), rest: "" };
}
