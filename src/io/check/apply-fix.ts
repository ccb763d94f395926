import { dirname } from "node:path";
import { withoutInvisible } from "../../core/check/strip-invisible.ts";
import type { Fix } from "../../core/findings.ts";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../world.ts";
import { disk, errnoOf } from "../disk.ts";
import { readStart } from "../read-file.ts";
import { writeWhole } from "../write-file.ts";
import { MAX_TEXT_BYTES } from "./read-instruction-texts.ts";

export type FixOutcome = { readonly kind: "fixed" } | { readonly kind: "failed"; readonly reason: string };

const FIXED = { kind: "fixed" } as const;
const CHANGED = { kind: "failed", reason: "it has just changed" } as const;

/**
 * Repairs one thing, or leaves it as it was.
 *
 * @input  root: canonical; nothing outside is written
 * @effect the file that the fix names
 * @error  none
 * @ensures a text loses nothing but characters that can't be seen, a name nothing but its letter case
 */
export function applyFix(world: World, root: string, fix: Fix): FixOutcome {
  try {
    switch (fix.kind) {
      case "rename":
        return rename(world, root, fix);
      case "link":
        return putLink(world, root, fix);
      case "strip":
        return strip(world, root, fix.path);
    }
  } catch (error) {
    return { kind: "failed", reason: errnoOf(error) };
  }
}

/** In two steps: where letter case does not count, a name can't take its own place. */
function rename(world: World, root: string, { from, to }: Extract<Fix, { kind: "rename" }>): FixOutcome {
  if (!isPlaceInside(root, from)) return CHANGED;
  const between = `${from}.${world.random()}.tmp`;
  disk.rename(from, between);
  try {
    if (disk.look(to) !== undefined) throw Object.assign(new Error(), { code: "EEXIST" });
    disk.rename(between, to);
    return FIXED;
  } catch (error) {
    disk.rename(between, from);
    throw error;
  }
}

function putLink(world: World, root: string, { path, target }: Extract<Fix, { kind: "link" }>): FixOutcome {
  if (!isPlaceInside(root, path)) return CHANGED;
  const beside = `${path}.${world.random()}.tmp`;
  disk.makeLink(target, beside);
  disk.rename(beside, path);
  return FIXED;
}

function strip(world: World, root: string, path: string): FixOutcome {
  const realPath = disk.realPath(path);
  if (!isInside(root, realPath)) return CHANGED;
  const read = readStart(realPath, MAX_TEXT_BYTES + 1);
  if (read.kind !== "read" || read.bytes.length > MAX_TEXT_BYTES) return CHANGED;
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read.bytes);
  const written = writeWhole(world, realPath, withoutInvisible(text), { exactMode: modeOf(realPath) });
  return written.kind === "written" ? FIXED : { kind: "failed", reason: written.errno };
}

/** The name itself may be a link; the directory it stands in may not lead out. */
function isPlaceInside(root: string, path: string): boolean {
  return isInside(root, disk.realPath(dirname(path)));
}

function modeOf(path: string): number | undefined {
  const mode = disk.look(path)?.mode;
  return mode === undefined ? undefined : mode & 0o7777;
}
