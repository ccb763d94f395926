import { dirname, join } from "node:path";
import type { InstructionFile } from "../instructions/chain.ts";
import { isKnown, isTold } from "../instructions/pending.ts";
import { findContext } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import { haveSameText } from "../lib/read-file.ts";
import type { ReachedFile } from "../report/schema.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Client, ClientEvent, Touch, TreeFacts } from "./client.ts";
import { loadNative } from "./registry.ts";
import { listedSkills, type ListableSkill } from "./skill-listing.ts";
import { carefulFacts, diskFacts } from "./tree-facts.ts";

type CandidateFile = Pick<InstructionFile, "path" | "version" | "identity">;

/** The files that the client has given the model itself: some whole, others cut, possibly to nothing. */
export interface NativeStart {
  readonly whole: ReadonlySet<string>;
  /** Path → bytes given. */
  readonly cut: ReadonlyMap<string, number>;
}

const NOTHING: NativeStart = { whole: new Set(), cut: new Map() };

/**
 * The instruction files that the client itself gives a context when it begins. Only what is certain counts: telling
 * such a file again would repeat it, but leaving out another would lose it.
 *
 * @effect reads what the client reads, and its settings
 */
export async function nativeStart(
  world: World,
  { cwd, root }: Workspace,
  client: Client,
  event: ClientEvent,
  files: readonly CandidateFile[],
): Promise<NativeStart> {
  if (files.length === 0 || event.isBare === true) return NOTHING;
  const whole = new Set<string>();
  for (const { path, version } of files) {
    const known = event.given?.get(path);
    if (known?.mtimeMs === version.mtimeMs && known.sizeBytes === version.sizeBytes) whole.add(path);
  }
  const loads = await loadNative(client);
  const { facts, isCertain } = carefulFacts(world, root.directory);
  const reached = loads.reach(cwd, world, facts).files;
  const given = givenOf(reached, facts);
  if (!isCertain()) return { whole, cut: new Map() };
  const cut = new Map<string, number>();
  for (const { path, identity } of files) {
    const bytes = given.get(identity);
    if (bytes === "whole" || (bytes === undefined && isCopied(path, reached))) whole.add(path);
    else if (bytes !== undefined && !whole.has(path)) cut.set(path, bytes);
  }
  return { whole, cut };
}

/**
 * The paths of the skills that the client itself lists to its model.
 *
 * @effect reads what the client reads, and its settings
 */
export async function nativelyListed<Skill extends ListableSkill>(
  world: World,
  { cwd }: Workspace,
  client: Client,
  skills: readonly Skill[],
): Promise<ReadonlySet<string>> {
  if (skills.length === 0) return new Set();
  const { skillListing } = await loadNative(client);
  const facts = diskFacts(world);
  const listing = skillListing?.(cwd, world, facts);
  return listing === undefined ? new Set() : listedSkills(skills, listing, facts);
}

/** The skills of directories below the start of a session, as the client lists them. */
export interface ListedBelow {
  /** With the present touches; links resolved. */
  readonly now: ReadonlySet<string>;
  /** By path: with a later touch by a tool for files; links resolved. */
  readonly later: ReadonlyMap<string, string>;
}

/**
 * The skills of some directories and those above them that the client itself lists once they are touched.
 *
 * @effect reads what the client reads
 */
export async function listedBelow(
  world: World,
  { cwd, root }: Workspace,
  client: Client,
  places: readonly string[],
  touches: readonly Touch[],
): Promise<ListedBelow> {
  const { listsBelow, listsWith } = await loadNative(client);
  const { facts, isCertain } = carefulFacts(world, root.directory);
  const real = (path: string) => facts.realPath(path) ?? path;
  const now = new Set(touches.flatMap((touch) => listsWith?.(cwd, touch, world, facts) ?? []).map(real));
  const all = new Set(places.flatMap((place) => listsBelow?.(cwd, join(place, ANY_FILE), facts) ?? []));
  const later = [...all].map((path) => [path, real(path)] as const).filter(([, path]) => !now.has(path));
  return isCertain() ? { now, later: new Map(later) } : { now: new Set(), later: new Map() };
}

