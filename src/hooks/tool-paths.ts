import { dirname } from "node:path";
import type { Client, OwnNames } from "../clients/client.ts";
import { isKnown, isTold } from "../instructions/pending.ts";
import { NONE_OWN, type OwnLook } from "../instructions/tell.ts";
import type { Context, Session } from "../ledger/schema.ts";
import { versionOf } from "../lib/fs.ts";
import { isThere, statOf } from "../lib/path-facts.ts";
import { isInside, ladder } from "../lib/paths.ts";
import type { TouchedPath } from "../touched/paths.ts";
import { fileToolAccess, usualPaths } from "../touched/usual-calls.ts";
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
  return plainPathsOfToolUse(use) ?? (await import("../touched/with-grammar.ts")).pathsOfToolUse(use);
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
 * The directories with skills on the way to some targets, from the top down: those that the context's start did not
 * list and that the context has not been told of. Below a covered directory nothing above it is looked at again.
 */
export function nearbyPlaces(
  { cwd, root, settings }: Workspace,
  targets: readonly string[],
  session: Session | undefined,
  { coveredDirs, delivery }: Context,
): readonly string[] {
  const start = delivery?.cwd ?? session?.cwd ?? cwd;
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

/**
 * The client's own instruction files for some paths, which it loads for some touches only. For each directory on the
 * way a few look-ups tell whether there may be any that the context does not know; only then more is loaded.
 */
export function ownLook(
  world: World,
  workspace: Workspace,
  client: Client,
  paths: readonly string[],
): OwnLook | undefined {
  const { own } = client;
  if (own === undefined || paths.length === 0) return undefined;
  return {
    isDue: (targets, session, context) => isDue(world, workspace, own, targets, session, context),
    look: async (files, session, context) => {
      const { mayFindOwn } = await import("./own-conditions.ts");
      if (!(await mayFindOwn(world, workspace, own, paths, session, context, LOOK_UPS))) return NONE_OWN;
      const { findOwn } = await import("./find-own.ts");
      return findOwn(world, workspace, client, paths, files, session, context);
    },
  };
}

const LOOK_UPS = { isOpen, isNews };

function isDue(
  world: World,
  { cwd, root }: Workspace,
  { names, directories, homeRules }: OwnNames,
  targets: readonly string[],
  session: Session | undefined,
  context: Context,
): boolean {
  const start = session?.cwd ?? cwd;
  if (isOpen(homeRules(world), context)) return true;
  const seen = new Set<string>();
  for (const target of targets) {
    for (const place of ladder(root.directory, target)) {
      if (seen.has(place)) continue;
      seen.add(place);
      for (const inner of directories) if (isOpen(`${place}/${inner}`, context)) return true;
      if (place === start || !isInside(start, place)) continue;
      for (const name of names) if (isNews(`${place}/${name}`, context)) return true;
    }
  }
  return false;
}

/** It is there, and more of it may be told. */
function isOpen(directory: string, { coveredDirs }: Context): boolean {
  return !coveredDirs.includes(directory) && isThere(directory);
}

/** It is there in a version that the context doesn't know, or the context knows it and it is gone. */
function isNews(path: string, context: Context): boolean {
  const stats = statOf(path);
  return stats?.isFile() === true ? !isTold(context, path, versionOf(stats)) : isKnown(context, path);
}
