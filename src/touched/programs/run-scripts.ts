import { expandedByTool, looksLikePath, touchLikely } from "../looks-like-path.ts";
import { isNamed } from "./arguments.ts";
import { touchStrings } from "./script-strings.ts";
import { touchValue, type ShellState, type Value } from "../shell/state.ts";
import { hasAny } from "../text-scan.ts";

/** The script that an interpreter runs and what looks like a path behind it; for `-m tool`, the tool's own command. */
export function interpreterPaths(
  state: ShellState,
  args: readonly Value[],
  input: readonly string[],
): readonly Value[] | undefined {
  const name = args[0]?.text ?? "";
  const isPython = name.startsWith("python") || name.startsWith("pypy");
  const isPerl = name === "perl" || name === "ruby";
  const code = isPython ? "c" : name === "php" ? "r" : "e E p eval print";
  let isInPlace = false;
  let hasCode = false;
  for (let index = 1; index < args.length; index++) {
    const arg = args[index] as Value;
    const { text } = arg;
    if (text === "-" || text === "--") continue;
    if (!text.startsWith("-")) {
      if (isPerl && hasCode) touchValue(state, arg, isInPlace ? "write" : "read");
      else {
        if (!hasCode) touchValue(state, expandedByTool(arg), "read");
        touchLikely(state, args, hasCode ? index : index + 1);
        return undefined;
      }
    } else if (isPython && text === "-m") return args.slice(index + 1);
    else if (isPerl && !text.startsWith("--") && hasAny(text, "ieE")) {
      isInPlace ||= text.includes("i");
      if (text.endsWith("e") || text.endsWith("E")) {
        hasCode = true;
        index++;
        touchStrings(state, args[index]?.text ?? "");
      }
    } else if (isNamed(code, text.startsWith("--") ? text.slice(2) : text.slice(1))) {
      hasCode = true;
      index++;
      touchStrings(state, args[index]?.text ?? "");
    } else if (isNamed("-r --require --import --loader --env-file -I", text)) {
      const file = args[++index];
      if (file !== undefined && looksLikePath(file)) touchValue(state, file, "read");
    } else if (isNamed("-W -X -C --conditions --test-name-pattern --test-reporter", text)) index++;
  }
  if (!hasCode) for (const text of input) touchStrings(state, text);
  return undefined;
}
