import { basename, dirname, join } from "node:path";
import { ownProfile } from "../clients/choose.ts";
import type { ClientProfile } from "../clients/client.ts";
import { loadProfiles, loadSettings } from "../clients/registry.ts";
import { settingsData } from "../clients/settings/data.ts";
import { readSettings } from "../clients/settings/file.ts";
import type { ClientSettings, Scope, SettingsEnvironment } from "../clients/settings/model.ts";
import { findOwn, hooksOf } from "../clients/settings/survey.ts";
import { formatOf, isUsersOwn, placesOf } from "../clients/settings/target.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import { isDirectory } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { CheckScene } from "./scene.ts";

/**
 * The profiles to check for where the command line names none: codelia's own, and those of the clients whose files or
 * settings are in the repository.
 */
export async function presentClients(world: World, workspace: Workspace, scene: CheckScene): Promise<ClientProfile[]> {
  const { root, walked } = scene;
  const found = new Set([...walked.found.values()].flat());
  const settings = await loadSettings();
  const places = { ...placesOf(world, workspace), root };
  const profiles = (await loadProfiles()).filter(({ name, ownNames = [] }) => {
    if (ownNames.some((own) => found.has(basename(own)))) return true;
    const client = settings.find((each) => each.name === name);
    return client !== undefined && !isUsersOwn(world, workspace) && hasSettings(client, places);
  });
  return [ownProfile(world, workspace), ...profiles];
}

function hasSettings(client: ClientSettings, places: SettingsEnvironment): boolean {
  return client.scopes.some((scope) => {
    const directory = dirname(client.settingsFile(scope, places));
    return scope !== "user" && directory !== places.root && isInside(places.root, directory) && isDirectory(directory);
  });
}

/** Whether codelia's hooks in a client tell the model a file, for a session that begins in a directory. */
export type IsDelivered = (client: string, directory: string, path: string) => boolean;

/**
 * The names of the clients that have codelia's hooks.
 *
 * @effect reads the settings of the clients, the user's too
 */
export async function hookedClients(
  world: World,
  workspace: Workspace,
  clients: readonly ClientProfile[],
): Promise<ReadonlySet<string>> {
  const places = placesOf(world, workspace);
  return new Set(
    (await loadSettings())
      .filter(({ name }) => clients.some((client) => client.name === name))
      .filter((client) => client.scopes.some((scope) => hasHooks(world, client, scope, places)))
      .map(({ name }) => name),
  );
}

/** @param hooked the names of the clients that have codelia's hooks */
export function deliveredByHooks(world: World, workspace: Workspace, hooked: ReadonlySet<string>): IsDelivered {
  if (hooked.size === 0) return () => false;
  const own = ownProfile(world, workspace);
  const facts = diskFacts(world);
  const told = new Map<string, ReadonlySet<string>>();
  return (client, directory, path) => {
    if (!hooked.has(client)) return false;
    const paths =
      told.get(directory) ??
      new Set(
        own
          .reach(directory, { home: world.home, env: world.env }, facts)
          .files.filter(({ status }) => status === "loaded")
          .map((file) => file.path),
      );
    told.set(directory, paths);
    return paths.has(path);
  };
}

function hasHooks(world: World, client: ClientSettings, scope: Scope, places: SettingsEnvironment): boolean {
  const path = client.settingsFile(scope, places);
  const paths = client.layout.kind === "scripts" ? client.events.map(({ name }) => join(path, name)) : [path];
  return paths.some((each) => {
    const kind = client.layout.kind === "scripts" || client.plugin !== undefined ? "any" : formatOf(client);
    const file = readSettings(world, each, scope === "user" ? undefined : places.root, kind);
    if (file.kind !== "file") return false;
    if (client.plugin?.isNamed(file.text) === true) {
      return client.plugin.has(file.text, client.plugin.directory(scope, places));
    }
    const data = settingsData(file.text, client.layout);
    return Object.values(hooksOf(data)).some((list) => findOwn(list, client.name).length > 0);
  });
}
