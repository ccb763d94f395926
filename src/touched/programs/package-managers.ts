import { expandedByTool, looksLikePath, touchLikely } from "../likely-path.ts";
import { changeDirectory, exactly, touchValue, type ShellState, type Value } from "../shell/state.ts";
import { isNamed } from "./arguments.ts";
import type { Inner } from "./wrappers.ts";

/** Where a package manager works, and in which of several packages its command runs. */
type Working = { readonly isNpm: boolean; readonly base: ShellState; inside: ShellState };

/**
 * Returns the command that a package manager runs: `npm exec tsc`, `pnpm vitest`, `bun x tsc`, the code of `bun -e`.
 */
export function runPackageManager(
  outer: ShellState,
  args: readonly Value[],
  isKnown: (program: string) => boolean,
): Inner | undefined {
  const name = args[0]?.text;
  const working: Working = { isNpm: name === "npm", base: { ...outer }, inside: { ...outer } };
  const inner = (command: readonly Value[]) => ({ state: working.inside, args: command, isFed: false });
  if (name === "bun" && isNamed("-e --eval -p --print -", args[1]?.text ?? "")) {
    return inner([exactly("node"), ...args.slice(1)]);
  }
  const at = skipOptions(working, args, 1);
  const verb = args[at]?.text ?? "";
  if (name === "deno" && verb === "eval") {
    return inner([exactly("node"), exactly("-e"), ...args.slice(skipOptions(working, args, at + 1))]);
  }
  if (isNamed("exec x dlx", verb)) return inner(args.slice(skipOptions(working, args, at + 1)));
  const isPackageVerb = isNamed("install i add remove rm uninstall update up link create init view info why", verb);
  const isOwnVerb = working.isNpm || isPackageVerb || isNamed("run test build start", verb);
  if (!isOwnVerb && isKnown(verb)) return inner(args.slice(at));
  const rest = withoutDirectories(working, args, at);
  if (isPackageVerb) touchLocalPackages(working.inside, rest);
  else touchLikely(working.inside, rest, 0);
  return undefined;
}

/** Returns the index of its verb, or of the command after it. */
function skipOptions(working: Working, args: readonly Value[], from: number): number {
  let index = from;
  while (args[index]?.text.startsWith("-") === true && args[index]?.text !== "--") {
    index += enterDirectory(working, args, index) || 1;
  }
  return args[index]?.text === "--" ? index + 1 : index;
}

/** `npm run build --prefix packages/app`; everything after `--` is for the script. */
function withoutDirectories(working: Working, args: readonly Value[], from: number): readonly Value[] {
  const rest: Value[] = [];
  for (let index = from; index < args.length;) {
    const arg = args[index] as Value;
    if (arg.text === "--") return [...rest, ...args.slice(index)];
    const taken = enterDirectory(working, args, index);
    if (taken === 0) rest.push(arg);
    index += taken || 1;
  }
  return rest;
}

/** Reads an option that names a directory. Returns how many arguments it takes; 0 for other arguments. */
function enterDirectory(working: Working, args: readonly Value[], index: number): number {
  const { text, rest } = args[index] as Value;
  const equals = text.indexOf("=");
  const name = equals === -1 ? text : text.slice(0, equals);
  const isDirectory = isNamed("--prefix -C --cwd --dir", name);
  // Except with npm, `-w` means the workspace's root.
  if (!isDirectory && !isNamed(working.isNpm ? "-w --workspace" : "-F --filter --workspace", name)) return 0;
  const value = equals === -1 ? args[index + 1] : { text: text.slice(equals + 1), rest };
  if (value !== undefined && isDirectory) {
    changeDirectory(working.base, value);
    working.inside = { ...working.base };
  } else if (value !== undefined && looksLikePath(value)) enterPackage(working, expandedByTool(value));
  return equals === -1 ? 2 : 1;
}

/** Of several packages the last one counts; a pattern may match any. */
function enterPackage(working: Working, value: Value): void {
  if (value.rest === "") {
    working.inside = { ...working.base };
    changeDirectory(working.inside, value);
  } else touchValue(working.base, value, "list");
}

/** A package's name may contain a slash as well, so only clear paths count. */
function touchLocalPackages(state: ShellState, args: readonly Value[]): void {
  for (const arg of args) {
    if ((arg.text.startsWith(".") || arg.text.startsWith("/")) && looksLikePath(arg)) touchValue(state, arg, "read");
  }
}
