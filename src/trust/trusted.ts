import { dirname, join } from "node:path";
import type { Outcome } from "../command.ts";
import type { UserDirectories } from "../config/user-directories.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { realEntry } from "../lib/path-facts.ts";
import { counted } from "../lib/words.ts";
import type { World } from "../world.ts";
import { filtersOf } from "./filters.ts";
import { rereadNamedFiles } from "./named/files.ts";
import { listRecords, removeRecord } from "./records.ts";
import type { TrustRecord } from "./schema.ts";
import type { Subject } from "./subjects.ts";
import { readAll, readNamed, type SubjectRead, compareFiles, whyNotTrusted, type ComparedFile } from "./verify.ts";

/** Prints every record of the trust store, and what has changed since. */
export function listTrust(world: World, userDirectories: UserDirectories, json: boolean): Outcome {
  const subjects = listRecords(userDirectories).map((record) => viewOf(world, userDirectories, record));
  if (json) world.write(jsonLine({ subjects }));
  else world.write(subjects.map((view) => renderTrust({ ...view, asked: [] })).join(""));
  return "ok";
}

function viewOf(
  world: World,
  userDirectories: UserDirectories,
  { kind, subject, trustedAt, files, named = [] }: TrustRecord,
) {
  const present = presentFiles(world, userDirectories, kind, subject, files);
  const compared = compareFiles(files, present.kind === "read" ? present.files : files);
  const others = compareFiles(named, rereadNamedFiles(world, subject, named));
  const problem = present.kind === "unusable" ? present.problem : (whyNotTrusted([...compared, ...others]) ?? null);
  const view = { kind, directory: subject, trustedAt, problem, files: compared };
  return others.length === 0 ? view : { ...view, named: others };
}

function presentFiles(
  world: World,
  userDirectories: UserDirectories,
  kind: TrustRecord["kind"],
  subject: string,
  files: TrustRecord["files"],
): SubjectRead {
  switch (kind) {
    case "agent":
      return readAll(subject);
    case "project":
      return readNamed(
        subject,
        files.map(({ path }) => path),
      );
    case "repository":
      return filtersOf(world, userDirectories, subject)?.read ?? { kind: "read", files: [] };
  }
}

/** @input given: a directory, or a file of what is trusted; undefined for the nearest above `cwd` */
export function revokeTrust(
  world: World,
  userDirectories: UserDirectories,
  given: string | undefined,
  cwd: string,
  { json, quiet }: { readonly json: boolean; readonly quiet: boolean },
): Outcome {
  const start = given ?? cwd;
  const path = realEntry(start)?.path ?? start;
  const records = listRecords(userDirectories);
  const found = given === undefined ? nearest(records, path) : records.filter((record) => isPartOf(record, path));
  if (found.length === 0) {
    return {
      code: "not_found",
      message: `'${visible(path)}' is not trusted; list what is with 'codelia trust --list'`,
    };
  }
  for (const record of found) removeRecord(userDirectories, record);
  const revoked = found.map(({ kind, subject }) => ({ kind, directory: subject }));
  if (json) world.write(jsonLine({ revoked }));
  else if (!quiet) {
    for (const { directory } of revoked) world.complain(`codelia: '${visible(directory)}' is no longer trusted\n`);
  }
  return "ok";
}

function nearest(records: readonly TrustRecord[], path: string): TrustRecord[] {
  for (let directory = path; ; directory = dirname(directory)) {
    const found = records.filter(({ subject }) => subject === directory);
    if (found.length > 0 || dirname(directory) === directory) return found;
  }
}

function isPartOf({ subject, files }: TrustRecord, path: string): boolean {
  return subject === path || files.some((file) => join(subject, file.path) === path);
}

interface TrustView extends Pick<Subject, "kind" | "directory" | "asked"> {
  readonly files: readonly ComparedFile[];
  /** Files of the clone outside an agent definition that its commands name. */
  readonly named?: readonly ComparedFile[];
  /** Why it is no longer trusted. */
  readonly problem: string | null;
}

const TITLES = { project: "Project", agent: "Agent definition", repository: "Repository" } as const;

/** What a subject asks for, then its files as `sha256sum` prints them, with size and state. */
export function renderTrust({ kind, directory, files, named = [], asked, problem }: TrustView): string {
  const lines = [
    `${TITLES[kind]} ${visible(directory)}`,
    ...asked.map(({ key, value }) => `  asks for ${visible(key)} = ${visible(JSON.stringify(value))}`),
    ...files.map((file) => renderFile(file)),
    ...named.map((file) => renderFile(file, "of the clone")),
    ...(problem === null ? [] : [`  no longer trusted: ${visible(problem)}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function renderFile({ path, sha256, sizeBytes, isProgram, state }: ComparedFile, whose = ""): string {
  const notes = [counted(sizeBytes, "byte"), isProgram ? "program" : "", whose, state === "same" ? "" : state];
  return `  ${sha256}  ${visible(path)}  (${notes.filter(Boolean).join(", ")})`;
}
