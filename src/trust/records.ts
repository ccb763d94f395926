import { join } from "node:path";
import { placeOfRoot, type UserPlaces } from "../config/user-places.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { namesIn, realPlace } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";
import { isTable } from "../lib/table.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import type { SubjectKind, TrustedFile, TrustRecord } from "./schema.ts";
import { readAll, readNamed, type SubjectFile } from "./subject-files.ts";

export type FileState = "same" | "changed" | "new" | "gone";

export interface ComparedFile extends TrustedFile {
  readonly state: FileState;
}

/** Each file of a subject against what was trusted of it, by path. */
export function compareFiles(trusted: readonly TrustedFile[], present: readonly TrustedFile[]): ComparedFile[] {
  const before = new Map(trusted.map((file) => [file.path, file]));
  const now = new Set(present.map(({ path }) => path));
  const gone = trusted.filter(({ path }) => !now.has(path));
  const compared = [
    ...present.map((file) => withState(file, stateOf(before.get(file.path), file))),
    ...gone.map((file) => withState(file, "gone")),
  ];
  return compared.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Without what else the caller may know of it. */
function withState({ path, sha256, sizeBytes, isProgram }: TrustedFile, state: FileState): ComparedFile {
  return { path, sha256, sizeBytes, isProgram, state };
}

function stateOf(before: TrustedFile | undefined, now: TrustedFile): FileState {
  if (before === undefined) return "new";
  return before.sha256 === now.sha256 && before.isProgram === now.isProgram ? "same" : "changed";
}

/** Why what is there now is not what was trusted; undefined where it is. */
export function whyNotTrusted(compared: readonly ComparedFile[]): string | undefined {
  const other = compared.find(({ state }) => state !== "same");
  switch (other?.state) {
    case "changed":
      return `'${other.path}' has changed since it was trusted`;
    case "new":
      return `'${other.path}' was not there when it was trusted`;
    case "gone":
      return `'${other.path}' has gone since it was trusted`;
    default:
      return undefined;
  }
}

/**
 * Why files that commands name are not those that were trusted; undefined where they are. What was trusted and is not
 * named here does not count: it is not run.
 */
export function whyNamedNotTrusted(trusted: readonly TrustedFile[], named: readonly TrustedFile[]): string | undefined {
  for (const { path, state } of compareFiles(trusted, named)) {
    if (state === "changed") return `'${path}' has changed since it was trusted`;
    if (state === "new") return `'${path}', which they name here, is not trusted`;
  }
  return undefined;
}

/** TrustRecordSchema as plain checks: a project's permission rules are judged by it in every call. A test holds the two equal. */
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

const MAX_RECORD_BYTES = 1024 * 1024;

const OWN = { directoryMode: 0o700, fileMode: 0o600 } as const;

/**
 * What the user trusts of one project or definition.
 *
 * @input  subject: a directory, links resolved
 * @output undefined where there is no record of it, or none that can be read
 * @effect none
 * @error  none
 */
export function readRecord(places: UserPlaces, kind: SubjectKind, subject: string): TrustRecord | undefined {
  const record = readRecordIn(directoryOf(places, kind, subject));
  // Two names may have one hash.
  return record?.kind === kind && record.subject === subject ? record : undefined;
}

/**
 * Every record, by subject.
 *
 * @effect none
 * @error  none
 */
export function listRecords(places: UserPlaces): TrustRecord[] {
  const store = storeOf(places);
  return namesIn(store)
    .map((name) => readRecordIn(join(store, name)))
    .filter((record) => record !== undefined)
    .toSorted((a, b) => (`${a.subject}\0${a.kind}` < `${b.subject}\0${b.kind}` ? -1 : 1));
}

/** The directory of the verified copies of a record's files, each under its own path. */
export function copyOf(places: UserPlaces, record: TrustRecord): string {
  return join(directoryOf(places, record.kind, record.subject), record.copy);
}

/**
 * Records that the user trusts these files, and keeps a copy of each of its own: those that it names run where they are.
 *
 * @output undefined when it is recorded, else the errno
 * @effect the trust store, readable by the user alone: the copies first, then the record in one step
 * @error  none
 */
export function writeRecord(
  world: World,
  places: UserPlaces,
  kind: SubjectKind,
  subject: string,
  { files, named = [] }: { readonly files: readonly SubjectFile[]; readonly named?: readonly SubjectFile[] },
): string | undefined {
  const directory = directoryOf(places, kind, subject);
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

/** What is recorded of a file, and printed. */
export function withoutBytes({ path, sha256, sizeBytes, isProgram }: TrustedFile): TrustedFile {
  return { path, sha256, sizeBytes, isProgram };
}

/**
 * @effect the record is gone, then its copies
 * @error  none
 */
export function removeRecord(places: UserPlaces, record: TrustRecord): void {
  const directory = directoryOf(places, record.kind, record.subject);
  removeQuietly(join(directory, "record.json"));
  removeTree(directory);
}

/** Where all records and copies are. */
export function storeOf(places: UserPlaces): string {
  return join(places.state, "trust");
}

function directoryOf(places: UserPlaces, kind: SubjectKind, subject: string): string {
  return placeOfRoot(storeOf(places), `${kind}\0${subject}`);
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
    // Without a record nothing in it counts.
  }
}

export type Trust =
  | {
      readonly kind: "trusted";
      /** The verified copy: the same files under the same paths. What runs, and what it reads of the definition, is here. */
      readonly directory: string;
      /** The files of the clone that its commands may name, as they were agreed to. */
      readonly named: readonly TrustedFile[];
    }
  | {
      readonly kind: "untrusted";
      /** A clause for a sentence that ends with the way out, which is `codelia trust <directory>`. */
      readonly reason: string;
    };

/**
 * Whether the user trusts an agent definition just as it is now: every file the one that was shown and agreed to, none
 * more, none less. Ask right before something of it runs, and load it anew from the copy.
 *
 * @input  directory: of the definition, which holds an `agent.json`
 * @output the verified copy, or why there is none
 * @effect reads every file of the definition and of its copy
 * @error  none
 */
export function trustOf(places: UserPlaces, directory: string): Trust {
  let subject: string;
  try {
    subject = disk.realPath(directory);
  } catch (error) {
    return untrusted(`it can't be looked at (${errnoOf(error)})`);
  }
  const record = readRecord(places, "agent", subject);
  if (record === undefined) return untrusted("you have not trusted it");
  const present = readAll(subject);
  if (present.kind === "unusable") return untrusted(present.problem);
  const change = whyNotTrusted(compareFiles(record.files, present.files));
  if (change !== undefined) return untrusted(change);
  const copy = copyOf(places, record);
  const copied = readAll(copy);
  if (copied.kind === "unusable" || whyNotTrusted(compareFiles(record.files, copied.files)) !== undefined) {
    return untrusted("its copy in the trust store is damaged");
  }
  return { kind: "trusted", directory: copy, named: record.named ?? [] };
}

function untrusted(reason: string): Trust {
  return { kind: "untrusted", reason };
}

export type TrustedCopy =
  | { readonly kind: "trusted"; readonly copy: string; readonly directory: string }
  | { readonly kind: "untrusted"; readonly reason: string };

/**
 * One file of a trusted project, where it still is what its user agreed to.
 *
 * @input  root: the project's directory; path: from there, with slashes
 * @output its verified copy and the directory that copies of the project's files are in, or why there is none
 * @effect reads the file and its copy
 * @error  none
 */
export function trustedCopy(places: UserPlaces, root: string, path: string): TrustedCopy {
  const subject = realPlace(root)?.path ?? root;
  const record = readRecord(places, "project", subject);
  const trusted = record?.files.filter((file) => file.path === path) ?? [];
  if (record === undefined || trusted.length === 0) return untrustedCopy("you have not trusted it");
  const present = readNamed(subject, [path]);
  if (present.kind === "unusable") return untrustedCopy(present.problem);
  const change = whyNotTrusted(compareFiles(trusted, present.files));
  if (change !== undefined) return untrustedCopy(change);
  const directory = copyOf(places, record);
  const copied = readNamed(directory, [path]);
  if (copied.kind === "unusable" || whyNotTrusted(compareFiles(trusted, copied.files)) !== undefined) {
    return untrustedCopy("its copy in the trust store is damaged");
  }
  return { kind: "trusted", copy: join(directory, path), directory };
}

function untrustedCopy(reason: string): TrustedCopy {
  return { kind: "untrusted", reason };
}
