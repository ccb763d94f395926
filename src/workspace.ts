import { dirname, resolve } from "node:path";
import { textFlag } from "./cli/args.ts";
import { clientSessions } from "./clients/registry.ts";
import type { Invocation } from "./command.ts";
import { loadLayer, type LayerPlace, type LoadedLayer } from "./config/files.ts";
import type { ConfigProblem } from "./config/problem.ts";
import { effectiveSettings, hasPlugin, type Layer, type Settings } from "./config/settings.ts";
import { userPlaces, type UserPlaces } from "./config/user-places.ts";
import { CodeliaError } from "./errors.ts";
import { findMarkedRoot, overriddenRoot, rootSearch, type NamedRoot, type Root } from "./instructions/root.ts";
import { nameContext, type ContextKey } from "./ledger/contexts.ts";
import { messageWithLine } from "./lib/diagnostic.ts";
import { visible } from "./lib/escape.ts";
import { isDirectory, isSamePlace } from "./lib/path-facts.ts";
import { withoutEnd } from "./lib/text.ts";
import type { ExtensionSetting } from "./plugins/run.ts";
import type { World } from "./world.ts";

/** What a command line asks for, as given. */
export interface Request {
  readonly cwd: string | undefined;
  readonly root: string | undefined;
  readonly key: ContextKey;
  /** Neither read nor write the ledger. */
  readonly noState: boolean;
}

/** Where a command works: its root, its settings and the context it answers for. */
export interface Workspace {
  readonly cwd: string;
  readonly root: Root;
  readonly key: ContextKey;
  readonly noState: boolean;
  readonly settings: Settings;
  readonly layers: readonly Layer[];
  readonly places: UserPlaces;
  /** The user's config exists but can't be used, so we may not know its deny rules. */
  readonly userConfigLost: boolean;
  /** Why config files can't be used, by their paths, for commands that are about them. */
  readonly configProblems: Readonly<Record<string, readonly ConfigProblem[]>>;
}

/**
 * Finds the root and the settings. A config layer that can't be used is left out and reported.
 *
 * @effect may cache a parsed config in the user's cache directory; warnings
 * @error  no_such_directory when `--cwd` or `--root` names none
 */
export async function openWorkspace(world: World, request: Request): Promise<Workspace> {
  const cwd = workingDirectory(world, request.cwd);
  const places = userPlaces(world.env, world.home);
  const user = await loadLayer(world, {
    directories: places.config,
    isProject: false,
    cache: places.cache,
    owner: places.global,
  });
  if (user.problems.length > 0) report(world, user);
  const environment = environmentLayer(world);
  const layered = layerOf(user);
  const settled = effectiveSettings([...layered, ...environment]);
  const found = findRoot(world, cwd, namedRoots(request.root, environment, layered), settled, places);
  // Plugins don't overrule the command line.
  const isOpen = request.root === undefined && hasPlugin(layered, world.env, "root:resolved");
  const root = isOpen ? await pluggedIn(world, { cwd, root: found, key: request.key, layers: layered, places }) : found;
  world.trace("root", root);
  const loaded = projectLayer(world, await loadLayer(world, projectPlace(root.directory, places)), places);
  const project = loaded.asked === undefined ? loaded : await withTrusted(world, loaded, root.directory, places);
  const layers = [...layered, ...layerOf(project, true), ...environment];
  if (request.root !== undefined) layers.push(flagLayer(request.root));
  const settings = effectiveSettings(layers);
  const configProblems: Record<string, readonly ConfigProblem[]> = {};
  for (const layer of [user, project]) if (isLost(layer)) configProblems[layer.path] = layer.problems;
  return {
    cwd,
    root,
    key: request.key,
    noState: request.noState,
    settings,
    layers,
    places,
    userConfigLost: isLost(user),
    configProblems,
  };
}

function workingDirectory(world: World, given: string | undefined): string {
  const own = world.cwd();
  if (given === undefined) return own;
  const cwd = resolve(own, given);
  if (given === "" || !isDirectory(cwd)) throw new CodeliaError("no_such_directory", `'${given}' is not a directory`);
  return cwd;
}

function findRoot(
  world: World,
  cwd: string,
  named: readonly NamedRoot[],
  settings: Settings,
  places: UserPlaces,
): Root {
  for (const name of named) {
    const root = overriddenRoot(cwd, world.home, name, world.warn);
    if (root !== undefined) return root;
  }
  return findMarkedRoot(cwd, rootSearch(settings, places, world.home)) ?? { directory: cwd, reason: "no-marker" };
}

