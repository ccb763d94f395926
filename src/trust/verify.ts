import { errnoOf, disk } from "../lib/fs.ts";
import { realEntry } from "../lib/path-facts.ts";
import { compareText } from "../lib/sorting.ts";
import type { UserDirectories } from "../config/user-directories.ts";
import { copyOf, readRecord, withoutBytes } from "./records.ts";
import type { TrustedFile, TrustRecord } from "./schema.ts";
import { readAll, readNamed, type SubjectRead } from "./subject-files.ts";

// Whether the present files are those that the user trusted. Only the copies in the trust store are ever run.

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
