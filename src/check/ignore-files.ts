import { dirname, join } from "node:path";
import { ladder } from "../lib/paths.ts";
import { readIgnoreRules, type IgnoreRules } from "../lib/ignore.ts";
import { commonDirectoryOf, gitDirectoryOf } from "../lib/git-repository.ts";
import { isThere } from "../lib/is-there.ts";
import { readText } from "../lib/read-file.ts";

export const IGNORE_FILE = ".gitignore";
const MAX_IGNORE_BYTES = 1024 * 1024;

/**
 * The rules that hold in a directory because of what stands above it: the repository's own excludes, and each ignore
 * file on the way down. Those of the directory itself are not among them.
 *
 * @input  directory: absolute; root: where the way begins if no repository does
 * @effect reads
 * @error  none: an ignore file that is a link, too large or not readable says nothing, as to git
 */
export function rulesAbove(directory: string, root: string): IgnoreRules | undefined {
  const top = repositoryOf(directory) ?? root;
  let rules = readRules(join(commonDirectoryOf(gitDirectoryOf(top)), "info", "exclude"), top, undefined);
  for (const rung of ladder(top, directory).slice(0, -1)) rules = rulesIn(rung, rules);
  return rules;
}

/** Those of a directory's own ignore file, on top of those above. */
export function rulesIn(directory: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
  return readRules(join(directory, IGNORE_FILE), directory, above);
}

/** The nearest directory upwards that git keeps something in; undefined where there is none. */
export function repositoryOf(start: string): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    if (isThere(join(directory, ".git"))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function readRules(path: string, base: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
  const read = readText(path, MAX_IGNORE_BYTES);
  return read.kind === "text" ? readIgnoreRules(base, read.text, above) : above;
}
