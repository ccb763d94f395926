import { dirname, join } from "node:path";
import { disk } from "./disk.ts";
import { readStart, readText } from "./read-file.ts";

const MAX_SETTINGS_BYTES = 1024 * 1024;
/** Enough to see whether a file says something. */
const START_BYTES = 4096;

/**
 * A client's settings files as data.
 *
 * @output undefined for one that is not there, or can't be read or parsed
 * @effect none
 * @error  none
 */
export async function readSettings(paths: readonly string[]): Promise<unknown[]> {
  const settings: unknown[] = [];
  for (const path of paths) settings.push(await readSettingsFile(path));
  return settings;
}

async function readSettingsFile(path: string): Promise<unknown> {
  const read = readText(path, MAX_SETTINGS_BYTES);
  if (read.kind !== "text") return undefined;
  const parsed = path.endsWith(".toml")
    ? (await import("./toml.ts")).parseToml(read.text)
    : (await import("./jsonc.ts")).parseJsonc(read.text);
  return parsed.kind === "data" ? parsed.data : undefined;
}

/**
 * The directories, from one upwards, in which a file of one of the names says something.
 *
 * @effect reads the starts of files
 * @error  none
 */
export function speakingDirectories(start: string, names: readonly string[]): Set<string> {
  return directoriesWith(start, names, saysSomething);
}

/**
 * The directories, from one upwards, in which anything of one of the names stands.
 *
 * @effect none
 * @error  none
 */
export function markedDirectories(start: string, names: readonly string[]): Set<string> {
  return directoriesWith(start, names, isThere);
}

function directoriesWith(start: string, names: readonly string[], test: (path: string) => boolean): Set<string> {
  const found = new Set<string>();
  if (names.length === 0) return found;
  for (let directory = start; ; directory = dirname(directory)) {
    for (const name of names) if (test(join(directory, name))) found.add(directory);
    if (dirname(directory) === directory) return found;
  }
}

function isThere(path: string): boolean {
  try {
    return disk.lookThrough(path) !== undefined;
  } catch {
    return false;
  }
}

function saysSomething(path: string): boolean {
  const read = readStart(path, START_BYTES);
  return read.kind === "read" && new TextDecoder().decode(read.bytes).trim() !== "";
}
