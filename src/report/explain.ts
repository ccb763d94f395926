import { dirname, basename, join } from "node:path";
import type { ClientProfile, UserEnvironment, TreeFacts } from "../clients/client.ts";
import { ownSkillDirectories, withSkillsOnlyIn } from "../clients/own-names.ts";
import { onePerPath } from "../clients/reached.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "../instructions/gather.ts";
import { decidePending } from "../instructions/pending.ts";
import { findContext } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import { entriesOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { discoverSkills } from "../skills/discover.ts";
import { disabledNames } from "../skills/permissions.ts";
import { bySignificance } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Explanation, ToldState } from "./schema.ts";

/**
 * What becomes of the instruction files and skills in sessions that begin in a directory.
 *
 * @input  path: what was asked about; start: where the sessions begin, as a client sees it
 * @effect reads, including the ledger; may cache what it read of skills
 */
export async function explain(
  world: World,
  workspace: Workspace,
  clients: readonly ClientProfile[],
  { path, start }: { readonly path: string; readonly start: string },
  facts: TreeFacts,
): Promise<Explanation> {
  const user: UserEnvironment = { home: world.home, env: world.env };
  const reaches = clients.map((client) => namedReach(client, client.goesByNames ? workspace.cwd : start, user, facts));
  const { context, told } = await toldStates(world, workspace, path);
  const skills = await visibleSkills(world, { ...workspace, cwd: start }, clients, user, facts);
  return { path, directory: workspace.cwd, clients: reaches, context, told: [...told], skills };
}

/** What a client does with the files of a session that begins in a directory. */
export function namedReach(
  client: ClientProfile,
  directory: string,
  user: UserEnvironment,
  facts: TreeFacts,
): Explanation["clients"][number] {
  const reach = client.reach(directory, user, facts);
  return { title: client.title, client: client.name, ...reach, files: onePerPath(reach.files) };
}

/**
 * Where a client starts: a process's working directory has its links resolved, a directory named by a flag keeps them.
 */
export function startDirectory(cwd: string, named: string | undefined, facts: TreeFacts): string {
  return named === undefined ? (facts.realPath(cwd) ?? cwd) : cwd;
}

/** What the context knows of the files that apply to a path, and what it would be told next. */
async function toldStates(
  world: World,
  workspace: Workspace,
  path: string,
): Promise<{ readonly context: Explanation["context"]; readonly told: readonly ToldState[] }> {
  if (workspace.noState) return { context: null, told: [] };
  const { key, root, userDirectories } = workspace;
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const context = findContext(session, key.context);
  const applying = await gatherInstructions(world, workspace, targetsOf(workspace, [path]));
  const { tell } = decidePending(applying, context, instructionFacts(world), Number.POSITIVE_INFINITY);
  const pending = new Set(tell.map((file) => file.path));
  const own = Object.entries(context.loadedVersions).flatMap(([file, { own: isOwn, directory = dirname(file) }]) =>
    isOwn === true && isInside(directory, path) ? file : [],
  );
  const files = [...applying.files, ...tell].map((file) => file.path);
  const told = [...new Set([...files, ...own])].flatMap((file): ToldState[] => {
    const known = Object.hasOwn(context.loadedVersions, file) ? context.loadedVersions[file] : undefined;
    if (known === undefined) return pending.has(file) ? [{ path: file, state: "pending" }] : [];
    const { mtimeMs, n } = known;
    return [{ path: file, state: pending.has(file) ? "changed" : "told", mtimeMs, n }];
  });
  const updatedAt = session?.updatedAt ?? null;
  return { context: { session: key.session, context: key.context, epoch: context.epoch, updatedAt }, told };
}

/**
 * Every skill, with the clients that list it: codelia lists all enabled skills, other clients those in their own
 * directories, where codelia may not look.
 */
