import { expandedByTool, looksLikePath, touchLikely } from "../likely-path.ts";
import { isNamed } from "./arguments.ts";
import { changeDirectory, exactly, touchValue, type ShellState, type Value } from "../shell/state.ts";
import type { Inner } from "./wrappers.ts";

/** Where a package manager works, and where what it runs does: in one of several packages. */
type Places = { readonly isNpm: boolean; readonly base: ShellState; inside: ShellState };

/** What a package manager runs: the command of `npm exec`, `pnpm vitest`, `bun x`, the code of `bun -e`. */
export function packageManagerPaths(
  outer: ShellState,
  args: readonly Value[],
  isKnown: (program: string) => boolean,
): Inner | undefined {
  const name = args[0]?.text;
  const places: Places = { isNpm: name === "npm", base: { ...outer }, inside: { ...outer } };
  if (name === "bun" && isNamed("-e --eval -p --print -", args[1]?.text ?? "")) {
    return { state: outer, args: [exactly("node"), ...args.slice(1)], isFed: false };
  }
  const at = skipOptions(places, args, 1);
  const verb = args[at]?.text ?? "";
  if (isNamed("exec x dlx", verb) || (name === "deno" && verb === "eval")) {
    const behind = args.slice(skipOptions(places, args, at + 1));
    const isCode = verb === "eval";
    return { state: places.inside, args: isCode ? [exactly("node"), exactly("-e"), ...behind] : behind, isFed: false };
  }
  const isLocal = isNamed("install i add remove rm uninstall update up link create init view info why", verb);
  const isOwnVerb = places.isNpm || isLocal || isNamed("run test build start", verb);
  if (!isOwnVerb && isKnown(verb)) return { state: places.inside, args: args.slice(at), isFed: false };
  const rest = withoutPlaces(places, args, at);
  if (isLocal) touchLocalPackages(places.inside, rest);
  else touchLikely(places.inside, rest, 0);
  return undefined;
}

/** Where its verb is, or the command behind it. */
function skipOptions(places: Places, args: readonly Value[], from: number): number {
  let index = from;
  while (args[index]?.text.startsWith("-") === true && args[index]?.text !== "--")
    index += enterPlace(places, args, index) || 1;
  return args[index]?.text === "--" ? index + 1 : index;
}

/** `npm run build --prefix packages/app`; what stands behind `--` is the script's. */
function withoutPlaces(places: Places, args: readonly Value[], from: number): readonly Value[] {
  const rest: Value[] = [];
  for (let index = from; index < args.length;) {
    const arg = args[index] as Value;
    if (arg.text === "--") return [...rest, ...args.slice(index)];
    const taken = enterPlace(places, args, index);
    if (taken === 0) rest.push(arg);
    index += taken || 1;
  }
  return rest;
}

/** How many arguments it takes to say so, if any. */
function enterPlace(places: Places, args: readonly Value[], index: number): number {
  const { text, rest } = args[index] as Value;
  const equals = text.indexOf("=");
  const name = equals === -1 ? text : text.slice(0, equals);
  const isDirectory = isNamed("--prefix -C --cwd --dir", name);
  // Elsewhere than with npm, `-w` is the workspace's root.
  if (!isDirectory && !isNamed(places.isNpm ? "-w --workspace" : "-F --filter --workspace", name)) return 0;
  const value = equals === -1 ? args[index + 1] : { text: text.slice(equals + 1), rest };
  if (value !== undefined && isDirectory) {
    changeDirectory(places.base, value);
    places.inside = { ...places.base };
  } else if (value !== undefined && looksLikePath(value)) enterPackage(places, expandedByTool(value));
  return equals === -1 ? 2 : 1;
}

/** The last of several; a pattern's may be any. */
function enterPackage(places: Places, value: Value): void {
  if (value.rest === "") {
    places.inside = { ...places.base };
    changeDirectory(places.inside, value);
  } else touchValue(places.base, value, "list");
}

/** A package's name has a slash as well. */
function touchLocalPackages(state: ShellState, args: readonly Value[]): void {
  for (const arg of args) {
    if ((arg.text.startsWith(".") || arg.text.startsWith("/")) && looksLikePath(arg)) touchValue(state, arg, "read");
  }
}
