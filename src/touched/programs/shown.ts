import type { ShellState, Value } from "../shell/state.ts";
import { absolutePath } from "../../lib/paths.ts";
import { splitArguments } from "./arguments.ts";

/** Records the files that a command prints from their beginning: `cat file`, `head -50 file`, `sed -n 1,200p file`. */
export function noteShown(state: ShellState, args: readonly Value[], most: number | undefined = Infinity): void {
  const { shown } = state.found;
  if (shown === undefined || state.isLost || most === undefined) return;
  const lines = linesOf(args);
  if (lines === undefined) return;
  for (const { text, rest } of operandsOf(args)) {
    if (rest === "" && text !== "") shown.push({ path: absolutePath(state.cwd, text), lines: Math.min(lines, most) });
  }
}

/** Records the file of `git show HEAD:file`. Its output will tell whether that version is the present one. */
export function noteRevisionShown(state: ShellState, args: readonly Value[]): void {
  const [, verb, file, more] = args;
  if (verb?.text !== "show" || file === undefined || file.rest !== "" || more !== undefined || state.isLost) return;
  const colon = file.text.indexOf(":");
  if (colon > 0)
    state.found.shown?.push({ path: absolutePath(state.root, file.text.slice(colon + 1)), lines: Infinity });
}

/** How many lines of each file it prints; undefined for a program that prints something else. */
export function linesOf(args: readonly Value[]): number | undefined {
  const [program, ...words] = args.map(({ text }) => text);
  const options = words.filter((word) => word.startsWith("-"));
  switch (program) {
    case "cat":
    case "nl":
    case "less":
    case "more":
    case "view":
      return Infinity;
    case "bat":
    case "batcat":
      return options.every((option) => option === "-p" || option === "--plain" || option.startsWith("--paging"))
        ? Infinity
        : undefined;
    case "head":
      return linesOfHead(words);
    case "sed":
    case "gsed":
      return options.join() === "-n" ? linesOfScript(words[words.indexOf("-n") === 0 ? 1 : 0]) : undefined;
    default:
      return undefined;
  }
}

/** `-20`, `-n20`, `-n 20`, `--lines=20`; undefined for bytes, and for all lines but the last. */
function linesOfHead(words: readonly string[]): number | undefined {
  const options = words.flatMap((word, index) => {
    const next = words[index + 1] ?? "";
    return /^-./.test(word) ? [/^\d+$/.test(next) ? `${word} ${next}` : word] : [];
  });
  if (options.length === 0) return 10;
  const [, count] = /^-(?:n ?|-lines[= ])?(\d+)$/.exec(options.join(" ")) ?? [];
  return count === undefined ? undefined : Number(count);
}

/** `1,200p` and `1,$p`. */
function linesOfScript(script: string | undefined): number | undefined {
  const [, last] = /^1,(\d{1,9}|\$)p$/.exec(script ?? "") ?? [];
  return last === undefined ? undefined : last === "$" ? Infinity : Number(last);
}

function operandsOf(args: readonly Value[]): readonly Value[] {
  const program = args[0]?.text;
  if (program === "sed" || program === "gsed") return sedFiles(args);
  return splitArguments(args, 1, program === "head" ? "n lines" : "").operands;
}

/** After the script: `sed -n 1,5p file`. */
function sedFiles(args: readonly Value[]): readonly Value[] {
  return args
    .slice(1)
    .filter(({ text }) => !text.startsWith("-"))
    .slice(1);
}
