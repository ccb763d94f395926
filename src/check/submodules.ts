import { join, resolve } from "node:path";
import { isThere } from "../lib/is-there.ts";
import { readText } from "../lib/read-file.ts";
import { repositoryOf } from "./ignore-files.ts";

const MODULES_FILE = ".gitmodules";
const MAX_BYTES = 256 * 1024;
const MAX_MODULES = 1_000;
const PATH = /^[ \t]*path[ \t]*=[ \t]*"?([^"\r\n]+)/gm;

/**
 * The submodules of the repository that a directory belongs to, as far as they are not checked out.
 *
 * @output absolute
 * @effect reads
 * @error  none: a file that can't be read names none
 */
export function absentSubmodules(directory: string): string[] {
  const top = repositoryOf(directory) ?? directory;
  const read = readText(join(top, MODULES_FILE), MAX_BYTES);
  if (read.kind !== "text") return [];
  const paths = [...read.text.matchAll(PATH)]
    .slice(0, MAX_MODULES)
    .map(([, path = ""]) => resolve(top, path.trimEnd()));
  return paths.filter((path) => !isThere(join(path, ".git")));
}
