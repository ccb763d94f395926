import { join } from "node:path";
import { disk, errnoOf } from "../lib/fs.ts";
import { isLinked, lstatOf } from "../lib/path-facts.ts";
import { READ_FAILURES, readStart } from "../lib/read-file.ts";
import { sha256 } from "../lib/sha256.ts";
import { compareText } from "../lib/sorting.ts";
import type { TrustedFile } from "./schema.ts";

/** More than a definition or a plugin needs, and few enough to review. */
const MAX_FILES = 500;
export const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 8;
/** Neither trusted nor copied, so the copy can't use it. */
const LEFT_OUT = new Set([".git", "node_modules", ".DS_Store"]);
const ANY_EXECUTE = 0o111;

/** A file with the bytes that were read once: the same bytes are hashed, shown and copied. */
export interface SubjectFile extends TrustedFile {
  readonly bytes: Uint8Array;
}

export type SubjectRead =
  | { readonly kind: "read"; readonly files: readonly SubjectFile[] }
  | { readonly kind: "unusable"; readonly problem: string };

/**
 * Reads the named files below a directory. No part of their paths may be a link.
 *
 * @input  directory: links resolved; paths: from there, with slashes
 */
export function readNamed(directory: string, paths: readonly string[]): SubjectRead {
  const files: SubjectFile[] = [];
  let room = MAX_BYTES;
  for (const path of new Set(paths)) {
    const read = readSubjectFile(directory, path, room);
    if (typeof read === "string") return { kind: "unusable", problem: read };
    files.push(read);
    room -= read.sizeBytes;
  }
  return { kind: "read", files };
}

/** Reads every file below a directory, links resolved. A link below it, or a special file, makes it unusable. */
export function readAll(directory: string): SubjectRead {
  const paths: string[] = [];
  const problem = walk(directory, "", 0, paths);
  return problem === undefined ? readNamed(directory, paths) : { kind: "unusable", problem };
}

/** Collects the paths of all files; returns the problem, if there is one. */
function walk(directory: string, within: string, depth: number, found: string[]): string | undefined {
  if (depth > MAX_DEPTH) return `'${within}' is deeper than ${MAX_DEPTH} directories`;
  let entries;
  try {
    entries = disk.list(join(directory, within));
  } catch (error) {
    return `'${within || directory}' can't be listed (${errnoOf(error)})`;
  }
  for (const entry of entries.toSorted((left, right) => compareText(left.name, right.name))) {
    if (LEFT_OUT.has(entry.name)) continue;
    const path = within === "" ? entry.name : `${within}/${entry.name}`;
    if (entry.isDirectory()) {
      const problem = walk(directory, path, depth + 1, found);
      if (problem !== undefined) return problem;
    } else if (entry.isFile()) found.push(path);
    else return `'${path}' is ${entry.isSymbolicLink() ? "a link" : "not a regular file"}`;
    if (found.length > MAX_FILES) return `there are more than ${MAX_FILES} files`;
  }
  return undefined;
}

function readSubjectFile(directory: string, path: string, room: number): SubjectFile | string {
  const steps = path.split("/");
  const onTheWay = steps.map((_, index) => join(directory, ...steps.slice(0, index + 1)));
  const link = onTheWay.findIndex(isLinked);
  if (link >= 0) return `'${steps.slice(0, link + 1).join("/")}' is a link`;
  return readSubjectBytes(join(directory, path), path, room);
}

/** @input at: its real path; path: the name under which it is trusted */
export function readSubjectBytes(at: string, path: string, room: number): SubjectFile | string {
  const read = readStart(at, room + 1);
  if (read.kind === "absent") return `'${path}' does not exist`;
  if (read.kind === "unusable") return `'${path}' ${READ_FAILURES[read.reason]}`;
  if (read.bytes.length > room) return `its files have more than ${MAX_BYTES} bytes in all`;
  const { bytes } = read;
  return { path, sha256: sha256(bytes), sizeBytes: bytes.length, isProgram: isProgram(at), bytes };
}

function isProgram(path: string): boolean {
  return ((lstatOf(path)?.mode ?? 0) & ANY_EXECUTE) !== 0;
}
