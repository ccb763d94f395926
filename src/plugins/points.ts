import { dirname, isAbsolute, resolve } from "node:path";
import type { PlacedEvent } from "../clients/client.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import type { Target } from "../instructions/gather.ts";
import { decidePending, without, type Applying, type LazyFacts } from "../instructions/pending.ts";
import type { Root } from "../instructions/root.ts";
import { findContext } from "../ledger/contexts.ts";
import type { Session } from "../ledger/schema.ts";
import type { Reminder } from "../ledger/tell.ts";
import { disk, errnoOf, identityOf, versionOf } from "../lib/fs.ts";
import { isDirectory } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import type { SkillHit } from "../skills/rank.ts";
import { withId, type Skill } from "../skills/skill.ts";
import type { World } from "../world.ts";
import type { ConfiguredPlugin } from "./configured.ts";
import { askPlugins, type ExtensionSetting } from "./run.ts";

// What a plugin is asked at each extension point, and what its answer may change. All of them use `askPlugins`.
// Earlier rooms reach these functions through `world.extensions()`.

/** `root:resolved`: another directory that exists, or the same root. */
export function extendRoot(world: World, setting: ExtensionSetting): Root {
  return askPlugins(
    world,
    setting,
    "root:resolved",
    setting.root,
    ({ directory, reason }) => ({ directory, reason }),
    ({ directory }) => {
      if (directory === setting.root.directory) return { state: setting.root };
      if (!isAbsolute(directory) || !isDirectory(directory)) return { reason: `'${directory}' is not a directory` };
      return { state: { directory: resolve(directory), reason: "plugin" } };
    },
  );
}

const MAX_ADDED_BYTES = 1024 * 1024;
const MAX_ADDED_FILES = 64;

/**
 * `agents:chain`: the instruction files that apply. A plugin may leave files out and add regular files of at most 1
 * MiB; a project's plugin may add only `*.md` files whose real path is inside its root.
 */
export function extendChain(
  world: World,
  setting: ExtensionSetting,
  targets: readonly Target[],
  found: Applying,
): Applying {
  const known = new Map([...found.files].map((file) => [file.path, file]));
  const files = askPlugins<"agents:chain", readonly InstructionFile[]>(
    world,
    setting,
    "agents:chain",
    found.files,
    (current) => ({ targets: targets.map(({ directory }) => directory), files: current.map(fileData) }),
    (data, plugin) => {
      const chosen = new Map<string, InstructionFile>();
      let added = 0;
      for (const { path } of data.files) {
        const file = known.get(path) ?? addedFile(path, plugin, setting.root.directory);
        if (typeof file === "string") return { reason: file };
        if (!known.has(path) && ++added > MAX_ADDED_FILES) {
          return { reason: `it adds more than ${MAX_ADDED_FILES} files` };
        }
        if (!chosen.has(file.identity)) chosen.set(file.identity, file);
      }
      return { state: [...chosen.values()] };
    },
  );
  return { ...found, files };
}

/** A file that a plugin adds, or why it can't be added. */
function addedFile(path: string, { isProject }: ConfiguredPlugin, root: string): InstructionFile | string {
  if (!isAbsolute(path)) return `'${path}' is not an absolute path`;
  const named = resolve(path);
  try {
    const realPath = disk.realPath(named);
    const stats = disk.look(realPath);
    if (stats === undefined || !stats.isFile()) return `'${path}' is not a regular file`;
    if (stats.size > MAX_ADDED_BYTES) return `'${path}' is larger than ${MAX_ADDED_BYTES} bytes`;
    if (isProject && !isInside(disk.realPath(root), realPath)) return `'${path}' is outside the project`;
    if (isProject && !realPath.endsWith(".md")) return `'${path}' is not a *.md file`;
    const version = versionOf(stats);
    return { kind: "file", path: named, directory: dirname(named), realPath, version, identity: identityOf(stats) };
  } catch (error) {
    return `'${path}' can't be looked at (${errnoOf(error)})`;
  }
}

function fileData({ path, version }: InstructionFile) {
  return { path, mtimeMs: version.mtimeMs, sizeBytes: version.sizeBytes };
}

/**
 * `agents:pending`: the files that a context is about to be told of. Files that a plugin leaves out stay pending.
 *
 * @output `applying` without the files that a plugin left out
 */
export function extendPending(
  world: World,
  setting: ExtensionSetting,
  applying: Applying,
  session: Session | undefined,
  facts: LazyFacts,
): Applying {
  const context = findContext(session, setting.key.context);
  // Plugins see all of it, however much fits into one reminder.
  const pending = decidePending(applying, context, facts, Number.POSITIVE_INFINITY);
  if (pending.tell.length === 0) return applying;
  const kept = askPlugins(
    world,
    setting,
    "agents:pending",
    pending.tell,
    (tell) => ({ tell: tell.map(fileData), gone: [...pending.gone] }),
    ({ tell }) => {
      const chosen = new Set(tell.map(({ path }) => path));
      const files = pending.tell.filter(({ path }) => chosen.delete(path));
      const [unknown] = chosen;
      return unknown === undefined ? { state: files } : { reason: `'${unknown}' is not among the pending files` };
    },
  );
  const keptPaths = new Set(kept.map(({ path }) => path));
  return without(applying, new Set(pending.tell.map(({ path }) => path).filter((path) => !keptPaths.has(path))));
}

/** `skills:catalog`: some of the skills that are shown, in any order. */
export function extendCatalog(world: World, setting: ExtensionSetting, skills: readonly Skill[]): readonly Skill[] {
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
        if (skill === undefined) return { reason: `'${path}' is not among the skills` };
        chosen.add(skill);
      }
      return { state: [...chosen] };
    },
  );
}

/**
 * `skills:ranked`: some of the search results, in any order, with other scores.
 *
 * @param limit how many of them are shown
 */
export function extendRanking(
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
        if (hit === undefined) return { reason: `'${skill.path}' is not among the results` };
        chosen.set(skill.path, { ...hit, score });
      }
      return { state: [...chosen.values()] };
    },
  );
}

/** `reminder:before`: the text of a reminder right before it is printed. */
export function extendReminder(world: World, setting: ExtensionSetting, { type, text, wrap }: Reminder): string {
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
        ? { reason: "the text is too long for the client" }
        : { state: { text: changed, wrapped } };
    },
  ).wrapped;
}

/** `hook:event`: the meaning of a client's event; its kind stays the same. */
export function extendEvent(
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
    (current) => ({ client, host: client, name, what: current }),
    ({ what: changed }) => {
      if (changed.kind !== what.kind) return { reason: `'${what.kind}' can't become '${changed.kind}'` };
      // Fields that it does not return stay unchanged.
      return { state: { ...what, ...changed } as PlacedEvent };
    },
  );
}
