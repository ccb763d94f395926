import { dirname, join, resolve } from "node:path";
import { rootMarker, type Root } from "./root.ts";
import { CodeliaError } from "../errors.ts";
import { configPathsIn } from "../config/config-file.ts";
import { disk } from "../lib/fs.ts";
import { ancestorThatIs, isSamePlace } from "../lib/same-place.ts";
import { isDirectory } from "../lib/is-directory.ts";
import { STATE_ONLY } from "../ledger/state-only.ts";

export interface RootSearch {
  readonly markers: readonly string[];
  readonly stopAtFsRoot: boolean;
  readonly home: string;
  /** The user's global directories, which are never markers. */
  readonly globalDirectories: readonly string[];
}

/** A root by name, and who names it. */
export interface NamedRoot {
  readonly value: string;
  readonly reason: "flag" | "environment" | "config";
}

/**
 * The first directory from `start` upwards that holds a marker, or undefined.
 *
 * @input  start: an existing directory, absolute
 * @effect none
 * @error  none: a directory that can't be looked into holds no marker
 */
export function findMarkedRoot(start: string, search: RootSearch): Root | undefined {
  const device = search.stopAtFsRoot ? undefined : deviceOf(start);
  for (let directory = start; ; directory = dirname(directory)) {
    const marker = rootMarker(lookAtRung(directory, search));
    if (marker !== undefined) return { directory, reason: "marker", marker };
    const above = dirname(directory);
    if (above === directory) return undefined;
    if (device !== undefined && (isHome(directory, search) || deviceOf(above) !== device)) return undefined;
  }
}

/** Also where `HOME` is a link, or ends with a slash. */
function isHome(directory: string, { home }: RootSearch): boolean {
  return home !== "" && isSamePlace(directory, home);
}

/**
 * A root that the user named.
 *
 * @error usage when the flag names what is not a directory; elsewhere that is a warning, and undefined
 */
export function overriddenRoot(
  cwd: string,
  home: string,
  override: NamedRoot,
  warn: (sentence: string) => void,
): Root | undefined {
  const { value, reason } = override;
  const directory = resolve(cwd, value.startsWith("~/") && home !== "" ? join(home, value.slice(2)) : value);
  // Where the root has another name on the way up from the working directory, it goes by that one.
  if (value !== "" && isDirectory(directory)) return { directory: ancestorThatIs(cwd, directory) ?? directory, reason };
  if (reason === "flag") throw new CodeliaError("no_such_directory", `root '${value}' is not a directory`);
  const source = reason === "environment" ? "CODELIA_AGENTS_ROOT" : "agents.root.projectRootOverride";
  warn(`${source} names '${value}', which is not a directory; it is ignored`);
  return undefined;
}

/** The markers that stand directly in `directory`, for the decision whether `.codelia` needs its own mark. */
export function markersIn(directory: string, markers: readonly string[]): string[] {
  const found: string[] = [];
  for (const marker of markers) if (statsOf(join(directory, marker)) !== undefined) found.push(marker);
  return found;
}

function lookAtRung(directory: string, search: RootSearch): Parameters<typeof rootMarker>[0] {
  const markers = markersIn(directory, search.markers);
  const codelia = join(directory, ".codelia");
  const hasCodelia = markers.includes(".codelia");
  return {
    markers,
    codeliaIsGlobal: hasCodelia && isOneOf(codelia, search.globalDirectories),
    codeliaIsStateOnly: hasCodelia && isStateOnly(codelia),
  };
}

function isStateOnly(codelia: string): boolean {
  return statsOf(join(codelia, STATE_ONLY)) !== undefined && configPathsIn(codelia).length === 0;
}

function isOneOf(path: string, places: readonly string[]): boolean {
  for (const place of places) if (isSamePlace(path, place)) return true;
  return false;
}

function statsOf(path: string) {
  try {
    return disk.lookThrough(path);
  } catch {
    return undefined;
  }
}

function deviceOf(directory: string): number | undefined {
  return statsOf(directory)?.dev;
}
