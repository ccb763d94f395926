import { join } from "node:path";
import { isTrustRecord } from "./trust.ts";
import { placeOfRoot, type UserPlaces } from "../config/user-places.ts";
import type { SubjectKind, TrustedFile, TrustRecord } from "./schema.ts";
import type { World } from "../world.ts";
import { disk } from "../lib/fs.ts";
import { readText } from "../lib/read-file.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { SubjectFile } from "./subject-files.ts";
import { namesIn } from "../lib/names-in.ts";

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
