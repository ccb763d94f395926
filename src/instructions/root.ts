import { dirname, join, normalize, resolve } from "node:path";
import { configPathsIn } from "../config/files.ts";
import type { Settings } from "../config/settings.ts";
import type { UserDirectories } from "../config/user-directories.ts";
import { CodeliaError } from "../errors.ts";
import { STATE_ONLY } from "../ledger/location.ts";
import { ancestorThatIs, isDirectory, isSameFile, namesThere, statOf } from "../lib/path-facts.ts";
import { withoutEnd } from "../lib/text.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** Where the search for instruction files begins, and why there. */
export interface Root {
  readonly directory: string;
  readonly reason: "flag" | "environment" | "config" | "marker" | "no-marker" | "plugin";
  /** The marker that was found, if any. */
  readonly marker?: string;
}

export interface RootSearch {
  readonly markers: readonly string[];
  readonly stopAtFsRoot: boolean;
  readonly home: string;
  /** The user's global directories, which are never markers. */
  readonly globalDirectories: readonly string[];
}

/** A root that the user named, and where. */
export interface NamedRoot {
  readonly value: string;
  readonly reason: "flag" | "environment" | "config";
}

/**
 * The first directory from `start` upwards that contains a marker, or undefined. A directory that can't be read
 * contains none.
 *
 * @input  start: an existing directory, absolute
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

/**
 * The root that the user named. If it is not a directory, warns and returns undefined.
 *
 * @error no_such_directory if the flag named it
 */
export function overriddenRoot(
  cwd: string,
  home: string,
  override: NamedRoot,
  warn: (sentence: string) => void,
): Root | undefined {
  const { value, reason } = override;
  const directory = resolve(cwd, value.startsWith("~/") && home !== "" ? join(home, value.slice(2)) : value);
  // Prefer the root's name as it appears above the working directory.
  if (value !== "" && isDirectory(directory)) return { directory: ancestorThatIs(cwd, directory) ?? directory, reason };
  if (reason === "flag") throw new CodeliaError("no_such_directory", `root '${value}' is not a directory`);
  const source = reason === "environment" ? "CODELIA_AGENTS_ROOT" : "agents.root.projectRootOverride";
  warn(`${source} names '${value}', which is not a directory; it is ignored`);
  return undefined;
}

/** The root that markers give to a directory outside the workspace's own root. */
export function foreignRoot(workspace: Workspace, world: World, directory: string): Root | undefined {
  return findMarkedRoot(directory, rootSearch(workspace.settings, workspace.userDirectories, world.home));
}

export function rootSearch(settings: Settings, places: UserDirectories, home: string): RootSearch {
  const { markers, stopAtFsRoot } = settings.agents.root;
  const { global, ordinary } = places;
  return {
    markers: plainNames(markers),
    stopAtFsRoot,
    home,
    globalDirectories: global === ordinary ? [global] : [global, ordinary],
  };
}

/** A marker may be a path. `.codelia`, in any spelling, has rules of its own. */
function plainNames(markers: readonly string[]): readonly string[] {
  for (const marker of markers) {
    if (marker.includes("/")) return markers.map((path) => withoutEnd(normalize(path), "/"));
  }
  return markers;
}

/** `HOME` may be a link or end with a slash. */
function isHome(directory: string, { home }: RootSearch): boolean {
  return home !== "" && isSameFile(directory, home);
}

/** What one directory on the way up contains. */
export interface RungFacts {
  /** The markers that exist here, in the configured order. */
  readonly markers: readonly string[];
  /** This directory's `.codelia` is the user's global one. */
  readonly codeliaIsGlobal: boolean;
  /** This directory's `.codelia` was created for the ledger alone and contains no config. */
  readonly codeliaIsStateOnly: boolean;
}

/** The marker that makes this directory a root, or undefined. Our own state and the global directory never count. */
export function rootMarker({ markers, codeliaIsGlobal, codeliaIsStateOnly }: RungFacts): string | undefined {
  for (const marker of markers) {
    if (marker !== ".codelia" || (!codeliaIsGlobal && !codeliaIsStateOnly)) return marker;
  }
  return undefined;
}

function lookAtRung(directory: string, search: RootSearch): RungFacts {
  const markers = namesThere(directory, search.markers);
  const codelia = join(directory, ".codelia");
  const hasCodelia = markers.includes(".codelia");
  return {
    markers,
    codeliaIsGlobal: hasCodelia && isAnyOf(codelia, search.globalDirectories),
    codeliaIsStateOnly: hasCodelia && isStateOnly(codelia),
  };
}

function isAnyOf(path: string, places: readonly string[]): boolean {
  for (const place of places) if (isSameFile(path, place)) return true;
  return false;
}

function isStateOnly(codelia: string): boolean {
  return statOf(join(codelia, STATE_ONLY)) !== undefined && configPathsIn(codelia).length === 0;
}

function deviceOf(directory: string): number | undefined {
  return statOf(directory)?.dev;
}
