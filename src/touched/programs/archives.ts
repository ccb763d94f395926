import { isNamed, splitArguments } from "./arguments.ts";
import { changeDirectory, exactly, touchValue, type ShellState, type Value } from "../shell/state.ts";
import { hasAny } from "../paths.ts";

/**
 * Touches the archive and the files packed into it, or the directory it is unpacked into. Names inside an archive are
 * not paths.
 */
export function runTar(outer: ShellState, args: readonly Value[]): void {
  const state = { ...outer };
  const first = args[1];
  // `tar czf` is `tar -czf`.
  const isBare = first !== undefined && first.rest === "" && !hasAny(first.text, "-./=");
  const all = isBare ? [exactly("tar"), exactly(`-${first.text}`), ...args.slice(2)] : args;
  const { operands, options } = splitArguments(all, 1, "f C T X file directory exclude strip-components transform");
  const has = (names: string) => options.some(({ name }) => isNamed(names, name));
  const isMaking = has("c r u create append update");
  const isTakingOut = has("x extract get");
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (isNamed("f file", name)) touchValue(outer, value, isMaking ? "write" : "read");
    else if (isNamed("C directory", name)) {
      if (isTakingOut) touchValue(state, value, "write");
      changeDirectory(state, value);
    } else if (isNamed("T", name)) touchValue(outer, value, "read");
  }
  if (isMaking) for (const operand of operands) touchValue(state, operand, "read");
}

export function runZip(state: ShellState, args: readonly Value[]): void {
  const { operands } = splitArguments(args, 1, "x i b n");
  for (const [index, operand] of operands.entries()) touchValue(state, operand, index === 0 ? "write" : "read");
}

export function runUnzip(state: ShellState, args: readonly Value[]): void {
  const { operands, options } = splitArguments(args, 1, "d x P");
  if (operands[0] !== undefined) touchValue(state, operands[0], "read");
  for (const { name, value } of options) if (name === "d" && value !== undefined) touchValue(state, value, "write");
}
