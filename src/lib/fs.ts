import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  linkSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
  type Dirent,
  type Stats,
} from "node:fs";
import { sep } from "node:path";

const SILENT = { throwIfNoEntry: false } as const;
const EXACT = { bigint: true } as const;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITE_FLAGS = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Every file system call of the program, one line each and synchronous, so that a test can make any single call fail.
 * No call follows a link in the last component of a path it opens, and none blocks on a FIFO.
 *
 * `look` and `lookThrough` return undefined if nothing is there; every other error is thrown as Node's errno exception.
 */
export const disk = {
  look: (path: string): Stats | undefined => lstatSync(path, SILENT),
  /** For thousands of paths that exist: it takes a fifth less time, and throws if nothing is there. */
  lookAtExisting: lstatSync as (path: string) => Stats,
  lookThrough: (path: string): Stats | undefined => statSync(path, SILENT),
  /** With whole inode numbers. */
  lookExactly: (path: string): BigIntStats => lstatSync(path, EXACT),
  lookThroughExactly: (path: string): BigIntStats => statSync(path, EXACT),
  realPath: (path: string): string => realpathSync.native(path),
  readLink: (path: string): string => readlinkSync(path),
  list: (path: string): Dirent[] => readdirSync(path, { withFileTypes: true }),
  assertExecutable: (path: string): void => accessSync(path, constants.X_OK),
  assertWritable: (path: string): void => accessSync(path, constants.W_OK),
  openToRead: (path: string): number => openSync(path, READ_FLAGS),
  openToCreate: (path: string, mode = 0o666): number =>
    openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode),
  openToOverwrite: (path: string): number => openSync(path, WRITE_FLAGS),
  /** Creates the file if necessary; writes go to its end. */
  openToAppend: (path: string): number =>
    openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o666),
  facts: (descriptor: number): Stats => fstatSync(descriptor),
  /** `at`: null to continue where the last read ended. */
  read: (descriptor: number, into: Uint8Array, at: number | null = null): number =>
    readSync(descriptor, into, 0, into.length, at),
  /** Reads to the end, as UTF-8: a quarter of the cost of a buffer and a decoder. */
  readText: (descriptor: number): string => readFileSync(descriptor, "utf8"),
  write: (descriptor: number, bytes: Uint8Array): number => writeSync(descriptor, bytes),
  setMode: (descriptor: number, mode: number): void => fchmodSync(descriptor, mode),
  close: (descriptor: number): void => closeSync(descriptor),
  makeDirectory: (path: string, mode = 0o777): void => void mkdirSync(path, { recursive: true, mode }),
  /** Creates a new directory with a unique name that begins with `prefix`. */
  makeTemporary: (prefix: string): string => mkdtempSync(prefix),
  removeTree: (path: string): void => rmSync(path, { recursive: true, force: true }),
  makeLink: (target: string, path: string): void => symlinkSync(target, path),
  /** Adds a second name; fails with `EEXIST` if the file exists. */
  addName: (path: string, name: string): void => linkSync(path, name),
  rename: (from: string, to: string): void => renameSync(from, to),
  remove: (path: string): void => unlinkSync(path),
  removeDirectory: (path: string): void => rmdirSync(path),
};

/** The errno name of a failed call, e.g. "ENOENT". */
export function errnoOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown";
}

/** Whether Windows refuses a call only because another process has the file open, which is temporary. */
export function isInUse(errno: string): boolean {
  return sep !== "/" && (errno === "EPERM" || errno === "EACCES" || errno === "EBUSY");
}

/** What an errno means for looking at a file or reading it. */
export type Obstacle = "absent" | "loop" | "special" | "no-permission" | "unreadable";

export function obstacleOf(error: unknown): Obstacle {
  return OBSTACLES[errnoOf(error)] ?? "unreadable";
}

const OBSTACLES: Readonly<Record<string, Obstacle>> = {
  ENOENT: "absent",
  ENOTDIR: "absent",
  ENAMETOOLONG: "absent",
  ELOOP: "loop",
  ENXIO: "special",
  EISDIR: "special",
  EACCES: "no-permission",
  EPERM: "no-permission",
};

/**
 * Device and inode: the identity of a file under any name. Where inode numbers are too large for a double (NTFS), files
 * with neighbouring numbers would look the same, so the time of birth is added. Not for directories, whose identity is
 * kept in ledgers: some file systems change their time of birth.
 */
export function identityOf(stats: Pick<Stats, "dev" | "ino" | "birthtimeMs" | "isDirectory">): string {
  const { dev, ino } = stats;
  if (Number.isSafeInteger(ino) || stats.isDirectory()) return `${dev}:${ino}`;
  return `${dev}:${ino}:${stats.birthtimeMs}`;
}

/**
 * The version of a file when it was told or cached. Another mtime or size makes it new; another `ctimeMs` only if its
 * text differs too.
 */
export interface FileVersion {
  readonly mtimeMs: number;
  readonly sizeBytes: number;
  readonly ctimeMs?: number | undefined;
}

export function versionOf(stats: Stats): FileVersion {
  return { mtimeMs: wholeMs(stats), sizeBytes: stats.size, ctimeMs: withoutFraction(stats.ctimeMs) };
}

/** The mtime in whole milliseconds, as all code that compares or prints it expects. */
export function wholeMs(stats: Stats): number {
  return withoutFraction(stats.mtimeMs);
}

/** Of a time before 1970: 0. */
function withoutFraction(milliseconds: number): number {
  return milliseconds > 0 ? milliseconds - (milliseconds % 1) : 0;
}
