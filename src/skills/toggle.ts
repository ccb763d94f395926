import { dirname, resolve } from "node:path";
import { editConfigList, type ConfigEdited } from "../config/edit.ts";
import { configPathsIn } from "../config/files.ts";
import { isSameFile } from "../lib/path-facts.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { OffNames, OffPlace } from "./picker.ts";

/** What the project's config disables, and what the user's disables. */
export function readOffNames(workspace: Workspace): OffNames {
  const namesOff = (place: OffPlace) => {
    const directories = directoriesOf(workspace, place);
    const layers = workspace.layers.filter(({ source }) => directories.includes(dirname(source)));
    return new Set(layers.flatMap(({ config }) => config.skills?.disabled ?? []));
  };
  return { project: namesOff("project"), user: namesOff("user") };
}

/** The existing config file of a project or user, if any. */
export function configOf(workspace: Workspace, place: OffPlace): string | undefined {
  return directoriesOf(workspace, place).flatMap((directory) => configPathsIn(directory))[0];
}

/** The limits of `skills.disabled`. */
const MAX_NAME_LENGTH = 64;
const MAX_NAMES = 1000;

/**
 * Disables or enables a skill by name, in the project's config or the user's.
 *
 * @param off what each config disables now
 */
export async function switchSkill(
  world: World,
  workspace: Workspace,
  place: OffPlace,
  name: string,
  off: OffNames,
): Promise<ConfigEdited> {
  const directories = directoriesOf(workspace, place);
  const [directory] = directories;
  const path = directory ?? codeliaOf(workspace);
  if (directory === undefined) {
    return { kind: "failed", path, reason: "here the project's config is your own; switch it for yourself" };
  }
  const lost = Object.keys(workspace.configProblems).find((config) => directories.includes(dirname(config)));
  if (lost !== undefined) return { kind: "failed", path: lost, reason: "the file can't be used; repair it first" };
  if (off[place].has(name)) {
    return editConfigList(world, directories, { path: ["skills", "disabled"], remove: name });
  }
  if (name.length > MAX_NAME_LENGTH) {
    return { kind: "failed", path, reason: `the name is longer than ${MAX_NAME_LENGTH} characters` };
  }
  if (off[place].size >= MAX_NAMES) return { kind: "failed", path, reason: `${MAX_NAMES} names are in it already` };
  return editConfigList(world, directories, { path: ["skills", "disabled"], add: name });
}

/** If the root is the home directory, the project has no config: it is the user's. */
function directoriesOf(workspace: Workspace, place: OffPlace): readonly string[] {
  const { userDirectories } = workspace;
  if (place === "user") return userDirectories.config;
  const directory = codeliaOf(workspace);
  return isSameFile(directory, userDirectories.global) ? [] : [directory];
}

function codeliaOf({ root }: Workspace): string {
  return resolve(root.directory, ".codelia");
}
