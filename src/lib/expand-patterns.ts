import type { Dirent } from "node:fs";
import { resolve } from "node:path";
import { compareText } from "./sorting.ts";
import { entriesOf, isThere } from "./path-facts.ts";
import { isInside, isPattern, withSlashes } from "./paths.ts";

/** The most files and directories to examine for one pattern. */
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 100;
const LEFT_OUT = new Set(["node_modules", ".git"]);

export type Expanded =
  | { readonly kind: "paths"; readonly paths: readonly string[] }
  /** `reason` is a sentence that names the pattern. */
  | { readonly kind: "too-many"; readonly reason: string };

/**
 * Expands a pattern into the matching paths, sorted, as a shell does: names that begin with a dot match only if the
 * pattern has the dot, a pattern without matches stays as it is, and a path that exists is not expanded. Symbolic
 * links, `node_modules` and `.git` are skipped.
 */
export function expandPatterns(cwd: string, words: readonly string[], maxEntries = MAX_ENTRIES): Expanded {
  const paths: string[] = [];
  for (const word of words) {
    if (!isPattern(word) || isThere(resolve(cwd, word))) {
      paths.push(word);
      continue;
    }
    const found = matches(cwd, word, maxEntries);
    if (found === undefined) {
      const reason = `'${word}' has more than ${maxEntries} files and directories to look at; name a directory in front of the pattern`;
      return { kind: "too-many", reason };
    }
    paths.push(...(found.length === 0 ? [word] : found));
  }
  return { kind: "paths", paths };
}

/** Undefined if there is too much to examine. */
function matches(cwd: string, word: string, maxEntries: number): string[] | undefined {
  const { base, pattern } = split(cwd, word);
  let left = maxEntries;
  // As CommonJS, tinyglobby and fdir name the packages they need so that the bundler finds them. As a module, fdir
  // would look up picomatch at run time, in the node_modules of whatever clone it runs in, and execute it.
  const { globSync } = require("tinyglobby") as typeof import("tinyglobby");
  const found = globSync(pattern, {
    cwd: base,
    absolute: true,
    deep: MAX_DEPTH,
    onlyFiles: false,
    expandDirectories: false,
    followSymbolicLinks: false,
    fs: {
      readdirSync: ((directory: string): readonly Dirent[] => {
        const entries = left < 0 ? [] : entriesOf(directory);
        left -= entries.length;
        return entries.filter(({ name }) => !LEFT_OUT.has(name));
      }) as never,
    },
  });
  if (left < 0) return undefined;
  const paths = found.map((path) => resolve(path)).filter((path) => isInside(base, path));
  return paths.toSorted(compareText);
}

/** The leading directories that exist under exactly these names, and the rest. */
function split(cwd: string, word: string): { readonly base: string; readonly pattern: string } {
  const names = withSlashes(word).split("/");
  let count = 0;
  for (; count < names.length - 1; count++) {
    const isPlain = !/[*?{[\\(!+@]/.test(names[count] as string);
    if (!isPlain && !isThere(resolve(cwd, names.slice(0, count + 1).join("/")))) break;
  }
  const front = names.slice(0, count).join("/");
  const base = resolve(cwd, front === "" && word.startsWith("/") ? "/" : front);
  return { base, pattern: names.slice(count).join("/") };
}
