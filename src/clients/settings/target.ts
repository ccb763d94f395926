import { join } from "node:path";
import { textFlag, usage } from "../../cli/args.ts";
import type { Invocation, Problem } from "../../command.ts";
import { visible } from "../../lib/escape.ts";
import { isSamePlace } from "../../lib/path-facts.ts";
import { anyOf } from "../../lib/text.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { unknownClient } from "../choose.ts";
import { CLIENT_NAMES, loadSettings } from "../registry.ts";
import { readSettings, type SettingsFile } from "./file.ts";
import type { ClientPlaces, ClientSettings, Scope } from "./model.ts";

/** Where a client's hooks stand at one scope. */
export interface Target {
  readonly client: ClientSettings;
  readonly scope: Scope;
  /** As it is shown: the file, or the directory of several. */
  readonly path: string;
  readonly files: readonly TargetFile[];
  /** Where the file must be; undefined where it is the user's own. */
  readonly within: string | undefined;
}

export interface TargetFile {
  readonly path: string;
  /** Whose script it is; undefined for a file of all events. */
  readonly event: string | undefined;
}

/** The target that the command line of `install` or `uninstall` names. */
export async function chooseTarget(
  world: World,
  workspace: Workspace,
  { flags, operands }: Invocation,
  verb: string,
): Promise<Target | Problem> {
  const [name] = operands;
  if (name === undefined) return usage(`'codelia ${verb}' needs a client: ${anyOf(CLIENT_NAMES)}`);
  const client = (await loadSettings()).find((each) => each.name === name);
  if (client === undefined) return usage(unknownClient(name, CLIENT_NAMES));
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

export function targetOf(client: ClientSettings, scope: Scope, places: ClientPlaces): Target {
  const path = client.settingsFile(scope, places);
  const files =
    client.layout.kind === "scripts"
      ? client.events.map(({ name }) => ({ path: join(path, name), event: name }))
      : [{ path, event: undefined }];
  return { client, scope, path, files, within: scope === "user" ? undefined : places.root };
}

export function placesOf(world: World, { cwd, root }: Workspace): ClientPlaces {
  return { cwd, root: root.directory, home: world.home, env: world.env };
}

/** Where the root is the home directory, the project's files would be the user's own. */
export function isUsersOwn(world: World, { root }: Workspace): boolean {
  return world.home !== "" && isSamePlace(root.directory, world.home);
}

/** A file of a target: one of all events has to be JSON, a script does not. */
export function readTargetFile(
  world: World,
  { within }: Target,
  path: string,
  event: string | undefined,
): SettingsFile {
  return readSettings(world, path, within, event === undefined ? "json" : "any");
}
