import { join } from "node:path";
import type { UserDirectories } from "../config/user-directories.ts";
import { errnoOf, disk } from "../lib/fs.ts";
import { realEntry, isLinked, lstatOf } from "../lib/path-facts.ts";
import { READ_FAILURES, readStart } from "../lib/read-file.ts";
import { sha256 } from "../lib/sha256.ts";
import { compareText } from "../lib/sorting.ts";
import { copyOf, readRecord, withoutBytes } from "./records.ts";
import type { TrustedFile, TrustRecord } from "./schema.ts";

// The files of what is trusted: how they are read, and whether they are still those that the user trusted. Only the
// copies in the trust store are ever run.

export type Trust =
  /** `directory` has the verified copies, under the same paths; `named`: files of the clone, see TrustRecord. */
  | { readonly kind: "trusted"; readonly directory: string; readonly named: readonly TrustedFile[] }
  | { readonly kind: "untrusted"; readonly reason: string };

/**
 * Whether the user trusts an agent definition as it is now: exactly the trusted files, unchanged. Call this right
 * before running something of it, and load the definition from the copy.
 *
 * @input directory: contains an `agent.json`
 */
export function trustOfDefinition(userDirectories: UserDirectories, directory: string): Trust {
  let subject: string;
  try {
    subject = disk.realPath(directory);
  } catch (error) {
    return { kind: "untrusted", reason: `it can't be read (${errnoOf(error)})` };
  }
  const record = readRecord(userDirectories, "agent", subject);
  return verify(userDirectories, record, record?.files, readAll);
}

/**
 * Whether one file of a trusted project is still the trusted one.
 *
 * @input root: the project's directory; path: from there, with slashes
 */
export function trustOfProjectFile(userDirectories: UserDirectories, root: string, path: string): Trust {
  const record = readRecord(userDirectories, "project", realEntry(root)?.path ?? root);
  const files = record?.files.filter((file) => file.path === path);
  return verify(userDirectories, record, files, (directory) => readNamed(directory, [path]));
}

function verify(
  userDirectories: UserDirectories,
  record: TrustRecord | undefined,
  files: readonly TrustedFile[] = [],
  read: (directory: string) => SubjectRead,
): Trust {
  const whyNot = (directory: string) => {
    const present = read(directory);
    return present.kind === "unusable" ? present.problem : whyNotTrusted(compareFiles(files, present.files));
  };
  if (record === undefined || files.length === 0) return { kind: "untrusted", reason: "you have not trusted it" };
  const reason = whyNot(record.subject);
  if (reason !== undefined) return { kind: "untrusted", reason };
  const directory = copyOf(userDirectories, record);
  if (whyNot(directory) !== undefined) {
    return { kind: "untrusted", reason: "its copy in the trust store is damaged" };
  }
  return { kind: "trusted", directory, named: record.named ?? [] };
}

export interface ComparedFile extends TrustedFile {
  readonly state: "same" | "changed" | "new" | "gone";
}

/** Compares the files of a subject with the trusted ones, by path. */
export function compareFiles(trusted: readonly TrustedFile[], present: readonly TrustedFile[]): ComparedFile[] {
  const before = new Map(trusted.map((file) => [file.path, file]));
  const now = new Set(present.map(({ path }) => path));
  const gone = trusted.filter(({ path }) => !now.has(path));
  const compared = [
    ...present.map((file) => withState(file, stateOf(before.get(file.path), file))),
    ...gone.map((file) => withState(file, "gone")),
  ];
  return compared.toSorted((left, right) => compareText(left.path, right.path));
}

function withState(file: TrustedFile, state: ComparedFile["state"]): ComparedFile {
  return { ...withoutBytes(file), state };
}

function stateOf(before: TrustedFile | undefined, now: TrustedFile): ComparedFile["state"] {
  if (before === undefined) return "new";
  return before.sha256 === now.sha256 && before.isProgram === now.isProgram ? "same" : "changed";
}

const CHANGES = {
  changed: "has changed since it was trusted",
  new: "did not exist when it was trusted",
  gone: "has been removed since it was trusted",
} as const;

/** The first difference as a clause; undefined if there is none. */
export function whyNotTrusted(compared: readonly ComparedFile[]): string | undefined {
  for (const { path, state } of compared) if (state !== "same") return `'${path}' ${CHANGES[state]}`;
  return undefined;
}

/** The same for files of the clone that commands name: a trusted file that they don't name here is not run. */
export function whyNamedNotTrusted(trusted: readonly TrustedFile[], named: readonly TrustedFile[]): string | undefined {
  for (const { path, state } of compareFiles(trusted, named)) {
    if (state === "changed") return `'${path}' ${CHANGES.changed}`;
    if (state === "new") return `'${path}', which they name here, is not trusted`;
  }
  return undefined;
}

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