/** Stands for the files of a directory. */
const ANY_FILE = "_";

/**
 * The instruction files that the client itself adds, whole, to a tool's result. A file that the context knows in
 * another version was added before, and no client adds one twice.
 *
 * @effect reads what the client reads, its settings, and the ledger
 */
export async function nativelyLoaded(
  world: World,
  { cwd, root, userDirectories, key }: Workspace,
  client: Client,
  files: readonly CandidateFile[],
  touch: Touch | undefined,
): Promise<ReadonlySet<string>> {
  const loaded = new Set<string>();
  if (files.length === 0 || touch === undefined) return loaded;
  const loads = await loadNative(client);
  const { facts, isCertain } = carefulFacts(world, root.directory);
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const context = findContext(session, key.context);
  if (loads.loadsOnce === true && context.epoch > 1) return loaded;
  // A shell may have changed its directory since.
  const start = session?.cwd ?? cwd;
  const reached = loads.onTouch(start, touch, world, facts);
  const given = new Map(givenOf(reached, facts));
  for (const path of loads.listsWith?.(start, touch, world, facts) ?? []) {
    const what = facts.at(path);
    if (what?.kind === "file") given.set(what.identity, "whole");
  }
  if (given.size === 0 || !isCertain()) return loaded;
  for (const { path, identity, version } of files) {
    const isOld = isKnown(context, path) && !isTold(context, path, version);
    if (isOld) continue;
    if (given.get(identity) === "whole" || (!given.has(identity) && isCopied(path, reached))) loaded.add(path);
  }
  return loaded;
}

/**
 * The instruction files that the client itself names to its model because of a tool call: at the first touch of their
 * scope, and those that it loaded when the session began when they have changed.
 *
 * @effect reads what the client reads, and the ledger
 */
export async function nativelyNamed(
  world: World,
  { cwd, root, userDirectories, key }: Workspace,
  client: Client,
  files: readonly CandidateFile[],
  touches: readonly Touch[],
): Promise<ReadonlySet<string>> {
  const loads = await loadNative(client);
  if (loads.namesOn === undefined || files.length === 0) return new Set();
  const { facts, isCertain } = carefulFacts(world, root.directory);
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const context = findContext(session, key.context);
  const start = session?.cwd ?? cwd;
  const identitiesOf = (paths: readonly string[]) =>
    new Set(
      paths.flatMap((path) => {
        const what = facts.at(path);
        return what?.kind === "file" ? what.identity : [];
      }),
    );
  const named = identitiesOf(touches.flatMap((touch) => loads.namesOn?.(start, touch, world, facts) ?? []));
  const atStart = loads.tellsChanges === true ? loads.reach(start, world, facts).files : [];
  const watched = identitiesOf(atStart.filter(({ status }) => status === "loaded").map(({ path }) => path));
  if (!isCertain()) return new Set();
  const isOld = ({ path, version }: CandidateFile) => isKnown(context, path) && !isTold(context, path, version);
  const isNamed = (file: CandidateFile) => watched.has(file.identity) || (named.has(file.identity) && !isOld(file));
  return new Set(files.filter(isNamed).map(({ path }) => path));
}

/** By identity, because a file may have several names: a CLAUDE.md may be a link to AGENTS.md, or import it. */
function givenOf(files: readonly ReachedFile[], facts: TreeFacts): ReadonlyMap<string, "whole" | number> {
  const given = new Map<string, "whole" | number>();
  for (const { path, status, bytesShown } of files) {
    const what = facts.at(path);
    if (what?.kind !== "file") continue;
    if (status === "loaded") given.set(what.identity, "whole");
    else if ((status === "cut" || status === "left-out") && !given.has(what.identity)) {
      given.set(what.identity, bytesShown);
    }
  }
  return given;
}

/** Whether a file beside it that the client gives has the same text: some repositories keep a copy for each client. */
function isCopied(path: string, reached: readonly ReachedFile[]): boolean {
  const beside = reached.filter((other) => other.status === "loaded" && dirname(other.path) === dirname(path));
  return beside.some((other) => other.path !== path && haveSameText(path, other.path));
}
