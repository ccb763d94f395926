import { dirname } from "node:path";
import { textFlag } from "./cli/args.ts";
import { clientSessions } from "./clients/registry.ts";
import type { Invocation } from "./command.ts";
import { loadLayer, projectSource, type LoadedLayer } from "./config/files.ts";
import type { ConfigProblem } from "./config/problem.ts";
import { effectiveSettings, hasPlugin, type Layer, type Settings } from "./config/settings.ts";
import { userDirectoriesOf, type UserDirectories } from "./config/user-directories.ts";
import { CodeliaError } from "./errors.ts";
import { findMarkedRoot, overriddenRoot, rootSearch, type NamedRoot, type Root } from "./instructions/root.ts";
import { nameContext, type ContextKey } from "./ledger/contexts.ts";
import { messageWithLine } from "./lib/diagnostic.ts";
import { visible } from "./lib/escape.ts";
import { isDirectory, isSameFile } from "./lib/path-facts.ts";
import { absolutePath, isInside } from "./lib/paths.ts";
import { withoutEnd } from "./lib/text.ts";
import type { World } from "./world.ts";

/** What the command line asks for, unresolved. */
export interface Request {
  readonly cwd: string | undefined;
  readonly root: string | undefined;
  readonly key: ContextKey;
  /** Neither read nor write the ledger. */
  readonly noState: boolean;
}

/** Where a command works: its root, its settings and the context that it answers. */
export interface Workspace {
  readonly cwd: string;
  readonly root: Root;
  readonly key: ContextKey;
  readonly noState: boolean;
  readonly settings: Settings;
  readonly layers: readonly Layer[];
  readonly userDirectories: UserDirectories;
  /** A config file that can't be used, so that its deny rules are unknown; the user's before the project's. */
  readonly lostConfig: { readonly path: string; readonly isUsers: boolean } | undefined;
  /** The mistakes in config files, by path, for commands that report them. */
  readonly configProblems: Readonly<Record<string, readonly ConfigProblem[]>>;
}

/**
 * Finds the root and the settings. Unusable parts of a config layer are left out and reported.
 *
 * @effect may cache a parsed config in the user's cache directory; warnings
 * @error  no_such_directory if `--cwd` or `--root` is not a directory
 */
export async function openWorkspace(world: World, request: Request): Promise<Workspace> {
  const cwd = workingDirectory(world, request.cwd);
  const userDirectories = userDirectoriesOf(world.env, world.home);
  const user = await loadLayer(world, {
    directories: userDirectories.config,
    isProject: false,
    cache: userDirectories.cache,
    owner: userDirectories.global,
  });
  if (user.problems.length > 0) warnOfProblems(world, user);
  const userLayers = layerOf(user);
  const environment = environmentLayer(world);
  let root = findRoot(
    world,
    cwd,
    namedRoots(request.root, environment, userLayers),
    effectiveSettings([...userLayers, ...environment]),
    userDirectories,
  );
  // Plugins can't override the command line.
  if (request.root === undefined && hasPlugin(userLayers, world.env, "root:resolved")) {
    const { extendRoot } = await world.extensions();
    root = extendRoot(world, { cwd, root, key: request.key, layers: userLayers, userDirectories });
  }
  world.trace("root", root);
  const loaded = withoutUsersOwn(
    await loadLayer(world, projectSource(root.directory, userDirectories)),
    userDirectories,
  );
  if (loaded.problems.length > 0) warnOfProblems(world, loaded);
  const project =
    loaded.asked === undefined ? loaded : await withTrusted(world, loaded, root.directory, userDirectories);
  const layers = [...userLayers, ...layerOf(project, true), ...environment];
  if (request.root !== undefined) layers.push(flagLayer(request.root));
  const settings = effectiveSettings(layers);
  const configProblems: Record<string, readonly ConfigProblem[]> = {};
  for (const { path, problems } of [user, loaded]) {
    if (path === undefined || problems.length === 0) continue;
    const mistakes = problems.filter(({ rule }) => rule === "config-unusable");
    if (mistakes.length > 0) configProblems[path] = mistakes;
  }
  return {
    cwd,
    root,
    key: request.key,
    noState: request.noState,
    settings,
    layers,
    userDirectories,
    lostConfig: unusableAmong(user, loaded),
    configProblems,
  };
}

function workingDirectory(world: World, given: string | undefined): string {
  const own = world.cwd();
  if (given === undefined) return own;
  const cwd = absolutePath(own, given);
  if (given === "" || !isDirectory(cwd)) throw new CodeliaError("no_such_directory", `'${given}' is not a directory`);
  return cwd;
}

