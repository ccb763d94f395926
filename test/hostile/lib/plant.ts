import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TempTree } from "../../support/temp-tree.ts";

/** Why no device can be made here; undefined when one can. */
export const WHY_NO_DEVICES: string | undefined = whyNoDevices();

/** Why no path is so long here, and no name is mere bytes; undefined where they are. */
export const WHY_NOT_LINUX: string | undefined = process.platform === "linux" ? undefined : "only Linux has such names";
/** Why two names that differ in letter case or normal form are one here; undefined where they are two. */
export const WHY_FOLDED: string | undefined = whyFolded();

/** Ten gigabytes that take no room, after a beginning of one's own. */
export function plantSparse(path: string, beginning: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const descriptor = openSync(path, "w");
  writeSync(descriptor, beginning);
  ftruncateSync(descriptor, 10 * 1024 ** 3);
  closeSync(descriptor);
}

/** A socket that someone listens on. */
export async function plantSocket(tree: TempTree, path: string): Promise<Disposable> {
  const server = createServer();
  // The path of a socket must be short; it is the same one wherever it is moved.
  await new Promise<void>((resolve) => server.listen(tree.path("s"), resolve));
  mkdirSync(dirname(path), { recursive: true });
  renameSync(tree.path("s"), path);
  return { [Symbol.dispose]: () => void server.close() };
}

/** The device that never ends: whoever reads it never comes back. */
export function plantDevice(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mknod", [path, "c", "1", "5"]);
}

/**
 * Directories in directories, also deeper than any path can name, with a file in the last; made from within, because
 * no path reaches there. They are gone before the tree is, for the same reason.
 */
export function plantDeep(tree: TempTree, path: string, depth: number, file: string, text: string): Disposable {
  // As many at once as one path holds.
  const parts = Array.from({ length: Math.ceil(depth / 1000) }, (_, index) =>
    "d/".repeat(Math.min(1000, depth - index * 1000)),
  );
  const script =
    'cd "$1" && shift && file=$1 text=$2 && shift 2 && for part; do mkdir -p "$part" && cd -P "$part" || exit 1; done; printf %s "$text" > "$file"';
  const planted = { [Symbol.dispose]: () => void execFileSync("rm", ["-rf", tree.path(path, "d")]) };
  const args = ["-c", script, "sh", tree.path(path), file, text, ...parts];
  const { status, stderr } = spawnSync("sh", args, { encoding: "utf8" });
  if (status === 0) return planted;
  planted[Symbol.dispose]();
  throw new Error(`no directories so deep: ${stderr}`);
}

function whyFolded(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), "codelia-names-"));
  try {
    for (const name of ["a", "A", "\u00E9", "e\u0301"]) writeFileSync(join(directory, name), "");
    return readdirSync(directory).length === 4 ? undefined : "the file system takes such names for one";
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function whyNoDevices(): string | undefined {
  if (process.platform !== "linux") return "devices have other numbers here";
  if (process.getuid?.() !== 0) return "only root makes devices";
  const path = join(tmpdir(), `codelia-device-${process.pid}`);
  const { status, error } = spawnSync("mknod", [path, "c", "1", "5"]);
  rmSync(path, { force: true });
  if (error !== undefined) return "there is no 'mknod' here";
  return status === 0 ? undefined : "this machine allows no devices";
}
