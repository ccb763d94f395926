import { expandedByTool, looksLikePath, touchLikely } from "./looks-like-path.ts";
import { isNamed } from "./program-arguments.ts";
import { touchStrings } from "./script-strings.ts";
import { touchValue, type ShellState, type Value } from "./shell-state.ts";
import { hasAny } from "./text-scan.ts";

/** The script that an interpreter runs and what looks like a path behind it; for `-m tool`, the tool's own command. */
export function interpreterPaths(
  state: ShellState,
  args: readonly Value[],
  input: readonly string[],
): readonly Value[] | undefined {
  const name = args[0]?.text ?? "";
  const isPython = name.startsWith("python") || name.startsWith("pypy");
  const isPerl = name === "perl" || name === "ruby";
  const code = isPython ? "c" : "e E p eval print r";
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

/** Where a package manager works and what it runs: the command of `npm exec`, `pnpm vitest`, `bun x`. */
export function packageManagerPaths(
  state: ShellState,
  args: readonly Value[],
  isKnown: (program: string) => boolean,
): readonly Value[] | undefined {
  let index = 1;
  for (; index < args.length; index++) {
    const { text, rest } = args[index] as Value;
    if (!text.startsWith("-")) break;
    const equals = text.indexOf("=");
    if (!isNamed("--prefix -C --cwd --dir", equals === -1 ? text : text.slice(0, equals))) {
      if (isNamed("--filter -F -w --workspace", text)) index++;
      continue;
    }
    const directory = equals === -1 ? args[++index] : { text: text.slice(equals + 1), rest };
    if (directory !== undefined) touchValue(state, directory, "list");
  }
  const verb = args[index]?.text ?? "";
  const rest = args.slice(index + 1);
  if (isNamed("exec x dlx", verb)) return rest[0]?.text === "--" ? rest.slice(1) : rest;
  if (isNamed("install i add remove rm uninstall update up link create init view info why", verb)) {
    touchLocalPackages(state, args, index + 1);
    return undefined;
  }
  const isOwnVerb = args[0]?.text === "npm" || isNamed("run test build start", verb);
  if (!isOwnVerb && isKnown(verb)) return args.slice(index);
  touchLikely(state, withoutPrefix(state, args, index), 0);
  return undefined;
}

/** `npm run build --prefix packages/app`; what stands behind `--` is the script's. */
function withoutPrefix(state: ShellState, args: readonly Value[], from: number): readonly Value[] {
  const rest: Value[] = [];
  for (let index = from; index < args.length; index++) {
    const arg = args[index] as Value;
    const value = args[index + 1];
    if (arg.text === "--") return [...rest, ...args.slice(index)];
    if (value !== undefined && isNamed("--prefix -C --cwd --dir", arg.text)) {
      touchValue(state, value, "list");
      index++;
    } else rest.push(arg);
  }
  return rest;
}

/** A package's name has a slash as well. */
function touchLocalPackages(state: ShellState, args: readonly Value[], from: number): void {
  for (const arg of withoutPrefix(state, args, from)) {
    if ((arg.text.startsWith(".") || arg.text.startsWith("/")) && looksLikePath(arg)) touchValue(state, arg, "read");
  }
}
