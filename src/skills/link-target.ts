import { disk, errnoOf } from "../lib/fs.ts";

/** Where a symbolic link leads. `path` has every link resolved. */
export type LinkTarget =
  | { readonly kind: "file" | "directory" | "other"; readonly path: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "unseen"; readonly errno: string };

/**
 * @effect none
 * @error  none
 */
export function linkTarget(path: string): LinkTarget {
  try {
    const stats = disk.lookThrough(path);
    if (stats === undefined) return { kind: "nothing" };
    const kind = stats.isDirectory() ? "directory" : stats.isFile() ? "file" : "other";
    return { kind, path: disk.realPath(path) };
  } catch (error) {
    const errno = errnoOf(error);
    return errno === "ELOOP" ? { kind: "nothing" } : { kind: "unseen", errno };
  }
}

/** The same as one text, to compare. */
export function describeTarget(target: LinkTarget): string {
  return "path" in target ? `${target.kind} ${target.path}` : target.kind;
}
