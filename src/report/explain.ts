import { dirname } from "node:path";
import type { ClientProfile, ProfilePlace, TreeFacts } from "../clients/client.ts";
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
 * What becomes of the instruction files and skills for sessions that begin in a directory.
 *
 * @input  path: what was asked about; start: where the sessions begin, as a client finds itself
 * @effect reads, the ledger too; remembers what was read of skills
 */
export async function explain(
  world: World,
  workspace: Workspace,
  clients: readonly ClientProfile[],
  { path, start }: { readonly path: string; readonly start: string },
  facts: TreeFacts,
): Promise<Explanation> {
  const place: ProfilePlace = { home: world.home, env: world.env };
  const reaches = clients.map((client) => ({
    title: client.title,
    client: client.name,
    ...client.reach(client.goesByNames ? workspace.cwd : start, place, facts),
  }));
  const { context, told } = await toldStates(world, workspace, path);
  const skills = await visibleSkills(world, { ...workspace, cwd: start }, clients, place, facts);
  return { path, directory: workspace.cwd, clients: reaches, context, told: [...told], skills };
}

/** Where a client starts: a process's working directory has its links resolved, a directory named by a flag keeps them. */
export function startDirectory(cwd: string, named: string | undefined, facts: TreeFacts): string {
  return named === undefined ? (facts.realPath(cwd) ?? cwd) : cwd;
}

/** What the context that asks knows of the files that apply to a path, and what it would be told next. */
async function toldStates(
  world: World,
  workspace: Workspace,
  path: string,
): Promise<{ readonly context: Explanation["context"]; readonly told: readonly ToldState[] }> {
  if (workspace.noState) return { context: null, told: [] };
  const { key, root, places } = workspace;
  const { session } = viewSession(root.directory, key.session, places, world.home);
  const context = findContext(session, key.context);
  const applying = await gatherInstructions(world, workspace, targetsOf(workspace, [path]));
  const { tell } = decidePending(applying, context, instructionFacts(world), Number.POSITIVE_INFINITY);
  const pending = new Set(tell.map((file) => file.path));
  const told = [...new Set([...applying.files, ...tell].map((file) => file.path))].flatMap((file): ToldState[] => {
    const known = Object.hasOwn(context.loadedVersions, file) ? context.loadedVersions[file] : undefined;
    if (known === undefined) return pending.has(file) ? [{ path: file, state: "pending" }] : [];
    const { mtimeMs, n } = known;
    return [{ path: file, state: pending.has(file) ? "changed" : "told", mtimeMs, n }];
  });
  const updatedAt = session?.updatedAt ?? null;
  return { context: { session: key.session, context: key.context, epoch: context.epoch, updatedAt }, told };
}

/** Every skill, with the clients that list it: codelia lists all enabled skills, other clients those in their own places. */
async function visibleSkills(
  world: World,
  workspace: Workspace,
  clients: readonly ClientProfile[],
  place: ProfilePlace,
  facts: TreeFacts,
): Promise<Explanation["skills"]> {
  const { enabled, disabled } = workspace.settings.skills;
  const { book } = await discoverSkills(world, workspace);
  const isDisabled = disabledNames(disabled);
  const ownPlaces = new Map(
    clients.map((client) => {
      const places = client.skillPlaces?.(workspace.cwd, place, facts);
      return [client.name, places?.flatMap((path) => facts.realPath(path) ?? [])] as const;
    }),
  );
  return bySignificance(book.all()).map(({ name, path, scope }) => {
    const directory = facts.realPath(dirname(path)) ?? dirname(path);
    const isListed = (client: ClientProfile) => {
      const places = ownPlaces.get(client.name);
      return places === undefined ? enabled && !isDisabled(name) : places.some((parent) => isInside(parent, directory));
    };
    return { name, path, scope, visibleTo: clients.filter(isListed).map((client) => client.name) };
  });
}
