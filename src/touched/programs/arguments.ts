import { exactly, type Value } from "../shell/state.ts";

export type Option = { readonly name: string; readonly value: Value | undefined };

export type Arguments = { readonly operands: Value[]; readonly options: Option[] };

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
  for (const { name } of options) if (isNamed(names, name)) return true;
  return false;
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
