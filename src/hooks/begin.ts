import type { Client, ClientEvent, EventKind } from "../clients/client.ts";
import { nativeStart } from "../clients/native-load.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import {
  AFTER,
  AROUND,
  BEFORE,
  joinPieces,
  MEANWHILE,
  planDelivery,
  type Companions,
  type DueFile,
  type Piece,
} from "../instructions/delivery.ts";
import { instructionFacts } from "../instructions/gather.ts";
import { isTold } from "../instructions/pending.ts";
import { findContext, MAIN_CONTEXT } from "../ledger/contexts.ts";
import { owedTo, without } from "../ledger/delivery.ts";
import { viewSession } from "../ledger/read.ts";
import type { Change } from "../ledger/changes.ts";
import type { Context, Session } from "../ledger/schema.ts";
import { tellOnce } from "../ledger/tell.ts";
import { isInside } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { ONLY_PART, type Part } from "./part.ts";
import { beginningOf, catalogueFor, chainOf, companionsOf, givenBy, planStart, toldIn } from "./start.ts";

/** A client starts all hooks of an event at once, but a process may take this long to start. */
const MANY_START_MS = 2000;
/** A session has such an event once, so a hook may start as late as its client waits for it. */
const FIRST_CAUSES: ReadonlySet<string | undefined> = new Set(["startup", "new"]);
/** A client runs its hooks after a module has answered, and on a busy machine they may be slow to start. */
const AFTER_MODULE_MS = 30_000;
/** Two plugins may have the module. A model is asked before a context is compacted again, which takes longer. */
const MODULES_MS = 5000;
const MODULE = "mod ";
/** The resolution of the machine's own clock may be this coarse. */
const UPTIME_GRAIN_MS = 1000;
/** No hook runs longer than this. */
const LONGEST_HOOK_MS = 10_000;
/** Parts besides the files: one for the usage rules, one for the skill catalogue. */
const OTHER_PARTS = 2;
/** The share of an output's limit that is certain to be available for file text. */
const SURE_SHARE = 0.7;

/**
 * Delivers the instructions for a new context, in as many parts as the client asks for. Each part is printed once: the
 * first process to run begins the context and records what the other parts will give. Anything that no part delivered
 * is carried on later by `carryOn`.
 *
 * @input  part: a separate process asks for each part, all at once
 * @effect prints; the ledger: the context begins anew, with what it was given
 */
export async function beginContext(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  { inherits, once = false, isApart = false }: Omit<Extract<EventKind, { readonly kind: "begin" }>, "kind">,
  part: Part,
): Promise<void> {
  if (inherits) return void (part.index === 1 && (await inherit(world, workspace)));
  const facts = instructionFacts(world);
  const chain = await chainOf(world, workspace, client, event, facts);
  if (part.index > 1 && part.index > mostParts(workspace, chain.files, client)) return;
  const start = await planStart(world, workspace, client, chain, part.count, facts);
  const output = start.outputs[part.index - 1];
  if (output === undefined && part.index > 1) return;
  const answer = (text: string) => (text === "" ? "" : client.tell(event, text));
  await tellOnce(world, workspace, (session) => {
    const context = findContext(session, workspace.key.context);
    if (isBegun(world, context, event, part)) {
      // Another entry may have given some of it: the same part, or one of a start that is divided differently.
      const { text, given } = joinPieces((output?.pieces ?? []).filter((piece) => isOwed(context, piece)));
      const change: Change = { kind: "deliver", given: givenBy([{ given }]), files: start.told };
      return text === "" ? undefined : { text: answer(text), change };
    }
    const isKnown = hasBegun(session, workspace.key.context);
    if (once && isKnown) return undefined;
    const mine = output === undefined ? [] : [output];
    const begun = beginningOf(start, mine, causeOf(event), workspace.cwd, world);
    const change = isApart && isKnown ? { ...begun, keepsBeyond: workspace.cwd } : begun;
    return { text: answer(output?.text ?? ""), change };
  });
}

/** Whether none of it was given. */
function isOwed(context: Context, { given }: Piece): boolean {
  const owed = owedTo(context) ?? {};
  return Object.entries(givenBy([{ given }])).every(([key, ranges]) => without(ranges, owed[key] ?? []).length === 0);
}

/**
 * Whether another process has already begun the context for this same event. If so, this process started before that
 * one ended, because a client waits for all hooks of an event. Calls for many parts, and those that are registered at
 * several levels, may be started one after another, and hooks start after a module has answered.
 * Both clocks must agree: the wall clock may be set, and the machine's own begins at 0 when it starts.
 */
export function isBegun(world: World, { delivery }: Context, event: ClientEvent, { count }: Part): boolean {
  if (delivery?.by !== causeOf(event) && delivery?.by !== causeOf({ ...event, channel: "mod" })) return false;
  const age = world.ticks();
  // A second resume finds nothing new.
  const modules = event.what.kind === "resume" ? 0 : MODULES_MS;
  const afterModule = event.channel === "mod" ? modules : AFTER_MODULE_MS;
  const afterHook = FIRST_CAUSES.has(event.cause) ? LONGEST_HOOK_MS : count > 1 ? MANY_START_MS : 0;
  const latest = delivery.by.startsWith(MODULE) ? afterModule : afterHook;
  const isSame = (since: number, grain: number) => since < latest + grain && since > -LONGEST_HOOK_MS - grain;
  if (!isSame(world.now() - age - delivery.at, 0)) return false;
  const uptime = world.uptime();
  return uptime === undefined || delivery.up === undefined || isSame(uptime - age - delivery.up, UPTIME_GRAIN_MS);
}

function causeOf({ name, cause = "", channel }: ClientEvent): string {
  return `${channel === "mod" ? MODULE : ""}${name} ${cause}`.trim();
}

