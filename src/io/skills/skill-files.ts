import type { Dirent } from "node:fs";
import { join, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { disk } from "../disk.ts";
import { SKILL_FILE } from "./walk.ts";

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
  const walk = { directory, ignored, entriesLeft: MAX_ENTRIES, isCut: false, fileCount: 0 };
  const found = globSync("**", {
    cwd: WALKED_ROOT,
    dot: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    debug: false,
    fs: { readdirSync: ((path: string) => listIn(walk, path)) as never },
  });
  const files = found.filter((path) => path !== SKILL_FILE).toSorted();
  let room = MAX_LIST_BYTES;
  const shown = files.slice(0, MAX_FILES).map((path) => join(directory, path));
  const fitting = shown.filter((path) => (room -= new TextEncoder().encode(path).length) >= 0);
  // The package's patterns pass over names with a line's end in them.
  const isPartial = walk.isCut || found.length < walk.fileCount || fitting.length < files.length;
  return { files: fitting, moreFiles: isPartial };
}

/**
 * The package normalises the directory it starts from, and takes a backslash in it for a separator: it could end
 * up in another directory. So it walks a root that is the skill's directory in fact.
 */
const WALKED_ROOT = resolve("/");

interface BoundedWalk {
  readonly directory: string;
  readonly ignored: ReadonlySet<string>;
  entriesLeft: number;
  isCut: boolean;
  fileCount: number;
}

function listIn(walk: BoundedWalk, walked: string): Dirent[] {
  const way = walked.slice(WALKED_ROOT.length);
  const depth = way.split("/").length - 1;
  if (depth > MAX_DEPTH || walk.entriesLeft <= 0) {
    walk.isCut = true;
    return [];
  }
  const entries = disk.list(join(walk.directory, way)).filter(({ name }) => !walk.ignored.has(name));
  const kept = entries.toSorted((left, right) => (left.name < right.name ? -1 : 1)).slice(0, walk.entriesLeft);
  walk.entriesLeft -= entries.length;
  walk.fileCount += kept.filter((entry) => entry.isFile()).length;
  if (kept.length < entries.length) walk.isCut = true;
  return kept;
}
