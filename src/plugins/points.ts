import { dirname, isAbsolute, resolve } from "node:path";
import type { PlacedEvent } from "../clients/client.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import type { Target } from "../instructions/gather.ts";
import { decidePending, without, type Applying, type LazyFacts, type Pending } from "../instructions/pending.ts";
import type { Root } from "../instructions/root.ts";
import { findContext } from "../ledger/contexts.ts";
import type { Session } from "../ledger/schema.ts";
import type { Reminder } from "../ledger/telling.ts";
import { disk, errnoOf, identityOf, versionOf } from "../lib/fs.ts";
import { isDirectory } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import type { SkillHit } from "../skills/rank.ts";
import { withId, type Skill } from "../skills/skill.ts";
import type { World } from "../world.ts";
import type { PlacedPlugin } from "./find.ts";
import { askPlugins, type ExtensionSetting } from "./run.ts";

/** More would be no instructions. */
const MAX_ADDED_BYTES = 1024 * 1024;

const MAX_ADDED_FILES = 64;

/**
 * `agents:chain`: the instruction files that apply, as plugins have them.
 *
 * @output without those that were left out, with those that were added: regular files of at most 1 MiB; by a project's plugin only
 *         `*.md` files inside its root, links followed
 * @effect, @error as `askPlugins`
 */
export function pluggedChain(
  world: World,
  setting: ExtensionSetting,
  targets: readonly Target[],
  found: Applying,
): Applying {
  const files = askPlugins<"agents:chain", readonly InstructionFile[]>(
    world,
    setting,
    "agents:chain",
    found.files,
    (current) => ({ targets: targets.map(({ directory }) => directory), files: current.map(asFileData) }),
    (data, placed) => {
      const known = new Map([...found.files].map((file) => [file.path, file]));
      const chosen: InstructionFile[] = [];
      const taken = new Set<string>();
      let added = 0;
      for (const { path } of data.files) {
        const file = known.get(path) ?? lookAt(path, placed, setting.root.directory);
        if (typeof file === "string") return { reason: file };
        if (!known.has(path) && ++added > MAX_ADDED_FILES)
          return { reason: `it adds more than ${MAX_ADDED_FILES} files` };
        if (!taken.has(file.identity)) chosen.push(file);
        taken.add(file.identity);
      }
      return { state: chosen };
    },
  );
  return { ...found, files };
}

/** A file that a plugin adds, or why it can't be added. */
function lookAt(path: string, { isProject }: PlacedPlugin, root: string): InstructionFile | string {
  if (!isAbsolute(path)) return `'${path}' is no absolute path`;
  const named = resolve(path);
  try {
    const realPath = disk.realPath(named);
    const stats = disk.look(realPath);
    if (stats === undefined || !stats.isFile()) return `'${path}' is not a regular file`;
    if (stats.size > MAX_ADDED_BYTES) return `'${path}' is larger than ${MAX_ADDED_BYTES} bytes`;
    if (isProject && !isInside(disk.realPath(root), realPath)) return `'${path}' is outside the project`;
    if (isProject && !realPath.endsWith(".md")) return `'${path}' is no *.md file`;
    const version = versionOf(stats);
    return { kind: "file", path: named, directory: dirname(named), realPath, version, identity: identityOf(stats) };
  } catch (error) {
    return `'${path}' can't be looked at (${errnoOf(error)})`;
  }
}

/**
 * `hook:event`: what an event of a client means, as plugins have it.
 *
 * @input  client, name: the client, and what it calls the event
 * @output a meaning of the same kind
 * @effect, @error as `askPlugins`
 */
export function pluggedEvent(
  world: World,
  setting: ExtensionSetting,
  client: string,
  name: string,
  what: PlacedEvent,
): PlacedEvent {
  return askPlugins<"hook:event", PlacedEvent>(
    world,
    setting,
    "hook:event",
    what,
    (current) => ({ host: client, name, what: current }),
    ({ what: changed }) => {
      if (changed.kind !== what.kind) return { reason: `'${what.kind}' can't become '${changed.kind}'` };
      // What it does not give back stays as it was.
      return { state: { ...what, ...changed } as PlacedEvent };
    },
  );
}

/**
 * `agents:pending`: what a context is about to be told, as plugins have it.
 *
 * @input  applying, session, facts: as for `decidePending`
 * @output what applies, without what is not told now
 * @effect, @error as `askPlugins`
 */
