import type { Stats } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { characterBoundary } from "../lib/bytes.ts";
import { disk, identityOf } from "../lib/fs.ts";
import { entriesOf, realPathOf } from "../lib/path-facts.ts";
import { digestOf } from "../lib/hash.ts";
import { readStart, whyUnread } from "../lib/read-file.ts";
import { SKILL_FILE, type Skill } from "./skill.ts";

export type SkillRead =
  | { readonly kind: "read"; readonly text: SkillText }
  /** `reason` completes "skill … can't be loaded: ". */
  | { readonly kind: "unusable"; readonly reason: string };

export interface SkillText extends SkillFiles {
  /** The whole SKILL.md, or its first MAX_SKILL_BYTES. */
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Of the whole text; undefined if only its beginning is read. */
  readonly digest: number | undefined;
  readonly baseUrl: string;
}

const MAX_SKILL_BYTES = 1024 * 1024;
/** The longest character. */
const CHARACTER_BYTES = 4;

/**
 * Reads a skill's text and lists its files, all inside the skill's directory.
 *
 * @param skill its path as discovered, canonical
 * @param ignored directories whose files are not listed
 */
export function readSkill(skill: Pick<Skill, "path" | "dir" | "changedMs">, ignored: ReadonlySet<string>): SkillRead {
  const read = readStart(skill.path, MAX_SKILL_BYTES + CHARACTER_BYTES);
  if (read.kind !== "read") return { kind: "unusable", reason: whyUnread(read) };
  const files = listSkillFiles(skill.dir, ignored);
  const stats = statsAt(skill.path);
  if (stats === undefined || identityOf(stats) !== read.identity) {
    return { kind: "unusable", reason: "it was replaced while it was read" };
  }
  // Permission was granted for the file as it was when it was found.
  if (skill.changedMs !== undefined && skill.changedMs !== stats.ctimeMs) {
    return { kind: "unusable", reason: "it has just changed; load it again" };
  }
  const isWhole = read.bytes.length === read.version.sizeBytes && read.bytes.length <= MAX_SKILL_BYTES;
  const text: SkillText = {
    bytes: read.bytes.subarray(0, characterBoundary(read.bytes, MAX_SKILL_BYTES)),
    sizeBytes: read.version.sizeBytes,
    mtimeMs: read.version.mtimeMs,
    digest: isWhole ? digestOf(read.bytes) : undefined,
    baseUrl: pathToFileURL(`${skill.dir}/`).href,
    ...files,
  };
  return { kind: "read", text };
}

/** A directory on the way may have become a link since permission was granted; its files are then not listed. */
function statsAt(path: string): Stats | undefined {
  try {
    return realPathOf(path) === path ? disk.look(path) : undefined;
  } catch {
    return undefined;
  }
}

export interface SkillFiles {
  /** Absolute, sorted. */
  readonly files: readonly string[];
  /** A limit was reached: there may be more. */
  readonly moreFiles: boolean;
}

const MAX_FILES = 500;
const MAX_LIST_BYTES = 64 * 1024;
const MAX_DEPTH = 16;
const MAX_ENTRIES = 20_000;

/**
 * The files of a skill except its SKILL.md: the first in order of their paths, as many as the limits allow. Links are
 * neither followed nor listed, and a directory that can't be read has no files.
 *
 * @param directory canonical
 */
export function listSkillFiles(directory: string, ignored: ReadonlySet<string>): SkillFiles {
  const { found, isCut } = walk(directory, ignored);
  const files = found.filter((path) => path !== SKILL_FILE).toSorted();
  let room = MAX_LIST_BYTES;
  const shown = files.slice(0, MAX_FILES).map((path) => join(directory, path));
  const fitting = shown.filter((path) => (room -= new TextEncoder().encode(path).length) >= 0);
  return { files: fitting, moreFiles: isCut || fitting.length < files.length };
}

/** Level by level: if a limit is reached, the files nearest to the top are included. */
function walk(top: string, ignored: ReadonlySet<string>): { found: string[]; isCut: boolean } {
  const found: string[] = [];
  const directories = [{ prefix: "", depth: 0 }];
  let [entriesLeft, isCut] = [MAX_ENTRIES, false];
  for (const { prefix, depth } of directories) {
    if (depth > MAX_DEPTH || entriesLeft <= 0) {
      isCut = true;
      continue;
    }
    const entries = entriesOf(join(top, prefix)).filter(({ name }) => !ignored.has(name));
    const kept = entries.toSorted((left, right) => (left.name < right.name ? -1 : 1)).slice(0, entriesLeft);
    entriesLeft -= entries.length;
    isCut ||= kept.length < entries.length;
    for (const entry of kept) {
      const path = prefix + entry.name;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory()) directories.push({ prefix: `${path}/`, depth: depth + 1 });
    }
  }
  return { found, isCut };
}
