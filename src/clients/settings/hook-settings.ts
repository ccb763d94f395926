import { join } from "node:path";
import type { ArgsDef } from "citty";
import type { Invocation, Problem } from "../../command.ts";
import { didYouMean } from "../../lib/nearest.ts";
import type { HostPlaces, Scope, SettingsHost } from "./settings-host.ts";
import { SCOPES } from "./settings-host.ts";
import { isSamePlace } from "../../lib/same-place.ts";
import type { Workspace } from "../../workspace.ts";
import { visible } from "../../lib/escape.ts";
import type { World } from "../../world.ts";
import { COMMON_ARGS, text } from "../../cli/args.ts";
import { HOST_NAMES, settingsHost } from "../settings-hosts.ts";

/** The flags of `install` and `uninstall`. */
export const CHANGE_ARGS = {
  host: { type: "positional", valueHint: "HOST", description: `whose settings: ${listNames()}` },
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

/** Where a host's hooks stand at one scope. */
export interface Target {
  readonly host: SettingsHost;
  readonly scope: Scope;
  /** As it is shown: the file, or the directory of several. */
  readonly path: string;
  readonly files: readonly TargetFile[];
  /** Where the file must be; undefined where it is the user's own. */
  readonly within: string | undefined;
}

export interface TargetFile {
  readonly path: string;
  /** Whose script it is; undefined for a file that holds all events. */
  readonly event: string | undefined;
}

/** What a command line names. */
export function chooseTarget(
  world: World,
  workspace: Workspace,
  { flags, operands }: Invocation,
  verb: string,
): Target | Problem {
  const [name] = operands;
  if (name === undefined) return usage(`'codelia ${verb}' needs a host: ${listNames()}`);
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
  const files =
    host.layout.kind === "scripts"
      ? host.events.map(({ name }) => ({ path: join(path, name), event: name }))
      : [{ path, event: undefined }];
  return { host, scope, path, files, within: scope === "user" ? undefined : places.root };
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

/** `a, b or c` */
export function listNames(): string {
  return `${HOST_NAMES.slice(0, -1).join(", ")} or ${HOST_NAMES.at(-1)}`;
}

export function usage(message: string): Problem {
  return { code: "usage", message };
}
