import { errnoOf, disk } from "../lib/fs.ts";
import { realPlace } from "../lib/path-facts.ts";
import type { UserPlaces } from "../config/user-places.ts";
import { copyOf, readRecord, withoutBytes } from "./records.ts";
import type { TrustedFile, TrustRecord } from "./schema.ts";
import { readAll, readNamed, type SubjectRead } from "./subject-files.ts";

// Whether what is there now is what the user trusted. Only the copies in the trust store are ever run.

export type Trust =
  /** `directory` holds the verified copies, under the same paths; `named`: files of the clone, see TrustRecord. */
  | { readonly kind: "trusted"; readonly directory: string; readonly named: readonly TrustedFile[] }
  | { readonly kind: "untrusted"; readonly reason: string };

/**
 * Whether the user trusts an agent definition as it is now: every file the one that was agreed to, none more, none less.
 * Ask right before something of it runs, and load it anew from the copy.
 *
 * @input directory: holds an `agent.json`
 */
export function trustOfDefinition(places: UserPlaces, directory: string): Trust {
  let subject: string;
  try {
    subject = disk.realPath(directory);
  } catch (error) {
    return { kind: "untrusted", reason: `it can't be read (${errnoOf(error)})` };
  }
  const record = readRecord(places, "agent", subject);
  return verify(places, record, record?.files, readAll);
}

/**
 * Whether one file of a trusted project still is the one that was agreed to.
 *
 * @input root: the project's directory; path: from there, with slashes
 */
export function trustOfProjectFile(places: UserPlaces, root: string, path: string): Trust {
  const record = readRecord(places, "project", realPlace(root)?.path ?? root);
  const files = record?.files.filter((file) => file.path === path);
  return verify(places, record, files, (directory) => readNamed(directory, [path]));
}

function verify(
  places: UserPlaces,
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
  const directory = copyOf(places, record);
  if (whyNot(directory) !== undefined) {
    return { kind: "untrusted", reason: "its copy in the trust store is damaged" };
  }
  return { kind: "trusted", directory, named: record.named ?? [] };
}

export interface ComparedFile extends TrustedFile {
  readonly state: "same" | "changed" | "new" | "gone";
}

/** The files of a subject against what was trusted of it, by path. */
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

function withState(file: TrustedFile, state: ComparedFile["state"]): ComparedFile {
  return { ...withoutBytes(file), state };
}

function stateOf(before: TrustedFile | undefined, now: TrustedFile): ComparedFile["state"] {
  if (before === undefined) return "new";
  return before.sha256 === now.sha256 && before.isProgram === now.isProgram ? "same" : "changed";
}

const CHANGES = {
  changed: "has changed since it was trusted",
  new: "was not there when it was trusted",
  gone: "has gone since it was trusted",
} as const;

/** The first difference as a clause; undefined where there is none. */
export function whyNotTrusted(compared: readonly ComparedFile[]): string | undefined {
  for (const { path, state } of compared) if (state !== "same") return `'${path}' ${CHANGES[state]}`;
  return undefined;
}

/** The same for files of the clone that commands name: one that was trusted and is not named here is not run. */
export function whyNamedNotTrusted(trusted: readonly TrustedFile[], named: readonly TrustedFile[]): string | undefined {
  for (const { path, state } of compareFiles(trusted, named)) {
    if (state === "changed") return `'${path}' ${CHANGES.changed}`;
    if (state === "new") return `'${path}', which they name here, is not trusted`;
  }
  return undefined;
}
