import { basename, dirname, join } from "node:path";
import type { ClientProfile, TreeFacts } from "../clients/client.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import { entriesOf } from "../lib/path-facts.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { namedReach } from "./explain.ts";
import type { Explanation } from "./schema.ts";

const MAX_ENTRIES = 500_000;
const MAX_DEPTH = 64;

/** A directory, and what each client's session that begins there reads. */
export type Place = Pick<Explanation, "directory" | "clients">;

export interface Project {
  /** The directories that contain instruction files, including the root. */
  readonly places: readonly Place[];
  /** A limit ended the search. */
  readonly truncated: boolean;
}

/** @input also: further directories; facts: about the disk, if the caller has asked for some already */
export function surveyProject(
  world: World,
  { root, settings }: Workspace,
  clients: readonly ClientProfile[],
  also: readonly string[] = [],
  facts: TreeFacts = diskFacts(world),
): Project {
  const home = { home: world.home, env: world.env };
  const names = clients.flatMap((client) => [...client.names, ...client.moreNames(root.directory, home, facts)]);
  const { directories, truncated } = directoriesWith(root.directory, names, settings.agents.ignore);
  const places = [...new Set([...directories, ...also])].toSorted().map((directory): Place => {
    return { directory, clients: clients.map((client) => namedReach(client, directory, home, facts)) };
  });
  return { places, truncated };
}

/**
 * The directories of a project that hold instruction files, the root among them; links are not followed, and a directory
 * that can't be listed is passed over.
 *
 * @input  names: of instruction files, some of them in a folder (`.claude/CLAUDE.md`); ignored: names of directories that
 *         are not entered
 */
function directoriesWith(
  root: string,
  names: readonly string[],
  ignored: readonly string[],
): { readonly directories: ReadonlySet<string>; readonly truncated: boolean } {
  const own = new Set(names.map((name) => basename(name)));
  const folders = new Set(names.map((name) => dirname(name)).filter((name) => name !== "."));
  const closed = new Set([...ignored, ".git"]);
  const directories = new Set([root]);
  let left = MAX_ENTRIES;

  function walk(directory: string, depth: number): void {
    if (left <= 0 || depth > MAX_DEPTH) return;
    const entries = entriesOf(directory);
    left -= entries.length;
    for (const entry of entries) {
      if (entry.isDirectory()) {
        if (!closed.has(entry.name)) walk(join(directory, entry.name), depth + 1);
      } else if (own.has(entry.name)) {
        directories.add(folders.has(basename(directory)) ? dirname(directory) : directory);
      }
    }
  }

  walk(root, 0);
  return { directories, truncated: left <= 0 };
}
