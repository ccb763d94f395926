import { join } from "node:path";
import { directoryOfRoot, type UserDirectories } from "../config/user-directories.ts";
import { disk } from "../lib/fs.ts";
import { namesIn } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";
import { compareText } from "../lib/sorting.ts";
import { isTable } from "../lib/table.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import type { SubjectKind, TrustedFile, TrustRecord } from "./schema.ts";
import type { SubjectFile } from "./verify.ts";

// The trust store: in the user's state directory, never in a repository. Each record says what the user trusts of one
// project, agent definition or repository, and is stored beside copies of the files.

const MAX_RECORD_BYTES = 1024 * 1024;

const OWN = { directoryMode: 0o700, fileMode: 0o600 } as const;

/** @input subject: a directory, links resolved */
export function readRecord(
  userDirectories: UserDirectories,
  kind: SubjectKind,
  subject: string,
): TrustRecord | undefined {
  const record = readRecordIn(directoryOf(userDirectories, kind, subject));
  // Two names may have the same hash.
  return record?.kind === kind && record.subject === subject ? record : undefined;
}

/** Every record, sorted by subject. */
export function listRecords(userDirectories: UserDirectories): TrustRecord[] {
  const store = storeOf(userDirectories);
  return namesIn(store)
    .map((name) => readRecordIn(join(store, name)))
    .filter((record) => record !== undefined)
    .toSorted((a, b) => compareText(`${a.subject}\0${a.kind}`, `${b.subject}\0${b.kind}`));
}

/** The directory of a record's copies, each under the file's own path. */
export function copyOf(userDirectories: UserDirectories, record: TrustRecord): string {
  return join(directoryOf(userDirectories, record.kind, record.subject), record.copy);
}

/**
 * Records that the user trusts these files. The subject's own files are copied; files that its commands name run where
 * they are.
 *
 * @output the errno if it can't be recorded
 * @effect the copies first, then the record in one step
 */
export function writeRecord(
  world: World,
  userDirectories: UserDirectories,
  kind: SubjectKind,
  subject: string,
  { files, named = [] }: { readonly files: readonly SubjectFile[]; readonly named?: readonly SubjectFile[] },
): string | undefined {
  const directory = directoryOf(userDirectories, kind, subject);
  const copy = world.random();
  for (const { path, bytes, isProgram } of files) {
    const modes = { directoryMode: 0o700, fileMode: isProgram ? 0o700 : 0o600 };
    const written = writeWhole(world, join(directory, copy, path), bytes, modes);
    if (written.kind === "failed") return written.errno;
  }
  const record: TrustRecord = {
    version: 1,
    kind,
    subject,
    trustedAt: world.now(),
    copy,
    files: files.map(withoutBytes),
    ...(named.length > 0 && { named: named.map(withoutBytes) }),
  };
  const written = writeWhole(world, join(directory, "record.json"), `${JSON.stringify(record)}\n`, OWN);
  if (written.kind === "failed") return written.errno;
  for (const name of namesIn(directory)) if (name !== copy && name !== "record.json") removeTree(join(directory, name));
  return undefined;
}

/** The recorded and printed facts about a file. */
export function withoutBytes({ path, sha256, sizeBytes, isProgram }: TrustedFile): TrustedFile {
  return { path, sha256, sizeBytes, isProgram };
}

/** The record goes first: without it, the copies don't count. */
export function removeRecord(userDirectories: UserDirectories, record: TrustRecord): void {
  const directory = directoryOf(userDirectories, record.kind, record.subject);
  removeQuietly(join(directory, "record.json"));
  removeTree(directory);
}

/** The directory of all records and copies. */
export function storeOf(userDirectories: UserDirectories): string {
  return join(userDirectories.state, "trust");
}

function directoryOf(userDirectories: UserDirectories, kind: SubjectKind, subject: string): string {
  return directoryOfRoot(storeOf(userDirectories), `${kind}\0${subject}`);
}

function readRecordIn(directory: string): TrustRecord | undefined {
  const read = readText(join(directory, "record.json"), MAX_RECORD_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const data: unknown = JSON.parse(read.text);
    return isTrustRecord(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function removeTree(path: string): void {
  try {
    disk.removeTree(path);
  } catch {
    // Leftovers are harmless without a record.
  }
}

/** TrustRecordSchema without zod: every call in a trusted project reads a record. A test compares the two. */
export function isTrustRecord(value: unknown): value is TrustRecord {
  return (
    isTable(value) &&
    Object.keys(value).length === (value["named"] === undefined ? 6 : 7) &&
    value["version"] === 1 &&
    isKind(value["kind"]) &&
    typeof value["subject"] === "string" &&
    Number.isSafeInteger(value["trustedAt"]) &&
    typeof value["copy"] === "string" &&
    /^[a-z0-9]+$/.test(value["copy"]) &&
    isFileList(value["files"]) &&
    (value["named"] === undefined || isFileList(value["named"]))
  );
}

function isKind(value: unknown): value is SubjectKind {
  return value === "project" || value === "agent" || value === "repository";
}

function isFileList(value: unknown): value is TrustedFile[] {
  return Array.isArray(value) && value.every(isTrustedFile);
}

function isTrustedFile(value: unknown): value is TrustedFile {
  return (
    isTable(value) &&
    Object.keys(value).length === 4 &&
    typeof value["path"] === "string" &&
    typeof value["sha256"] === "string" &&
    /^[0-9a-f]{64}$/.test(value["sha256"]) &&
    Number.isSafeInteger(value["sizeBytes"]) &&
    Number(value["sizeBytes"]) >= 0 &&
    typeof value["isProgram"] === "boolean"
  );
}
