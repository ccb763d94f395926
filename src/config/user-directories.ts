import { join, resolve, sep } from "node:path";
import { shortHash } from "../lib/hash.ts";
import { namedDirectory } from "../lib/paths.ts";

/** The user's own directories: nothing else is ever written besides a project's `.codelia`. */
export interface UserDirectories {
  /** `~/.codelia` or CODELIA_HOME: config, home-level instructions. Never a marker, never holds a ledger. */
  readonly global: string;
  /** `~/.codelia`, even if `global` is elsewhere: never a marker either. */
  readonly ordinary: string;
  /** Where a config file may be, best first. */
  readonly config: readonly string[];
  readonly cache: string;
  readonly state: string;
  /** Lasts until the user logs out; used if `state` can't be written. Undefined if the system has none. */
  readonly runtime: string | undefined;
}

/** Nothing can exist below it: a device, and on Windows an impossible name. */
const NOWHERE = sep === "/" ? "/dev/null" : String.raw`\<nowhere>`;

/** Without a home directory, paths that can't exist. */
export function userDirectoriesOf(env: Readonly<Record<string, string | undefined>>, home: string): UserDirectories {
  const base = home || NOWHERE;
  const ordinary = join(base, ".codelia");
  const named = namedDirectory(env["CODELIA_HOME"], "");
  const global = named === "" ? ordinary : resolve(named);
  const runtime = namedDirectory(env["XDG_RUNTIME_DIR"], "");
  return {
    global,
    ordinary,
    // By the XDG base directory specification, where a relative value counts as absent.
    config: [global, join(namedDirectory(env["XDG_CONFIG_HOME"], join(base, ".config")), "codelia")],
    cache: join(namedDirectory(env["XDG_CACHE_HOME"], join(base, ".cache")), "codelia"),
    state: join(namedDirectory(env["XDG_STATE_HOME"], join(base, ".local/state")), "codelia"),
    runtime: runtime === "" ? undefined : join(runtime, "codelia"),
  };
}

/** The directory below `cache` or `state` that belongs to one root. */
export function directoryOfRoot(parent: string, root: string): string {
  return join(parent, shortHash(root));
}
