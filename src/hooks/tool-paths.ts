import { dirname } from "node:path";
import type { Context, Session } from "../ledger/schema.ts";
import { isThere } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import type { TouchedPath } from "../touched/touched.ts";
import { fileToolAccess, usualPaths } from "../touched/usual.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** What a client's tool is about to do, or has done. */
export interface ToolUse {
  readonly tool: string;
  readonly input: unknown;
  /**
   * What the model was given, in the client's shape. The key is present once the tool has run, even without a value.
   */
  readonly answer?: unknown;
}

/** The paths that a tool touches, in order of appearance. Code that common calls don't need is loaded on demand. */
export async function touchedPaths(
  world: World,
  { cwd, root }: Workspace,
  { tool, input }: ToolUse,
): Promise<readonly TouchedPath[]> {
  const usual = usualPaths(tool, input, cwd);
  if (usual !== undefined) return usual;
  const use = { tool, input, cwd, home: world.home, root: root.directory };
  const { plainPathsOfToolUse } = await import("../touched/payload.ts");
  return plainPathsOfToolUse(use) ?? (await import("../touched/tool-use.ts")).pathsOfToolUse(use);
}

/** The path that a file tool shows whole or writes; empty for other tools. */
export function plainlyShown({ tool, input }: ToolUse, touched: readonly TouchedPath[]): ReadonlySet<string> {
  const isPart = typeof input === "object" && input !== null && ("limit" in input || "offset" in input);
  return new Set(fileToolAccess(tool) === undefined || isPart ? [] : pathsOf(touched));
}

export function pathsOf(touched: readonly TouchedPath[]): string[] {
  const paths: string[] = [];
  for (const { path } of touched) paths.push(path);
  return paths;
}

/** The others wait for the next touch. */
const MAX_PLACES = 8;

/**
 * The directories with skills on the way to some targets, from the top down: those that the session's start did not list
 * and that the context has not been told of. Below a covered directory nothing above it is looked at again.
 */
export function nearbyPlaces(
  { cwd, root, settings }: Workspace,
  targets: readonly string[],
  session: Session | undefined,
  { coveredDirs }: Context,
): readonly string[] {
  const start = session?.cwd ?? cwd;
  let places = NONE;
  for (const target of targets) {
    let place = target;
    while (!coveredDirs.includes(place) && !isInside(place, start) && isInside(root.directory, place)) {
      if (hasSkills(place, settings)) places = withPlace(places, place);
      place = dirname(place);
    }
  }
  return places;
}

const NONE: readonly string[] = [];

function hasSkills(place: string, { skills }: Workspace["settings"]): boolean {
  for (const inner of skills.directories) if (isThere(`${place}/${inner}`)) return skills.enabled;
  return false;
}

function withPlace(places: readonly string[], place: string): readonly string[] {
  return [...new Set([...places, place])].toSorted().slice(0, MAX_PLACES);
}
