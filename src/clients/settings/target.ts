import { join } from "node:path";
import { notFound, textFlag, usage } from "../../cli/args.ts";
import type { Invocation, Problem } from "../../command.ts";
import { visible } from "../../lib/escape.ts";
import { isSameFile } from "../../lib/path-facts.ts";
import { anyOf } from "../../lib/words.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { unknownClient } from "../choose.ts";
import { clientNamed, clientNames, loadSettings } from "../registry.ts";
import { readSettings, type SettingsFile } from "./file.ts";
import type { SettingsEnvironment, ClientSettings, Companion, Scope } from "./model.ts";

/** Where a client's hooks are at one scope. */
export interface Target {
  readonly client: ClientSettings;
  readonly scope: Scope;
  /** As displayed: the file, or the directory of several. */
  readonly path: string;
  readonly files: readonly TargetFile[];
  /** Where the file must be; undefined if it is the user's own. */
  readonly within: string | undefined;
}

export interface TargetFile {
  readonly path: string;
  /** Whose script it is; undefined for a file of all events. */
  readonly event: string | undefined;
  /** It is a companion of the settings. */
  readonly companion?: Companion;
}

/** The target that the command line of `install` or `uninstall` names. */
export async function chooseTarget(
  world: World,
  workspace: Workspace,
  { flags, operands }: Invocation,
  verb: string,
): Promise<Target | Problem> {
  const [typed] = operands;
  if (typed === undefined) return usage(`'codelia ${verb}' needs a client: ${anyOf(clientNames())}`);
  const name = clientNamed(typed);
  const client = (await loadSettings()).find((each) => each.name === name);
  if (client === undefined) return notFound(unknownClient(name, clientNames()));
  const scope = (textFlag(flags["scope"]) as Scope | undefined) ?? client.scopes[0] ?? "user";
  if (!client.scopes.includes(scope)) {
    return usage(`'--scope' can't be '${scope}' for ${client.name}; one of ${client.scopes.join(", ")}`);
  }
  if (scope === "user" && world.home === "") return usage("there is no home directory: set HOME");
  if (scope !== "user" && isUsersOwn(world, workspace)) {
    return usage(`the root '${visible(workspace.root.directory)}' is your home directory; use '--scope user'`);
  }
  return targetOf(client, scope, placesOf(world, workspace));
}

export function targetOf(client: ClientSettings, scope: Scope, places: SettingsEnvironment): Target {
  const path = client.settingsFile(scope, places);
  const companions = (client.companions?.(scope, places) ?? []).map((companion): TargetFile => {
    return { path: companion.path, event: undefined, companion };
  });
  const hooks =
    client.layout.kind === "scripts"
      ? client.events.map(({ name }) => ({ path: join(path, name), event: name }))
      : [{ path, event: undefined }];
  const files: readonly TargetFile[] = [...hooks, ...companions];
  return { client, scope, path, files, within: scope === "user" ? undefined : places.root };
}

export function placesOf(world: World, { cwd, root }: Workspace): SettingsEnvironment {
  return { cwd, root: root.directory, home: world.home, env: world.env };
}

/** If the root is the home directory, the project's files would be the user's own. */
export function isUsersOwn(world: World, { root }: Workspace): boolean {
  return world.home !== "" && isSameFile(root.directory, world.home);
}

/** A file of a target. */
export function readTargetFile(
  world: World,
  { client, within }: Target,
  { path, event, companion }: TargetFile,
): SettingsFile {
  const inside = companion?.isUsers ? undefined : within;
  return readSettings(world, path, inside, event === undefined && companion === undefined ? formatOf(client) : "any");
}

/** What a file of all events must be. */
export function formatOf({ layout }: Pick<ClientSettings, "layout">): "json" | "toml" {
  return layout.kind === "tables" ? "toml" : "json";
}