function findRoot(
  world: World,
  cwd: string,
  named: readonly NamedRoot[],
  settings: Settings,
  userDirectories: UserDirectories,
): Root {
  let passedOver: Root | undefined;
  for (const name of named) {
    const root = overriddenRoot(cwd, world.home, name, world.warn);
    if (root === undefined) continue;
    if (root.reason === "flag" || isInside(root.directory, cwd)) return root;
    passedOver ??= root;
  }
  const marked = findMarkedRoot(cwd, rootSearch(settings, userDirectories, world.home));
  const root: Root = marked ?? { directory: cwd, reason: "no-marker" };
  if (passedOver !== undefined) world.warn(passedOverSentence(passedOver, root));
  return root;
}

/** A root that does not contain the working directory says nothing about it. */
function passedOverSentence({ directory, reason }: Root, root: Root): string {
  const source = reason === "environment" ? "CODELIA_AGENTS_ROOT" : "agents.root.projectRootOverride";
  return `${source} names '${directory}', which does not contain the working directory; the root here is '${root.directory}'`;
}

/** The roots that the user names, highest priority first. One that is not a directory is skipped. */
function namedRoots(flag: string | undefined, environment: readonly Layer[], user: readonly Layer[]): NamedRoot[] {
  if (flag !== undefined) return [{ value: flag, reason: "flag" }];
  const named: NamedRoot[] = [];
  const fromEnvironment = environment[0]?.config.agents?.root?.projectRootOverride;
  const fromConfig = user[0]?.config.agents?.root?.projectRootOverride;
  if (fromEnvironment !== undefined) named.push({ value: fromEnvironment, reason: "environment" });
  if (fromConfig !== undefined) named.push({ value: fromConfig, reason: "config" });
  return named;
}

/** If the root is the home directory, its `.codelia` is the user's own and has been read already. */
function withoutUsersOwn(layer: LoadedLayer, { global }: UserDirectories): LoadedLayer {
  const isUsersOwn = layer.path !== undefined && isSameFile(dirname(layer.path), global);
  return isUsersOwn ? { path: undefined, config: undefined, problems: [] } : layer;
}

/** The layer with those of its requests that the user trusts. */
async function withTrusted(
  world: World,
  layer: LoadedLayer,
  root: string,
  userDirectories: UserDirectories,
): Promise<LoadedLayer> {
  const { grantTrusted } = await import("./trust/project.ts");
  const judged = grantTrusted(userDirectories, root, layer);
  warnOfProblems(world, judged);
  return judged;
}

function warnOfProblems(world: World, layer: LoadedLayer): void {
  for (const problem of layer.problems) {
    const rest =
      layer.config === undefined ? "the file is ignored until this is fixed" : "the rest of the file is used";
    const effect = problem.rule === "config-unusable" ? `; ${rest}` : "";
    world.warn(`config '${layer.path}': ${messageWithLine(problem)}${effect}`);
  }
}

function unusableAmong(user: LoadedLayer, project: LoadedLayer): Workspace["lostConfig"] {
  for (const { path, config } of [user, project]) {
    if (path !== undefined && config === undefined) return { path, isUsers: path === user.path };
  }
  return undefined;
}

function layerOf({ path, config }: LoadedLayer, isProject = false): Layer[] {
  return path !== undefined && config !== undefined ? [{ source: path, config, isProject }] : [];
}

function environmentLayer(world: World): Layer[] {
  const override = world.env["CODELIA_AGENTS_ROOT"];
  const named = world.env["CODELIA_AGENTS_MARKERS"];
  if (!override && !named) return [];
  const markers = named ? readMarkers(named) : [];
  const root = {
    ...(override ? { projectRootOverride: override } : {}),
    ...(markers.length > 0 ? { markers } : {}),
  };
  return [{ source: "environment", config: { agents: { root } } }];
}

function readMarkers(named: string): string[] {
  const given = named.split(",").map((marker) => withoutEnd(marker.trim(), "/"));
  return given.filter((marker) => marker !== "");
}

function flagLayer(root: string): Layer {
  return { source: "flags", config: { agents: { root: { projectRootOverride: root } } } };
}

/** Opens the workspace for the common flags, runs the command's body in it, then prints the warnings. */
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

/** Whether a person reads the answer: at a terminal, with no form asked for, and not in the shell of an agent. */
export function isForPeople(world: World, { flags }: Invocation): boolean {
  if (flags["json"] === true || flags["format"] !== undefined || !world.isTerminal("stdout")) return false;
  return !world.env["CODELIA_SESSION_ID"] && clientSessions(world.env).length === 0;
}

async function printWarnings(world: World, taken: readonly string[]): Promise<void> {
  const warnings = [...new Set(taken.map(visible))];
  const { hasColour } = await import("./cli/colour.ts");
  if (world.isTerminal("stderr") && hasColour(world.env)) {
    const { reportOnTerminal } = await import("./cli/report.ts");
    return reportOnTerminal(warnings, (line) => world.draw(line));
  }
  world.complain(warnings.map((warning) => `codelia: warning: ${warning}\n`).join(""));
}
