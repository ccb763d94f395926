import { basename, dirname, join, sep } from "node:path";
import type { Client, TreeFacts } from "../clients/client.ts";
import { loadNative } from "../clients/registry.ts";
import { carefulFacts } from "../clients/tree-facts.ts";
import { MAIN_NAMES, type InstructionFile } from "../instructions/chain.ts";
import { NONE_OWN, type OwnFound } from "../instructions/tell.ts";
import type { Context, Session } from "../ledger/schema.ts";
import { isInside } from "../lib/paths.ts";
import { isFile } from "../lib/path-facts.ts";
import { haveSameText } from "../lib/read-file.ts";
import { disabledNames } from "../skills/permissions.ts";
import { ANY_FILE } from "./own-conditions.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** The others wait for the next touch. */
const MAX_PATHS = 16;

/**
 * The client's own instruction files for some paths, as far as they are in the tree or the user's.
 *
 * @input  files: those that apply in any client
 * @effect reads what the client reads, and its settings
 */
export async function findOwn(
  world: World,
  { cwd, root, settings: { skills } }: Workspace,
  client: Client,
  paths: readonly string[],
  files: readonly InstructionFile[],
  session: Session | undefined,
  { loadedVersions }: Context,
): Promise<OwnFound> {
  const { listsBelow, loadsFor } = await loadNative(client);
  const { facts, isCertain } = carefulFacts(world, root.directory);
  const start = session?.cwd ?? cwd;
  const touched = paths.slice(0, MAX_PATHS).map((path) => {
    return facts.at(path)?.kind === "directory" ? join(path, ANY_FILE) : path;
  });
  const found = touched.map((path) => loadsFor?.(start, path, world, facts));
  const skillsBelow = touched.flatMap((path) => listsBelow?.(start, path, facts) ?? []);
  const below = [...new Set(skillsBelow.map((path) => dirname(dirname(path))))];
  if (!isCertain()) return NONE_OWN;
  const identities = new Set(files.map(({ identity }) => identity));
  const own: InstructionFile[] = [];
  const isDisabled = disabledNames(skills.disabled);
  const isListed = (realPath: string) => skills.directories.some((inner) => realPath.includes(join(sep, inner, sep)));
  for (const { path, directory, saysNothing, skill } of found.flatMap((each) => each?.files ?? [])) {
    const file = placed(path, directory, root.directory, client.own?.homeRules(world) ?? "", facts);
    if (file === undefined || identities.has(file.identity) || MAIN_NAMES.includes(basename(path))) continue;
    // A copy of a file that applies is another name of it.
    if (files.some((each) => dirname(each.path) === dirname(path) && haveSameText(each.path, path))) continue;
    // Those that codelia lists itself are in the catalogue.
    if (skill !== undefined && (!skills.enabled || isDisabled(skill) || isListed(file.realPath))) continue;
    identities.add(file.identity);
    own.push({ ...file, saysNothing });
  }
  const isOnTheWay = (directory: string) => paths.some((path) => isInside(directory, path));
  const known = Object.keys(loadedVersions).filter((path) => loadedVersions[path]?.own === true);
  return {
    files: own,
    vanished: new Set(
      known.filter((path) => isOnTheWay(loadedVersions[path]?.directory ?? dirname(path)) && !isFile(path)),
    ),
    settled: [...found.flatMap((each) => each?.settled ?? []), ...(skills.enabled ? [] : below)],
    places: skills.enabled ? below : [],
  };
}

/** A file of the tree that is in it, or of the user's rules. */
function placed(
  path: string,
  directory: string,
  root: string,
  homeRules: string,
  facts: TreeFacts,
): InstructionFile | undefined {
  const what = facts.at(path);
  if (what?.kind !== "file") return undefined;
  const { version, identity, realPath } = what;
  const isHome = isInside(homeRules, path);
  if (!isHome && !isInside(facts.realPath(root) ?? root, realPath)) return undefined;
  return { kind: "file", path, directory: isHome ? root : directory, version, identity, realPath, isOwn: true };
}
