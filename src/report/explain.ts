import { dirname } from "node:path";
import type { ClientProfile, UserEnvironment, TreeFacts } from "../clients/client.ts";
import { ownSkillDirectories, withSkillsOnlyIn } from "../clients/own-names.ts";
import { onePerPath } from "../clients/reached.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "../instructions/gather.ts";
import { decidePending } from "../instructions/pending.ts";
import { findContext } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import { isInside } from "../lib/paths.ts";
import { disabledNames } from "../skills/permissions.ts";
import { discoverSkills } from "../skills/discover.ts";
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
  return bySignificance(skills).map(({ name, path, scope }) => {
    const directory = facts.realPath(dirname(path)) ?? dirname(path);
    const isListed = (client: ClientProfile) => {
      const directories = ownDirectories.get(client.name);
      return directories === undefined
        ? known.has(path) && enabled && !isDisabled(name)
        : directories.some((parent) => isInside(parent, directory));
    };
    return { name, path, scope, visibleTo: clients.filter(isListed).map((client) => client.name) };
  });
}
