import { join } from "node:path";
import { entriesOf } from "../lib/path-facts.ts";
import { SKILL_FILE } from "./skill.ts";

export interface SkillFiles {
  /** Absolute, sorted. */
  readonly files: readonly string[];
  /** A limit bit: there may be more. */
  readonly moreFiles: boolean;
}

const MAX_FILES = 500;
const MAX_LIST_BYTES = 64 * 1024;
const MAX_DEPTH = 16;
const MAX_ENTRIES = 20_000;

/**
 * The files of a skill but its SKILL.md. Links are neither followed nor listed.
 *
 * @input  directory: canonical; ignored: names of directories whose files are not listed
 * @output the first files in order of their paths, as many as the limits allow
 * @effect reads directories, none but `directory` and those in it
 * @error  none: a directory that can't be read has no files
 */
export function listSkillFiles(directory: string, ignored: ReadonlySet<string>): SkillFiles {
  const { found, isCut } = walk(directory, ignored);
  const files = found.filter((path) => path !== SKILL_FILE).toSorted();
  let room = MAX_LIST_BYTES;
  const shown = files.slice(0, MAX_FILES).map((path) => join(directory, path));
  const fitting = shown.filter((path) => (room -= new TextEncoder().encode(path).length) >= 0);
  return { files: fitting, moreFiles: isCut || fitting.length < files.length };
}

/** By hand: a package that walks may look for another one as it runs, and then finds it in a clone's node_modules. */
function walk(directory: string, ignored: ReadonlySet<string>): { found: string[]; isCut: boolean } {
  const found: string[] = [];
  // Level by level: where a limit bites, what is near is there.
  const ways = [{ way: "", depth: 0 }];
  let [entriesLeft, isCut] = [MAX_ENTRIES, false];
  for (const { way, depth } of ways) {
    if (depth > MAX_DEPTH || entriesLeft <= 0) {
      isCut = true;
      continue;
    }
    const entries = entriesOf(join(directory, way)).filter(({ name }) => !ignored.has(name));
    const kept = entries.toSorted((left, right) => (left.name < right.name ? -1 : 1)).slice(0, entriesLeft);
    entriesLeft -= entries.length;
    isCut ||= kept.length < entries.length;
    for (const entry of kept) {
      const path = `${way}${entry.name}`;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory()) ways.push({ way: `${path}/`, depth: depth + 1 });
    }
  }
  return { found, isCut };
}
