import { exactly, touchValue, type ShellState, type Value } from "./shell/state.ts";
import { hasAny } from "./paths.ts";

/** `/foo|bar/` and `/^a/` are patterns, not paths. */
const NOT_ABSOLUTE = " \t\n|^$*+?\\{}\"'`";
const NOT_RELATIVE = " \t\r\n:=,;|<>(){}$^\"'`\\";

/** Whether a word, as an argument of an unknown program, is most likely a path. */
export function looksLikePath({ text, rest }: Value): boolean {
  if (text === "" || text.length > 4096) return false;
  if (text === "." || text === ".." || text.startsWith("./") || text.startsWith("../")) return !text.includes("\n");
  const slash = text.indexOf("/");
  if (slash === 0) return !hasAny(text, NOT_ABSOLUTE);
  // `@scope/package`, an address, an option, a message.
  if (text.startsWith("@") || text.startsWith("-") || hasAny(text, NOT_RELATIVE)) return false;
  return (slash !== -1 && slash < text.length - (rest === "" ? 1 : 0)) || text.endsWith("/") || hasExtension(text);
}

/** Touches the words that look like paths, and the values of options written with `=`. */
export function touchLikely(state: ShellState, args: readonly Value[], from: number): void {
  let isOutput = false;
  for (let index = from; index < args.length; index++) {
    const arg = withoutLocation(expandedByTool(args[index] as Value));
    const { text } = arg;
    if (text.length > 1 && text.startsWith("-")) {
      const equals = text.indexOf("=");
      const name = equals === -1 ? text : text.slice(0, equals);
      isOutput = isOutputOption(name);
      if (equals === -1) continue;
      const value: Value = { text: text.slice(equals + 1), rest: arg.rest };
      if (looksLikePath(value)) touchValue(state, value, isOutput ? "write" : "read");
    } else if (looksLikePath(arg)) touchValue(state, arg, isOutput ? "write" : "read");
    isOutput = false;
  }
}

/** `a_spec.rb:42` and `a.py::test` name something in a file. */
function withoutLocation(value: Value): Value {
  const at = value.text.slice(1).search(/:[:\d]/);
  return at === -1 ? value : exactly(value.text.slice(0, at + 1));
}

/** Quoting protects a pattern from the shell, and the tool expands it: `prettier "src/*.ts"`. */
export function expandedByTool(arg: Value): Value {
  const star = arg.rest === "" ? arg.text.indexOf("*") : -1;
  return star === -1 ? arg : { text: arg.text.slice(0, star), rest: "pattern" };
}

/** `index.ts`, but no number, version or dot file. */
export function hasExtension(text: string): boolean {
  return /[^/]\.[a-z][a-z\d]{0,9}$/i.test(text);
}

function isOutputOption(name: string): boolean {
  return name === "-o" || name.startsWith("--out") || name === "-out" || name === "--dest" || name === "--target-dir";
}
