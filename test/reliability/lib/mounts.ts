import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why this machine lets no test mount anything; undefined when it does. */
export const WHY_NO_MOUNTS: string | undefined = whyNoMounts();

/** An empty file system of a given size at an existing directory, until the end of the scope. */
export function mountTmpfs(directory: string, options: string): Disposable {
  mount("-t", "tmpfs", "-o", options, "tmpfs", directory);
  return { [Symbol.dispose]: () => unmount(directory) };
}

/** Makes a whole tree read-only, for root too, until the end of the scope. */
export function mountReadOnly(directory: string): Disposable {
  mount("--bind", directory, directory);
  try {
    mount("-o", "remount,bind,ro", directory);
  } catch (error) {
    unmount(directory);
    throw error;
  }
  return { [Symbol.dispose]: () => unmount(directory) };
}

function whyNoMounts(): string | undefined {
  if (process.platform !== "linux") return "only Linux mounts like this";
  if (process.getuid?.() !== 0) return "only root may mount";
  const directory = mkdtempSync(join(tmpdir(), "codelia-mount-"));
  try {
    mountTmpfs(directory, "size=64k")[Symbol.dispose]();
    return undefined;
  } catch (error) {
    return `this machine allows no mounts: ${(error as Error).message.trim()}`;
  } finally {
    rmdirSync(directory);
  }
}

function mount(...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync("mount", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`mount ${args.join(" ")}: ${error?.message ?? stderr}`);
}

function unmount(directory: string): void {
  const { status, stderr } = spawnSync("umount", [directory], { encoding: "utf8" });
  if (status !== 0) throw new Error(`umount ${directory}: ${stderr}`);
}
