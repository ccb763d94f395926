import type { ArgsDef } from "citty";
import type { Invocation, Problem } from "../command.ts";
import { didYouMean } from "../core/nearest.ts";
import type { HostPlaces, Scope, SettingsHost } from "../core/host-hooks/settings-host.ts";
import { SCOPES } from "../core/host-hooks/settings-host.ts";
import { isSamePlace } from "../io/same-place.ts";
import type { Workspace } from "../io/workspace.ts";
import { visible } from "../render/escape.ts";
import type { World } from "../world.ts";
import { COMMON_ARGS, text } from "./common.ts";
import { HOST_NAMES, settingsHost } from "./settings-hosts.ts";

/** The flags of `install` and `uninstall`. */
export const CHANGE_ARGS = {
  host: { type: "positional", valueHint: "HOST", description: `whose settings: ${HOST_NAMES.join(" or ")}` },
  scope: {
    type: "enum",
    options: [...SCOPES],
    valueHint: "SCOPE",
    description: "local: you in this project; project: all who work on it; user: you everywhere",
  },
  yes: { type: "boolean", alias: "y", description: "write without asking" },
  "dry-run": { type: "boolean", description: "print the diff, and write nothing" },
  ...COMMON_ARGS,
} as const satisfies ArgsDef;

/** One settings file of one host. */
export interface Target {
  readonly host: SettingsHost;
  readonly scope: Scope;
  readonly path: string;
  /** Where the file must be; undefined where it is the user's own. */
  readonly within: string | undefined;
}

/** What a command line names. */
export function chooseTarget(
  world: World,
  workspace: Workspace,
  { flags, operands }: Invocation,
  verb: string,
): Target | Problem {
  const [name] = operands;
  if (name === undefined) return usage(`'codelia ${verb}' needs a host: ${HOST_NAMES.join(" or ")}`);
  const host = settingsHost(name);
  if (host === undefined) return unknownHost(name);
  const scope = (text(flags["scope"]) as Scope | undefined) ?? host.scopes[0] ?? "user";
  if (!host.scopes.includes(scope)) {
    return usage(`'--scope' can't be '${scope}' for ${host.name}; one of ${host.scopes.join(", ")}`);
  }
  if (scope === "user" && world.home === "") return usage("there is no home directory: set HOME");
  const target = targetOf(host, scope, placesOf(world, workspace));
  if (scope !== "user" && isUsersOwn(world, workspace)) {
    return usage(`the root '${visible(workspace.root.directory)}' is your home directory; use '--scope user'`);
  }
  return target;
}

export function targetOf(host: SettingsHost, scope: Scope, places: HostPlaces): Target {
  const path = host.settingsFile(scope, places);
  return { host, scope, path, within: scope === "user" ? undefined : places.root };
}

export function placesOf(world: World, { cwd, root }: Workspace): HostPlaces {
  return { cwd, root: root.directory, home: world.home, env: world.env };
}

/** Where the root is the home directory, the project's files would be the user's own. */
export function isUsersOwn(world: World, { root }: Workspace): boolean {
  return world.home !== "" && isSamePlace(root.directory, world.home);
}

export function unknownHost(name: string): Problem {
  const hint = didYouMean(name, HOST_NAMES) || `; one of ${HOST_NAMES.join(", ")}`;
  return usage(`unknown host '${visible(name)}'${hint}`);
}

export function usage(message: string): Problem {
  return { code: "usage", message };
}
