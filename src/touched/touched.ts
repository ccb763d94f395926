import { resolve, sep } from "node:path";
import { windowsPath } from "../lib/paths.ts";
import type { ReadShell } from "./shell/state.ts";

/** `list` looks at names only: a directory's, or whether something is there. */
export type Access = "read" | "write" | "list";

/** Absolute and normalised by its text alone: no link is followed. */
export type TouchedPath = { readonly path: string; readonly access: Access };

const MAX_PATHS = 512;

const MAX_LENGTH = 4096;

/** What one payload may cost, in words and paths looked at. */
const MAX_WORK = 20_000;

/** What a payload touches, each path once, with the strongest access it has. */
export type Found = {
  readonly places: Map<string, Access>;
  /** The files whose text it prints, where that is asked for. */
  readonly shown: ShownFile[] | undefined;
  /** Reads what `plainCommands` can't; undefined while the grammar isn't loaded. */
  readonly readShell: ReadShell | undefined;
  /** Set when the grammar was needed and not loaded. */
  isUnread: boolean;
  work: number;
};

/** A file that is printed from its beginning: whole, or as many lines. */
export type ShownFile = { readonly path: string; readonly lines: number };

export function nothingFound(readShell?: ReadShell, shown?: ShownFile[]): Found {
  return { places: new Map(), shown, readShell, isUnread: false, work: 0 };
}

/** Whether it isn't worth to go on. */
export function isFull(found: Found): boolean {
  return found.work > MAX_WORK || found.places.size >= MAX_PATHS;
}

/** A path that can't be one is passed over; so is a device. */
export function touch(found: Found, base: string, path: string, access: Access): void {
  found.work++;
  if (path === "" || path.length > MAX_LENGTH || isFull(found) || path.includes("\0")) return;
  const absolute = resolve(base, sep === "/" ? path : windowsPath(path));
  if (absolute.startsWith("/dev/")) return;
  const known = found.places.get(absolute);
  if (known === undefined || isStronger(access, known)) found.places.set(absolute, access);
}

export function touchedPaths(found: Found): TouchedPath[] {
  const paths: TouchedPath[] = [];
  for (const [path, access] of found.places) paths.push({ path, access });
  return paths;
}

function isStronger(access: Access, than: Access): boolean {
  return access === "write" ? than !== "write" : access === "read" && than === "list";
}

/** Where the first of some characters stands; -1 without one. A pattern's first use costs more than this loop. */
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
