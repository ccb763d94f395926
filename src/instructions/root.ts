import type { Settings } from "../config/settings.ts";
import type { UserPlaces } from "../config/user-places.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { dirname, join, resolve } from "node:path";
import { configPathsIn } from "../config/files.ts";
import { CodeliaError } from "../errors.ts";
import { STATE_ONLY } from "../ledger/place.ts";
import { ancestorThatIs, isDirectory, isSamePlace, namesThere, statOf } from "../lib/path-facts.ts";

/** Where the search for instruction files begins, and why there. */
export interface Root {
  readonly directory: string;
  readonly reason: "flag" | "environment" | "config" | "marker" | "no-marker" | "plugin";
  /** The marker that was found, when one was. */
  readonly marker?: string;
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
export function rootMarker(facts: RungFacts): string | undefined {
  for (const marker of facts.markers) {
    if (marker !== ".codelia" || (!facts.codeliaIsGlobal && !facts.codeliaIsStateOnly)) return marker;
  }
  return undefined;
}

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

/** The root of a path that is not inside the workspace's own, where markers give it one. */
export function foreignRoot(workspace: Workspace, world: World, directory: string): Root | undefined {
  return findMarkedRoot(directory, rootSearch(workspace.settings, workspace.places, world.home));
}

export function rootSearch(settings: Settings, places: UserPlaces, home: string): RootSearch {
  const { markers, stopAtFsRoot } = settings.agents.root;
  const { global, ordinary } = places;
  return { markers, stopAtFsRoot, home, globalDirectories: global === ordinary ? [global] : [global, ordinary] };
}

function lookAtRung(directory: string, search: RootSearch): Parameters<typeof rootMarker>[0] {
  const markers = namesThere(directory, search.markers);
  const codelia = join(directory, ".codelia");
  const hasCodelia = markers.includes(".codelia");
  return {
    markers,
    codeliaIsGlobal: hasCodelia && isOneOf(codelia, search.globalDirectories),
    codeliaIsStateOnly: hasCodelia && isStateOnly(codelia),
  };
}

function isStateOnly(codelia: string): boolean {
  return statOf(join(codelia, STATE_ONLY)) !== undefined && configPathsIn(codelia).length === 0;
}

function isOneOf(path: string, places: readonly string[]): boolean {
  for (const place of places) if (isSamePlace(path, place)) return true;
  return false;
}

function deviceOf(directory: string): number | undefined {
  return statOf(directory)?.dev;
}
