import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, normalize } from "node:path";

/** Added to a time, because utimes takes seconds as a float and rounds down. */
const ROUNDING_MS = 0.0005;

interface Details {
  /** Permission bits, set after everything was created, deepest entry first. */
  readonly mode?: number;
  readonly mtimeMs?: number;
}
export type Entry =
  | string
  | Uint8Array
  | ({ readonly text: string } & Details)
  | ({ readonly dir: true } & Details)
  | { readonly link: string }
  | { readonly fifo: true };

/** An empty directory; in a table its key may end in a slash, for the reader. */
export const dir = { dir: true } as const;

export interface TempTree {
  /** The real path of the tree's root. */
  readonly root: string;
  path(...parts: string[]): string;
  write(path: string, text: string | Uint8Array): void;
  read(path: string): string;
  remove(path: string): void;
  /** Sets the mtime of something that exists. */
  touch(path: string, mtimeMs: number): void;
  [Symbol.dispose](): void;
}

/**
 * A directory of its own under the system's temporary directory, made from a table of paths:
 * `using tree = tempTree({ "a/AGENTS.md": "text", "b": { link: "a" }, "c/": dir, "pipe": { fifo: true } })`.
 * Parents are made as needed. The tree is removed at the end of the scope, whatever its permissions.
 */
export function tempTree(table: Readonly<Record<string, Entry>> = {}): TempTree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "codelia-test-")));
  const at = (path: string) => join(root, checkInside(path));
  const tree: TempTree = {
    root,
    path: (...parts) => join(root, ...parts),
    write: (path, text) => writeEntry(at(path), text),
    read: (path) => readFileSync(at(path), "utf8"),
    remove: (path) => removeTree(at(path)),
    touch: (path, mtimeMs) => setMtime(at(path), mtimeMs),
    [Symbol.dispose]: () => removeTree(root),
  };
  try {
    for (const [path, entry] of Object.entries(table)) writeEntry(at(path), entry);
    setDetails(Object.entries(table).map(([path, entry]) => [at(path), entry]));
  } catch (error) {
    removeTree(root);
    throw error;
  }
  return tree;
}

function checkInside(path: string): string {
  const inside = normalize(path);
  if (isAbsolute(path) || inside === ".." || inside.startsWith("../")) throw new Error(`'${path}' is outside the tree`);
  return inside;
}

function writeEntry(path: string, entry: Entry): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof entry === "string" || entry instanceof Uint8Array) writeFileSync(path, entry);
  else if ("text" in entry) writeFileSync(path, entry.text);
  else if ("link" in entry) symlinkSync(entry.link, path);
  else if ("fifo" in entry) execFileSync("mkfifo", [path]);
  else mkdirSync(path, { recursive: true });
}

/** Deepest first, mtime before mode: a directory that has lost its permissions can't be entered again. */
function setDetails(entries: readonly (readonly [string, Entry])[]): void {
  for (const [path, entry] of entries.toSorted(([left], [right]) => right.length - left.length)) {
    if (typeof entry === "string" || !("text" in entry || "dir" in entry)) continue;
    if (entry.mtimeMs !== undefined) setMtime(path, entry.mtimeMs);
    if (entry.mode !== undefined) chmodSync(path, entry.mode);
  }
}

function setMtime(path: string, mtimeMs: number): void {
  const seconds = (mtimeMs + ROUNDING_MS) / 1000;
  utimesSync(path, seconds, seconds);
}

function removeTree(path: string): void {
  makeRemovable(path);
  rmSync(path, { recursive: true, force: true });
}

function makeRemovable(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) makeRemovable(join(path, name));
}

/** The name of `.git` in a fixture, because git does not commit a `.git` in a subdirectory. */
const GIT_IN_FIXTURES = "dot-git";

/** Copies the contents of a directory into another, which may exist. Links stay links; `dot-git` becomes `.git`. */
export function copyTree(from: string, to: string, leaveOut: ReadonlySet<string> = new Set()): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (leaveOut.has(entry.name)) continue;
    const source = join(from, entry.name);
    const target = join(to, entry.name === GIT_IN_FIXTURES ? ".git" : entry.name);
    if (entry.isDirectory()) copyTree(source, target, leaveOut);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) copyFileSync(source, target);
  }
}
