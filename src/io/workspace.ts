import { resolve } from "node:path";
import { effectiveSettings, type Layer } from "../core/config-layers.ts";
import type { ContextKey, Surroundings } from "../core/ledger.ts";
import { restrictProjectLayer } from "../core/project-layer.ts";
import type { Root } from "../core/root.ts";
import type { Settings } from "../core/settings.ts";
import { userPlaces, type UserPlaces } from "../core/user-places.ts";
import { CodeliaError } from "../errors.ts";
import type { World } from "../world.ts";
import { loadLayer, type LoadedLayer } from "./config-layer.ts";
import { findMarkedRoot, isDirectory, overriddenRoot } from "./find-root.ts";

/** What a command line asks for, before anything was looked at. */
export interface Request {
  readonly cwd: string | undefined;
  readonly root: string | undefined;
  readonly key: ContextKey;
  /** Neither read nor write the ledger. */
  readonly noState: boolean;
}

/** Where a command works: everything that is settled before its own question is asked. */
export interface Workspace {
  readonly cwd: string;
  readonly root: Root;
  readonly key: ContextKey;
  readonly noState: boolean;
  readonly settings: Settings;
  readonly layers: readonly Layer[];
  readonly places: UserPlaces;
  /** The user's config exists and can't be used: a deny rule in it may be unknown to us. */
  readonly userConfigLost: boolean;
  /** Config files that can't be used, for commands that are about them. */
  readonly unusableConfigs: readonly string[];
}

/**
 * @input  request: from the command line
 * @output the workspace; a config layer that can't be used is left out and reported
 * @effect may remember a parsed config in the user's cache directory; warnings
 * @error  no_such_directory when `--cwd` or `--root` names none
 */
export async function openWorkspace(world: World, request: Request): Promise<Workspace> {
  const cwd = workingDirectory(world, request.cwd);
  const places = userPlaces(world.env, world.home);
  const user = await loadLayer(world, {
    directories: places.config,
    followLinks: true,
    cache: places.cache,
    owner: places.global,
  });
  report(world, user);
  const environment = environmentLayer(world.env);
  const settled = effectiveSettings([...layerOf(user), ...environment]);
  const root = findRoot(world, cwd, request.root, settled, environment, places);
  world.trace("root", { ...root });
  const project = await loadProjectLayer(world, root.directory, places);
  const layers = [...layerOf(user), ...layerOf(project), ...environment, ...flagLayer(request)];
  const settings = effectiveSettings(layers);
  const unusableConfigs = [user, project].filter(isLost).map((layer) => layer.path);
  const userConfigLost = isLost(user);
  return {
    cwd,
    root,
    key: request.key,
    noState: request.noState,
    settings,
    layers,
    places,
    userConfigLost,
    unusableConfigs,
  };
}

/** What the ledger keeps of a workspace. */
export function surroundingsOf(workspace: Workspace): Surroundings {
  const { cwd, root, settings } = workspace;
  return { cwd, root: root.directory, markers: settings.agents.root.markers };
}

/** The root of a path that is not inside the workspace's own, where markers give it one. */
export function foreignRoot(workspace: Workspace, world: World, directory: string): Root | undefined {
  return findMarkedRoot(directory, searchOf(workspace.settings, workspace.places, world.home));
}

function workingDirectory(world: World, given: string | undefined): string {
  const cwd = given === undefined ? world.cwd() : resolve(world.cwd(), given);
  if (!isDirectory(cwd)) throw new CodeliaError("no_such_directory", `'${given ?? cwd}' is not a directory`);
  return cwd;
}

function findRoot(
  world: World,
  cwd: string,
  flag: string | undefined,
  settings: Settings,
  environment: readonly Layer[],
  places: UserPlaces,
): Root {
  const configured = settings.agents.root.projectRootOverride;
  const fromEnvironment = environment[0]?.config.agents?.root?.projectRootOverride;
  const named =
    flag !== undefined
      ? { value: flag, reason: "flag" as const }
      : configured === undefined
        ? undefined
        : { value: configured, reason: fromEnvironment === undefined ? ("config" as const) : ("environment" as const) };
  const overridden = named && overriddenRoot(cwd, world.home, named, world.warn);
  return (
    overridden ?? findMarkedRoot(cwd, searchOf(settings, places, world.home)) ?? { directory: cwd, reason: "no-marker" }
  );
}

function searchOf(settings: Settings, places: UserPlaces, home: string) {
  const { markers, stopAtFsRoot } = settings.agents.root;
  return { markers, stopAtFsRoot, home, globalDirectory: places.global };
}

async function loadProjectLayer(world: World, root: string, places: UserPlaces): Promise<LoadedLayer> {
  const directory = resolve(root, ".codelia");
  // Where the root is the home directory its `.codelia` is the user's own, and was read as such.
  if (directory === places.global) return { path: undefined, config: undefined, problems: [] };
  const layer = await loadLayer(world, {
    directories: [directory],
    followLinks: false,
    cache: places.cache,
    owner: root,
  });
  const restricted = layer.config && restrictProjectLayer(layer.config);
  const checked = restricted
    ? { path: layer.path, config: restricted.config, problems: [...layer.problems, ...restricted.refused] }
    : layer;
  report(world, checked);
  return checked;
}

function report(world: World, layer: LoadedLayer): void {
  for (const problem of layer.problems) {
    const unused = layer.config === undefined ? "; the file is not used until that is repaired" : "";
    world.warn(`config '${layer.path}': ${problem}${unused}`);
  }
}

function isLost(layer: LoadedLayer): layer is LoadedLayer & { path: string } {
  return layer.path !== undefined && layer.config === undefined;
}

function layerOf(layer: LoadedLayer): Layer[] {
  return layer.path !== undefined && layer.config !== undefined ? [{ source: layer.path, config: layer.config }] : [];
}

function environmentLayer(env: World["env"]): Layer[] {
  const override = env["CODELIA_AGENTS_ROOT"];
  const markers = env["CODELIA_AGENTS_MARKERS"]
    ?.split(",")
    .map((marker) => marker.trim())
    .filter((marker) => marker !== "");
  const root = {
    ...(override ? { projectRootOverride: override } : {}),
    ...(markers && markers.length > 0 ? { markers } : {}),
  };
  return Object.keys(root).length === 0 ? [] : [{ source: "environment", config: { agents: { root } } }];
}

function flagLayer({ root }: Request): Layer[] {
  return root === undefined ? [] : [{ source: "flags", config: { agents: { root: { projectRootOverride: root } } } }];
}
