import { dirname, join, resolve } from "node:path";
import { ladder } from "../../core/paths.ts";
import { readIgnoreRules, type IgnoreRules } from "../../core/ignore/rules.ts";
import { isThere } from "../is-there.ts";
import { readText } from "../read-file.ts";

export const IGNORE_FILE = ".gitignore";
const MAX_IGNORE_BYTES = 1024 * 1024;
const MAX_POINTER_BYTES = 4096;

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
  let rules = readRules(join(gitDirectory(top), "info", "exclude"), top, undefined);
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

/** Where it keeps what all its working trees share; in one of those `.git` is a file that leads there. */
function gitDirectory(top: string): string {
  const own = join(top, ".git");
  const pointer = readText(own, MAX_POINTER_BYTES);
  if (pointer.kind !== "text" || !pointer.text.startsWith("gitdir: ")) return own;
  const directory = resolve(top, pointer.text.slice("gitdir: ".length).trimEnd());
  const common = readText(join(directory, "commondir"), MAX_POINTER_BYTES);
  return common.kind === "text" ? resolve(directory, common.text.trimEnd()) : directory;
}
