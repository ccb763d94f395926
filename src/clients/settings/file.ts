import { basename, dirname, join } from "node:path";
import { strictText } from "../../lib/bytes.ts";
import type { Diagnostic } from "../../lib/diagnostic.ts";
import { disk, errnoOf } from "../../lib/fs.ts";
import { parseJsonc } from "../../lib/jsonc.ts";
import { acquireLock } from "../../lib/lock.ts";
import { limitParsing } from "../../lib/parse-limit.ts";
import { isReallyInside } from "../../lib/path-facts.ts";
import { readStart } from "../../lib/read-file.ts";
import { parseToml } from "../../lib/toml.ts";
import { BOM, withoutBom } from "../../lib/text.ts";
import { removeQuietly, writeWhole, type Written } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";

/** A client's settings file. */
export type SettingsFile =
  | { readonly kind: "absent"; readonly path: string }
  | {
      readonly kind: "file";
      readonly path: string;
      /** The file that a link leads to. */
      readonly realPath: string;
      readonly mode: number;
      /** Without its byte order mark. */
      readonly text: string;
      readonly bom: string;
    }
  | { readonly kind: "unusable"; readonly path: string; readonly problem: Diagnostic<"hook-unusable"> };

export type SettingsWritten = { readonly kind: "written" } | { readonly kind: "failed"; readonly reason: string };

export interface WriteOptions {
  readonly within: string | undefined;
  readonly mode: number | undefined;
  /** The text has its byte order mark, or is to have none; otherwise the file keeps its own. */
  readonly hasOwnBom?: boolean;
}

const MAX_BYTES = 1024 * 1024;

const LOCK_WAIT_MS = 2_000;

/**
 * Reads a settings file. It can't be used if it is a dangling link or leads out of `within`, is not a regular file, too
 * large, not UTF-8, not JSON or TOML although it should be, or if a project's file takes too long to parse.
 *
 * @input  within: a directory that must contain the file after links are followed; undefined for a user's own file
 */
export function readSettings(
  world: Pick<World, "processorTime">,
  path: string,
  within: string | undefined,
  kind: "json" | "toml" | "any" = "json",
): SettingsFile {
  const unusable = (message: string, more?: { readonly line: number }): SettingsFile => ({
    kind: "unusable",
    path,
    problem: { rule: "hook-unusable", severity: "error", path, message, ...more },
  });
  try {
    if (within !== undefined && !isReallyInside(within, path)) return unusable(`a link leads out of '${within}'`);
    if (disk.look(path) === undefined) return { kind: "absent", path };
    const stats = disk.lookThrough(path);
    if (stats === undefined) return unusable("it is a link to nothing");
    if (stats.size > MAX_BYTES) return unusable(`it is larger than ${MAX_BYTES} bytes`);
    const realPath = disk.realPath(path);
    const read = readStart(realPath, MAX_BYTES);
    if (read.kind !== "read") return unusable(stats.isFile() ? "it can't be read" : "it is not a regular file");
    const whole = strictText(read.bytes);
    if (whole === undefined) return unusable("it is not UTF-8");
    const text = withoutBom(whole);
    const bom = text === whole ? "" : BOM;
    const whatItIs: SettingsFile = { kind: "file", path, realPath, mode: stats.mode & 0o7777, text, bom };
    if (kind !== "json") {
      if (kind === "any" && (within === undefined || !path.endsWith(".toml"))) return whatItIs;
      // Whoever edits it parses it again, so it must not take long.
      const parsed = within === undefined ? parseToml(text) : limitParsing(world)(() => parseToml(text));
      if (parsed.kind === "unparsed") return unusable(parsed.reason);
      return parsed.kind === "error" && kind === "toml" ? unusable(parsed.message, { line: parsed.line }) : whatItIs;
    }
    if (text.trim() === "") return unusable("it is empty; put {} into it, or remove it");
    const parsed = within === undefined ? parseJsonc(text) : limitParsing(world)(() => parseJsonc(text));
    if (parsed.kind === "unparsed") return unusable(parsed.reason);
    if (parsed.kind === "error") return unusable(parsed.message, { line: parsed.line });
    return whatItIs;
  } catch (error) {
    return unusable(`it can't be read (${errnoOf(error)})`);
  }
}

/**
 * Replaces a settings file, or removes it. A link stays; its target is replaced.
 *
 * @input  file: as `readSettings` gave it; text: undefined to remove it; mode: undefined to keep the file's own
 * @effect writes the file and creates its directory; removes the directories of a project that this leaves empty; holds
 *          a lock file beside it
 * @ensures a file that has changed since it was read is not touched, and a failed write changes nothing
 */
export function writeSettings(
  world: World,
  file: Exclude<SettingsFile, { kind: "unusable" }>,
  text: string | undefined,
  { within, mode, hasOwnBom = false }: WriteOptions,
): SettingsWritten {
  const target = file.kind === "file" ? file.realPath : file.path;
  const directory = dirname(target);
  try {
    disk.makeDirectory(directory);
  } catch (error) {
    return { kind: "failed", reason: `'${directory}' can't be made (${errnoOf(error)})` };
  }
  const lock = join(directory, `.${basename(target)}.codelia-lock`);
  const attempt = acquireLock(world, { path: lock, waitMs: LOCK_WAIT_MS });
  if (attempt.kind !== "locked") {
    return {
      kind: "failed",
      reason: `it can't be locked (${attempt.kind === "failed" ? attempt.reason : attempt.kind})`,
    };
  }
  let written: SettingsWritten = { kind: "failed", reason: "the lock was lost" };
  attempt.lock.finish(() => {
    written = isSame(readSettings(world, file.path, within, "any"), file)
      ? replace(world, target, file, text, mode, hasOwnBom)
      : { kind: "failed", reason: "it has just changed; look again" };
  });
  if (text === undefined && within !== undefined) removeEmptyDirectories(directory, within);
  return written;
}

function replace(
  world: World,
  target: string,
  file: Exclude<SettingsFile, { kind: "unusable" }>,
  text: string | undefined,
  mode: number | undefined,
  hasOwnBom: boolean,
): SettingsWritten {
  if (text === undefined) {
    // Otherwise the link would be left dangling.
    if (target !== file.path) removeQuietly(file.path);
    try {
      disk.remove(target);
    } catch (error) {
      return { kind: "failed", reason: `it can't be removed (${errnoOf(error)})` };
    }
    return { kind: "written" };
  }
  const existing = file.kind === "file" ? file : { bom: "", mode: undefined };
  const written: Written = writeWhole(world, target, (hasOwnBom ? "" : existing.bom) + text, {
    exactMode: mode ?? existing.mode,
  });
  return written.kind === "written" ? written : { kind: "failed", reason: `it can't be written (${written.errno})` };
}

function isSame(now: SettingsFile, then: SettingsFile): boolean {
  if (now.kind !== "file" || then.kind !== "file") return now.kind === then.kind;
  return now.realPath === then.realPath && now.bom === then.bom && now.text === then.text;
}

/** Removes empty directories from one upwards. */
function removeEmptyDirectories(lowest: string, within: string): void {
  try {
    for (let directory = lowest; isBelow(directory, within); directory = dirname(directory)) {
      disk.removeDirectory(directory);
    }
  } catch {
    // It is not empty, or we lack permission.
  }
}

function isBelow(directory: string, within: string): boolean {
  return directory !== within && dirname(directory) !== directory && isReallyInside(within, directory);
}
