import type { SubjectKind, TrustedFile, TrustRecord } from "./schema.ts";
import { isTable } from "../lib/table.ts";

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
