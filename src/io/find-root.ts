import { dirname, join, resolve } from "node:path";
import { rootMarker, type Root } from "../core/root.ts";
import { CodeliaError } from "../errors.ts";
import { configPathsIn } from "./config-file.ts";
import { disk, identityOf } from "./disk.ts";

export interface RootSearch {
  readonly markers: readonly string[];
  readonly stopAtFsRoot: boolean;
  readonly home: string;
  /** The user's global directory, which is never a marker. */
  readonly globalDirectory: string;
}

/** The file that says a `.codelia` was made for the ledger alone. */
export const STATE_ONLY = "state-only";

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
    if (device !== undefined && (directory === search.home || deviceOf(above) !== device)) return undefined;
  }
}

/**
 * A root that the user named.
 *
 * @error usage when the flag names what is not a directory; elsewhere that is a warning, and undefined
 */
export function overriddenRoot(
  cwd: string,
  home: string,
  override: { readonly value: string; readonly reason: "flag" | "environment" | "config" },
  warn: (sentence: string) => void,
): Root | undefined {
  const { value, reason } = override;
  const directory = value.startsWith("~/") && home !== "" ? join(home, value.slice(2)) : resolve(cwd, value);
  if (isDirectory(directory)) return { directory, reason };
  if (reason === "flag") throw new CodeliaError("no_such_directory", `root '${value}' is not a directory`);
  const source = reason === "environment" ? "CODELIA_AGENTS_ROOT" : "agents.root.projectRootOverride";
  warn(`${source} names '${value}', which is not a directory; the markers decide instead`);
  return undefined;
}

export function isDirectory(path: string): boolean {
  try {
    return disk.lookThrough(path)?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** The markers that stand directly in `directory`, for the decision whether `.codelia` needs its own mark. */
export function markersIn(directory: string, markers: readonly string[]): string[] {
  return markers.filter((marker) => statsOf(join(directory, marker)) !== undefined);
}

function lookAtRung(directory: string, search: RootSearch): Parameters<typeof rootMarker>[0] {
  const markers = markersIn(directory, search.markers);
  const codelia = join(directory, ".codelia");
  const hasCodelia = markers.includes(".codelia");
  return {
    markers,
    codeliaIsGlobal: hasCodelia && isSame(codelia, search.globalDirectory),
    codeliaIsStateOnly: hasCodelia && isStateOnly(codelia),
  };
}

function isStateOnly(codelia: string): boolean {
  return statsOf(join(codelia, STATE_ONLY)) !== undefined && configPathsIn(codelia).length === 0;
}

function isSame(left: string, right: string): boolean {
  if (left === right) return true;
  const [first, second] = [statsOf(left), statsOf(right)];
  return first !== undefined && second !== undefined && identityOf(first) === identityOf(second);
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