export function pluggedPending(
  world: World,
  setting: ExtensionSetting,
  applying: Applying,
  session: Session | undefined,
  facts: LazyFacts,
): Applying {
  const context = findContext(session, setting.key.context);
  // All of it, whatever fits into one reminder.
  const pending = decidePending(applying, context, facts, Number.POSITIVE_INFINITY);
  return pending.tell.length === 0 ? applying : without(applying, leftOut(world, setting, pending));
}

function leftOut(world: World, setting: ExtensionSetting, pending: Pending): ReadonlySet<string> {
  const kept = askPlugins(
    world,
    setting,
    "agents:pending",
    pending.tell,
    (tell) => ({ tell: tell.map(asFileData), gone: [...pending.gone] }),
    ({ tell }) => {
      const stranger = tell.find(({ path }) => !pending.tell.some((file) => file.path === path));
      if (stranger !== undefined) return { reason: `'${stranger.path}' was not among what there is to tell` };
      const wanted = new Set(tell.map(({ path }) => path));
      return { state: pending.tell.filter(({ path }) => wanted.has(path)) };
    },
  );
  const keptPaths = new Set(kept.map(({ path }) => path));
  return new Set(pending.tell.map(({ path }) => path).filter((path) => !keptPaths.has(path)));
}

/**
 * `reminder:before`: a reminder right before it is printed, as plugins have it.
 *
 * @output what is printed of it
 * @effect, @error as `askPlugins`
 */
export function pluggedReminder(world: World, setting: ExtensionSetting, { type, text, wrap }: Reminder): string {
  const plain = wrap(text) ?? "";
  return askPlugins(
    world,
    setting,
    "reminder:before",
    { text, wrapped: plain },
    (current) => ({ type, text: current.text }),
    ({ text: changed }) => {
      const wrapped = wrap(changed);
      return wrapped === undefined
        ? { reason: "the client takes no text of that length" }
        : { state: { text: changed, wrapped } };
    },
  ).wrapped;
}

/**
 * `root:resolved`: the root as plugins have it.
 *
 * @output another directory that exists, or the same root
 * @effect, @error as `askPlugins`
 */
export function pluggedRoot(world: World, setting: ExtensionSetting): Root {
  return askPlugins(
    world,
    setting,
    "root:resolved",
    setting.root,
    ({ directory, reason }) => ({ directory, reason }),
    ({ directory }) => {
      if (directory === setting.root.directory) return { state: setting.root };
      if (!isAbsolute(directory) || !isDirectory(directory)) return { reason: `'${directory}' is no directory` };
      return { state: { directory: resolve(directory), reason: "plugin" } };
    },
  );
}

/**
 * `skills:catalog`: the skills that are shown, as plugins have them.
 *
 * @output some of them, in another order
 * @effect, @error as `askPlugins`
 */
export function pluggedCatalog(world: World, setting: ExtensionSetting, skills: readonly Skill[]): readonly Skill[] {
  const known = new Map(skills.map((skill) => [skill.path, skill]));
  return askPlugins<"skills:catalog", readonly Skill[]>(
    world,
    setting,
    "skills:catalog",
    skills,
    (current) => ({ skills: current.map(withId) }),
    (data) => {
      const chosen = new Set<Skill>();
      for (const { path } of data.skills) {
        const skill = known.get(path);
        if (skill === undefined) return { reason: `'${path}' was not among the skills` };
        chosen.add(skill);
      }
      return { state: [...chosen] };
    },
  );
}

/**
 * `skills:ranked`: what a search found, as plugins have it.
 *
 * @input  limit: how many of them are shown
 * @output some of them, in another order, with other scores
 * @effect, @error as `askPlugins`
 */
export function pluggedRanking(
  world: World,
  setting: ExtensionSetting,
  { query, limit }: { readonly query: string; readonly limit: number },
  results: readonly SkillHit[],
): readonly SkillHit[] {
  const known = new Map(results.map((hit) => [hit.skill.path, hit]));
  return askPlugins<"skills:ranked", readonly SkillHit[]>(
    world,
    setting,
    "skills:ranked",
    results,
    (current) => ({
      query,
      limit,
      results: current.map(({ skill, score, reason }) => ({ skill: withId(skill), score, reason })),
    }),
    (data) => {
      const chosen = new Map<string, SkillHit>();
      for (const { skill, score } of data.results) {
        const hit = known.get(skill.path);
        if (hit === undefined) return { reason: `'${skill.path}' was not among the results` };
        chosen.set(skill.path, { ...hit, score });
      }
      return { state: [...chosen.values()] };
    },
  );
}

/** An instruction file as plugins see it. */
export function asFileData({ path, version }: InstructionFile) {
  return { path, mtimeMs: version.mtimeMs, sizeBytes: version.sizeBytes };
}
