import { dirname, join, resolve } from "node:path";
import { configPathsIn } from "../config/files.ts";
import type { Settings } from "../config/settings.ts";
import type { UserPlaces } from "../config/user-places.ts";
import { CodeliaError } from "../errors.ts";
import { STATE_ONLY } from "../ledger/place.ts";
import { ancestorThatIs, isDirectory, isSamePlace, namesThere, statOf } from "../lib/path-facts.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** Where the search for instruction files begins, and why there. */
export interface Root {
  readonly directory: string;
  readonly reason: "flag" | "environment" | "config" | "marker" | "no-marker" | "plugin";
  /** The marker that was found, when one was. */
  readonly marker?: string;
}

export interface RootSearch {
  readonly markers: readonly string[];
  readonly stopAtFsRoot: boolean;
  readonly home: string;
  /** The user's global directories, which are never markers. */
  readonly globalDirectories: readonly string[];
}

/** A root that the user names, and where. */
export interface NamedRoot {
  readonly value: string;
  readonly reason: "flag" | "environment" | "config";
}

/**
 * The first directory from `start` upwards that holds a marker, or undefined. One that can't be looked into holds none.
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
 * The root that the user named. If it is no directory, that is a warning, and undefined.
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
  // Prefer the name that the root has on the way up from the working directory.
  if (value !== "" && isDirectory(directory)) return { directory: ancestorThatIs(cwd, directory) ?? directory, reason };
  if (reason === "flag") throw new CodeliaError("no_such_directory", `root '${value}' is not a directory`);
  const source = reason === "environment" ? "CODELIA_AGENTS_ROOT" : "agents.root.projectRootOverride";
  warn(`${source} names '${value}', which is not a directory; it is ignored`);
  return undefined;
}

/** The root that markers give to a directory outside the workspace's own root. */
export function foreignRoot(workspace: Workspace, world: World, directory: string): Root | undefined {
  return findMarkedRoot(directory, rootSearch(workspace.settings, workspace.places, world.home));
}

export function rootSearch(settings: Settings, places: UserPlaces, home: string): RootSearch {
  const { markers, stopAtFsRoot } = settings.agents.root;
  const { global, ordinary } = places;
  return { markers, stopAtFsRoot, home, globalDirectories: global === ordinary ? [global] : [global, ordinary] };
}

/** `HOME` may be a link, or end with a slash. */
function isHome(directory: string, { home }: RootSearch): boolean {
  return home !== "" && isSamePlace(directory, home);
}

/** What stands in one directory on the way up. */
export interface RungFacts {
  /** The markers that exist here, in the configured order. */
  readonly markers: readonly string[];
  /** This directory's `.codelia` is the user's global one. */
  readonly codeliaIsGlobal: boolean;
  /** This directory's `.codelia` was made for the ledger alone, and holds no config. */
  readonly codeliaIsStateOnly: boolean;
}

/** The marker that makes this directory a root, or undefined. Our own state and the global directory never do. */
export function rootMarker({ markers, codeliaIsGlobal, codeliaIsStateOnly }: RungFacts): string | undefined {
  return markers.find((marker) => marker !== ".codelia" || (!codeliaIsGlobal && !codeliaIsStateOnly));
}

function lookAtRung(directory: string, search: RootSearch): RungFacts {
  const markers = namesThere(directory, search.markers);
  const codelia = join(directory, ".codelia");
  const hasCodelia = markers.includes(".codelia");
  return {
    markers,
    codeliaIsGlobal: hasCodelia && search.globalDirectories.some((global) => isSamePlace(codelia, global)),
    codeliaIsStateOnly: hasCodelia && isStateOnly(codelia),
  };
}

function isStateOnly(codelia: string): boolean {
  return statOf(join(codelia, STATE_ONLY)) !== undefined && configPathsIn(codelia).length === 0;
}

function deviceOf(directory: string): number | undefined {
  return statOf(directory)?.dev;
}
