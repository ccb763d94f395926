import { basename, dirname } from "node:path";
import { visible } from "../lib/escape.ts";
import { disk, errnoOf, identityOf } from "../lib/fs.ts";
import { withoutInvisible } from "../lib/invisible.ts";
import { namesIn } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { readStart, readText } from "../lib/read-file.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { isUnsafe, type Fix, type Finding } from "./findings.ts";
import { MAX_TEXT_BYTES } from "./instruction-files.ts";
import { linkEnd, targetIn } from "./lost-links.ts";

export type FixOutcome = { readonly kind: "fixed" } | { readonly kind: "failed"; readonly reason: string };

const FIXED = { kind: "fixed" } as const;
const CHANGED = { kind: "failed", reason: "it has just changed" } as const;
const TAKEN = { kind: "failed", reason: "the name has just been taken" } as const;
const SHARED = {
  kind: "failed",
  reason: "it has a further name (a hard link), which would keep the old text",
} as const;

/**
 * Applies one fix, or leaves everything unchanged.
 *
 * @param root canonical; nothing outside is written
 * @ensures a text loses only invisible characters; a name changes only its letter case
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
      case "import":
        return addImports(world, root, fix);
      case "new-link":
        return addLink(root, fix);
    }
  } catch (error) {
    return { kind: "failed", reason: errnoOf(error) };
  }
}

function rename(world: World, root: string, { from, to }: Extract<Fix, { kind: "rename" }>): FixOutcome {
  const itself = disk.look(from);
  if (!isPlaceInside(root, from) || itself?.isFile() !== true) return CHANGED;
  const present = disk.look(to);
  if (present === undefined) disk.rename(from, to);
  else if (identityOf(present) !== identityOf(itself) || namesIn(dirname(to)).includes(basename(to))) return TAKEN;
  else renameFolded(world, from, to);
  return FIXED;
}

/** In two steps: on a file system that ignores letter case, a rename to the same name has no effect. */
function renameFolded(world: World, from: string, to: string): void {
  const between = `${from}.${world.random()}.tmp`;
  disk.rename(from, between);
  try {
    if (disk.look(to) !== undefined) throw Object.assign(new Error(), { code: "EEXIST" });
    disk.rename(between, to);
  } catch (error) {
    disk.rename(between, from);
    throw error;
  }
}

/** The target is checked again: another fix may have made it a link. */
function putLink(world: World, root: string, { path, target }: Extract<Fix, { kind: "link" }>): FixOutcome {
  if (!isPlaceInside(root, path) || targetIn(path) !== target || linkEnd(path, target, root) !== "text") return CHANGED;
  const beside = `${path}.${world.random()}.tmp`;
  disk.makeLink(target, beside);
  disk.rename(beside, path);
  return FIXED;
}

function strip(world: World, root: string, path: string): FixOutcome {
  const realPath = disk.realPath(path);
  if (!isInside(root, realPath)) return CHANGED;
  const stats = disk.look(realPath);
  if (stats !== undefined && stats.nlink > 1) return SHARED;
  const read = readStart(realPath, MAX_TEXT_BYTES + 1);
  if (read.kind !== "read" || read.bytes.length > MAX_TEXT_BYTES) return CHANGED;
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read.bytes);
  const written = writeWhole(world, realPath, withoutInvisible(text), {
    exactMode: stats && stats.mode & 0o7777,
  });
  return written.kind === "written" ? FIXED : { kind: "failed", reason: written.errno };
}

function addImports(world: World, root: string, { places }: Extract<Fix, { kind: "import" }>): FixOutcome {
  for (const place of places) {
    const edit = importEdit(root, place);
    if (edit === undefined) return CHANGED;
    const stats = disk.look(place.path);
    if (stats !== undefined && stats.nlink > 1) return SHARED;
    const mode = stats && { exactMode: stats.mode & 0o7777 };
    const written = writeWhole(world, place.path, edit.after, mode ?? {});
    if (written.kind !== "written") return { kind: "failed", reason: written.errno };
  }
  return FIXED;
}

/** What a file is before and after it imports another; undefined if it can't be written. */
export function importEdit(
  root: string,
  { path, line }: { readonly path: string; readonly line: string },
): { readonly before: string | undefined; readonly after: string } | undefined {
  if (!isPlaceInside(root, path)) return undefined;
  const stats = disk.look(path);
  if (stats === undefined) return { before: undefined, after: `${line}\n` };
  const read = stats.isFile() ? readText(path, MAX_TEXT_BYTES) : undefined;
  if (read?.kind !== "text") return undefined;
  const before = read.text;
  const gap = before === "" || before.endsWith("\n") ? "\n" : "\n\n";
  return { before, after: `${before}${before.trim() === "" ? "" : gap}${line}\n` };
}

function addLink(root: string, { path, target }: Extract<Fix, { kind: "new-link" }>): FixOutcome {
  if (!isPlaceInside(root, path)) return CHANGED;
  if (disk.look(path) !== undefined) return TAKEN;
  disk.makeLink(target, path);
  return FIXED;
}

/** The path itself may be a link, but its directory must be inside. */
function isPlaceInside(root: string, path: string): boolean {
  return isInside(root, disk.realPath(dirname(path)));
}

/**
 * Applies the fixes of findings, the unsafe ones if asked, and returns the findings that were fixed; a fix that fails is a warning. Fixing
 * one may make another possible, so call it until it fixes nothing: each fix is tried once.
 */
export function findingsFixer(
  world: World,
  root: string,
  withUnsafe: boolean,
): (findings: readonly Finding[]) => Finding[] {
  const tried = new Set<string>();
  return (findings) => {
    const outcomes = new Map<string, boolean>();
    return findings.filter(({ fix }) => {
      if (fix === undefined || (isUnsafe(fix) && !withUnsafe)) return false;
      // Several findings in one text may have the same fix.
      const key = JSON.stringify(fix);
      const isFixed = outcomes.get(key) ?? (!tried.has(key) && isApplied(world, root, fix));
      tried.add(key);
      outcomes.set(key, isFixed);
      return isFixed;
    });
  };
}

function isApplied(world: World, root: string, fix: Fix): boolean {
  const outcome = applyFix(world, root, fix);
  if (outcome.kind === "fixed") return true;
  const path = pathOf(fix);
  world.warn(`'${visible(path)}' can't be repaired: ${outcome.reason}`);
  return false;
}

function pathOf(fix: Fix): string {
  if (fix.kind === "rename") return fix.from;
  return fix.kind === "import" ? (fix.places[0]?.path ?? "") : fix.path;
}