export async function visibleSkills(
  world: World,
  workspace: Workspace,
  clients: readonly ClientProfile[],
  user: UserEnvironment,
  facts: TreeFacts,
): Promise<Explanation["skills"]> {
  const { enabled, disabled } = workspace.settings.skills;
  const { book } = await discoverSkills(world, workspace);
  const known = new Set(book.all().map((skill) => skill.path));
  const own = ownSkillDirectories(clients, workspace);
  const others = own.length === 0 ? [] : (await discoverSkills(world, withSkillsOnlyIn(own, workspace))).book.all();
  const skills = [...book.all(), ...others.filter((skill) => !known.has(skill.path))];
  const isDisabled = disabledNames(disabled);
  const ownDirectories = new Map(
    clients.map((client) => {
      const directories = client.skillDirectories?.(workspace.cwd, user, facts);
      return [client.name, directories?.flatMap((path) => facts.realPath(path) ?? [])] as const;
    }),
  );
  const seen = bySignificance(skills).map(({ name, path, scope }) => {
    const directory = facts.realPath(dirname(path)) ?? dirname(path);
    const isListed = (client: ClientProfile) => {
      const directories = ownDirectories.get(client.name);
      return directories === undefined
        ? known.has(path) && enabled && !isDisabled(name)
        : directories.some((parent) => isInside(parent, directory));
    };
    return { name, path, scope, visibleTo: clients.filter(isListed).map((client) => client.name) };
  });
  // A client may look for skills in a directory of a project and not in that of the user's home.
  return seen.filter(({ path, visibleTo }) => known.has(path) || visibleTo.length > 0);
}

const MAX_ENTRIES = 500_000;
const MAX_DEPTH = 64;

/** A directory, and what each client's session that begins there reads. */
export type Place = Pick<Explanation, "directory" | "clients">;

export interface Project {
  /** The directories that contain instruction files, including the root. */
  readonly places: readonly Place[];
  /** A limit ended the search. */
  readonly truncated: boolean;
}

/** @input also: further directories; facts: about the disk, if the caller has asked for some already */
export function surveyProject(
  world: World,
  { root, settings }: Workspace,
  clients: readonly ClientProfile[],
  also: readonly string[] = [],
  facts: TreeFacts = diskFacts(world),
): Project {
  const home = { home: world.home, env: world.env };
  const names = clients.flatMap((client) => [...client.names, ...client.moreNames(root.directory, home, facts)]);
  const { directories, truncated } = directoriesWith(root.directory, names, settings.agents.ignore);
  const places = [...new Set([...directories, ...also])].toSorted().map((directory): Place => {
    return { directory, clients: clients.map((client) => namedReach(client, directory, home, facts)) };
  });
  return { places, truncated };
}

/**
 * The directories of a project that hold instruction files, the root among them; links are not followed, and a directory
 * that can't be listed is passed over.
 *
 * @input  names: of instruction files, some of them in a folder (`.claude/CLAUDE.md`); ignored: names of directories that
 *         are not entered
 */
function directoriesWith(
  root: string,
  names: readonly string[],
  ignored: readonly string[],
): { readonly directories: ReadonlySet<string>; readonly truncated: boolean } {
  const own = new Set(names.map((name) => basename(name)));
  const folders = new Set(names.map((name) => dirname(name)).filter((name) => name !== "."));
  const closed = new Set([...ignored, ".git"]);
  const directories = new Set([root]);
  let left = MAX_ENTRIES;

  function walk(directory: string, depth: number): void {
    if (left <= 0 || depth > MAX_DEPTH) return;
    const entries = entriesOf(directory);
    left -= entries.length;
    for (const entry of entries) {
      if (entry.isDirectory()) {
        if (!closed.has(entry.name)) walk(join(directory, entry.name), depth + 1);
      } else if (own.has(entry.name)) {
        directories.add(folders.has(basename(directory)) ? dirname(directory) : directory);
      }
    }
  }

  walk(root, 0);
  return { directories, truncated: left <= 0 };
}