/** The roots that a user names, strongest first: if one is not a directory, the next one counts. */
function namedRoots(flag: string | undefined, environment: readonly Layer[], user: readonly Layer[]): NamedRoot[] {
  if (flag !== undefined) return [{ value: flag, reason: "flag" }];
  const named: NamedRoot[] = [];
  const fromEnvironment = environment[0]?.config.agents?.root?.projectRootOverride;
  const fromConfig = user[0]?.config.agents?.root?.projectRootOverride;
  if (fromEnvironment !== undefined) named.push({ value: fromEnvironment, reason: "environment" });
  if (fromConfig !== undefined) named.push({ value: fromConfig, reason: "config" });
  return named;
}

function projectPlace(root: string, places: UserPlaces): LayerPlace {
  return { directories: [resolve(root, ".codelia")], isProject: true, cache: places.cache, owner: root };
}

function projectLayer(world: World, layer: LoadedLayer, places: UserPlaces): LoadedLayer {
  if (layer.path === undefined) return layer;
  // If the root is the home directory, its `.codelia` is the user's own and has been read already.
  if (isSamePlace(dirname(layer.path), places.global)) return { path: undefined, config: undefined, problems: [] };
  if (layer.problems.length > 0) report(world, layer);
  return layer;
}

async function pluggedIn(world: World, setting: ExtensionSetting): Promise<Root> {
  const { pluggedRoot } = await world.extensions();
  return pluggedRoot(world, setting);
}

/** The layer with those of its requests that the user trusts it with. */
async function withTrusted(world: World, layer: LoadedLayer, root: string, places: UserPlaces): Promise<LoadedLayer> {
  const { grantTrusted } = await import("./trust/project.ts");
  const judged = grantTrusted(places, root, layer);
  report(world, judged);
  return judged;
}

function report(world: World, layer: LoadedLayer): void {
  for (const problem of layer.problems) {
    const unused = layer.config === undefined ? "; the file is ignored until this is fixed" : "";
    world.warn(`config '${layer.path}': ${messageWithLine(problem)}${unused}`);
  }
}

function isLost(layer: LoadedLayer): layer is LoadedLayer & { path: string } {
  return layer.path !== undefined && layer.config === undefined;
}

function layerOf({ path, config }: LoadedLayer, isProject = false): Layer[] {
  return path !== undefined && config !== undefined ? [{ source: path, config, isProject }] : [];
}

function environmentLayer(world: World): Layer[] {
  const override = world.env["CODELIA_AGENTS_ROOT"];
  const named = world.env["CODELIA_AGENTS_MARKERS"];
  if (!override && !named) return [];
  const markers = named ? readMarkers(named, world.warn) : [];
  const root = {
    ...(override ? { projectRootOverride: override } : {}),
    ...(markers.length > 0 ? { markers } : {}),
  };
  return [{ source: "environment", config: { agents: { root } } }];
}

/** The same rule as for markers in a config file: bare names. */
function readMarkers(named: string, warn: (sentence: string) => void): string[] {
  const given = named.split(",").map((marker) => withoutEnd(marker.trim(), "/"));
  const foreign = given.filter((marker) => /[/\\]/.test(marker) || marker === "." || marker === "..");
  for (const marker of foreign) {
    warn(`CODELIA_AGENTS_MARKERS names '${marker}', which is not a bare file name; it is ignored`);
  }
  return given.filter((marker) => marker !== "" && !foreign.includes(marker));
}

function flagLayer(root: string): Layer {
  return { source: "flags", config: { agents: { root: { projectRootOverride: root } } } };
}

/**
 * Opens the workspace that the common flags describe, runs the command's body in it, then prints the warnings.
 */
export async function inWorkspace<Result>(
  world: World,
  { flags }: Invocation,
  body: (workspace: Workspace) => Result | Promise<Result>,
): Promise<Result> {
  try {
    const workspace = await openWorkspace(world, {
      cwd: textFlag(flags["cwd"]),
      root: textFlag(flags["root"]),
      noState: flags["no-state"] === true,
      key: nameContext({
        session: textFlag(flags["session"]),
        agent: textFlag(flags["agent"]),
        environment: world.env["CODELIA_SESSION_ID"],
        clients: clientSessions(world.env),
      }),
    });
    world.trace("workspace", workspace.key);
    return await body(workspace);
  } finally {
    const warnings = world.takeWarnings();
    if (warnings.length > 0 && flags["quiet"] !== true) await printWarnings(world, warnings);
  }
}

async function printWarnings(world: World, taken: readonly string[]): Promise<void> {
  const warnings = [...new Set(taken.map(visible))];
  if (world.isTerminal("stderr") && !world.env["NO_COLOR"]) {
    const { reportOnTerminal } = await import("./cli/report.ts");
    return reportOnTerminal(warnings, (line) => world.draw(line));
  }
  world.complain(warnings.map((warning) => `codelia: warning: ${warning}\n`).join(""));
}
