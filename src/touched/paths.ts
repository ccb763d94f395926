import { absolutePath } from "../lib/paths.ts";
import type { ReadShell } from "./shell/state.ts";

/** `list` reads names only: those in a directory, or whether something exists. */
export type Access = "read" | "write" | "list";

/** Absolute and normalised; no link is followed. */
export type TouchedPath = { readonly path: string; readonly access: Access };

const MAX_PATHS = 512;
const MAX_LENGTH = 4096;
/** How many words and paths of one payload are examined. */
const MAX_WORK = 20_000;

/** What a payload touches, each path once, with its strongest access. */
export type Found = {
  readonly paths: Map<string, Access>;
  /** The files whose text it prints, if the caller needs them. */
  readonly shown: ShownFile[] | undefined;
  /** Parses what `plainCommands()` can't; undefined while the grammar isn't loaded. */
  readonly readShell: ReadShell | undefined;
  /** The grammar was needed and not loaded. */
  isUnread: boolean;
  work: number;
};

/** A file of which so many lines are printed, from its beginning. */
export type ShownFile = { readonly path: string; readonly lines: number };

export function nothingFound(readShell?: ReadShell, shown?: ShownFile[]): Found {
  return { paths: new Map(), shown, readShell, isUnread: false, work: 0 };
}

/** Whether to stop looking. */
export function isFull(found: Found): boolean {
  return found.work > MAX_WORK || found.paths.size >= MAX_PATHS;
}

/** Adds a path, unless it is impossible or a device. */
export function touch(found: Found, base: string, path: string, access: Access): void {
  found.work++;
  if (path === "" || path.length > MAX_LENGTH || isFull(found) || path.includes("\0")) return;
  const absolute = absolutePath(base, path);
  if (absolute.startsWith("/dev/")) return;
  const known = found.paths.get(absolute);
  if (known === undefined || isStronger(access, known)) found.paths.set(absolute, access);
}

export function touchedPaths(found: Found): TouchedPath[] {
  return Array.from(found.paths, ([path, access]) => ({ path, access }));
}

function isStronger(access: Access, than: Access): boolean {
  return access === "write" ? than !== "write" : access === "read" && than === "list";
}

/** The position of the first of some characters; -1 without one. */
export function indexOfAny(text: string, characters: string): number {
  for (let index = 0; index < text.length; index++) if (characters.includes(text[index] as string)) return index;
  return -1;
}

export function hasAny(text: string, characters: string): boolean {
  return indexOfAny(text, characters) !== -1;
}

/** Whether an address begins with a scheme: `https://…`. */
export function hasScheme(text: string): boolean {
  const colon = text.indexOf("://");
  return colon > 1 && !hasAny(text.slice(0, colon), "/ .\n");
}