/** An upper bound, so that a part that will not be needed costs nothing more. */
function mostParts({ settings }: Workspace, files: readonly InstructionFile[], { limit }: Client): number {
  const { enabled, initial } = settings.skills;
  const skills = enabled ? initial.maxBytes : 0;
  const bytes = files.reduce((sum, { version }) => sum + version.sizeBytes, skills);
  return OTHER_PARTS + Math.ceil(bytes / (limit.max * SURE_SHARE)) + 1;
}

/**
 * Gives a context more of what did not fit when it began, as much as one answer holds.
 *
 * @output whether anything was printed
 * @effect prints; the ledger
 */
export async function carryOn(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
): Promise<boolean> {
  const { key, root, userDirectories } = workspace;
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const begun = findContext(session, key.context);
  const cwd = begun.delivery?.cwd ?? workspace.cwd;
  if (owedTo(begun) === undefined) return false;
  // Another project's config may name other files and skills: what can't be found now waits until the context is back.
  const isElsewhere = !isInside(root.directory, cwd);
  const facts = instructionFacts(world);
  const start = { ...workspace, cwd };
  const chain = await chainOf(world, start, client, { ...event, isBare: true }, facts);
  const native = await nativeStart(world, start, client, event, chain.files);
  const catalogue = await catalogueFor(world, start, client);
  const told = toldIn(chain.bundle, facts);
  return tellOnce(world, workspace, (known) => {
    const context = findContext(known, key.context);
    const owed = owedTo(context);
    if (owed === undefined) return undefined;
    // A file that has changed or gone since is reported like any other change.
    const present = new Set(told.filter(({ path, version }) => isTold(context, path, version)).map(({ path }) => path));
    const files = (chain.bundle?.parts ?? []).flatMap(({ path, bytes, sizeBytes }): DueFile[] => {
      const due = owed[path];
      return due === undefined || !present.has(path) ? [] : [{ path, bytes, sizeBytes, due }];
    });
    const dueAtStart = context.delivery?.due ?? {};
    const isOwing = (name: string) => Object.hasOwn(owed, name);
    const nearest = chain.bundle?.parts.findLast(({ path }) => Object.hasOwn(dueAtStart, path));
    const isNamed = Object.hasOwn(dueAtStart, MEANWHILE) && !isOwing(MEANWHILE);
    const all = companionsOf(world, start, client, { ...chain, native }, catalogue, isNamed);
    const before = isOwing(BEFORE) ? all.before : "";
    const isNearestGiven = files.at(-1)?.path !== nearest?.path;
    const companions: Companions =
      isOwing(AFTER) && !isElsewhere ? { ...all, before, isNearestGiven } : { before, after: () => [""] };
    const planned = planDelivery(files, companions, { count: 1, ...client.limit }, "later");
    const output = planned?.outputs[0];
    const given = { ...givenBy(output === undefined ? [] : [output]) };
    if (!isElsewhere) for (const path of Object.keys(owed)) if (isLost(path, present)) given[path] = owed[path] ?? [];
    // What stands around files was planned anew, which replaces all pieces of the previous plan.
    const around = planned === undefined || isElsewhere ? [] : planned.isAfterDue ? [BEFORE, MEANWHILE] : AROUND;
    for (const name of around) if (isOwing(name)) given[name] = owed[name] ?? [];
    if (output === undefined && Object.keys(given).length === 0) return undefined;
    const complete = told.filter(({ path }) => present.has(path));
    const text = output === undefined ? "" : client.tell(event, output.text);
    return { text, change: { kind: "deliver", given, files: complete } };
  });
}

/** A file of which nothing more can be given. */
function isLost(path: string, present: ReadonlySet<string>): boolean {
  return !AROUND.includes(path) && !present.has(path);
}

/**
 * Begins a context where the event can't tell it anything: all of it comes with the next events.
 *
 * @input  evenUnknown: not only one that begins anew
 * @effect the ledger
 */
export async function beginLater(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  { evenUnknown = false } = {},
): Promise<void> {
  const facts = instructionFacts(world);
  const chain = await chainOf(world, workspace, client, event, facts);
  const start = await planStart(world, workspace, client, chain, 1, facts);
  await tellOnce(world, workspace, (session) => {
    if (!evenUnknown && !Object.hasOwn(session?.contexts ?? {}, workspace.key.context)) return undefined;
    return { text: "", change: beginningOf(start, [], causeOf(event), workspace.cwd, world) };
  });
}

/** A sub-agent starts with what its parent was told. */
function inherit(world: World, workspace: Workspace): Promise<boolean> {
  const { context } = workspace.key;
  return tellOnce(world, workspace, (known) => {
    const parent = known?.contexts[MAIN_CONTEXT];
    if (known === undefined || parent === undefined || Object.hasOwn(known.contexts, context)) return undefined;
    return { text: "", change: { kind: "merge", session: { ...known, contexts: { [context]: parent } } } };
  });
}

/**
 * Begins a context for which the client sent no event.
 *
 * @output false if the context has already begun
 * @effect prints; the ledger
 */
export async function beginUnknown(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
): Promise<boolean> {
  const { session, context } = workspace.key;
  const view = viewSession(workspace.root.directory, session, workspace.userDirectories, world.home);
  if (hasBegun(view.session, context)) return false;
  await beginContext(world, workspace, client, event, { inherits: false, once: true }, ONLY_PART);
  return true;
}

/** A context that was only told of a path it touched, or loaded a skill, has not begun. */
function hasBegun(session: Session | undefined, context: string): boolean {
  return Object.hasOwn(session?.contexts ?? {}, context) && findContext(session, context).epoch > 0;
}
