import type { Client, ClientEvent } from "../clients/client.ts";
import { nativeStart, type NativeStart } from "../clients/native-load.ts";
import { bundleOf, type Bundle } from "../instructions/bundle.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import {
  AFTER,
  BEFORE,
  planDelivery,
  type Companions,
  type DueFile,
  type Missing,
  type Output,
} from "../instructions/delivery.ts";

import { gatherInstructions, instructionFacts, targetsOf } from "../instructions/gather.ts";
import { asTold, isTold, type LazyFacts } from "../instructions/pending.ts";
import { renderAgentsUsage, renderLeftOut, renderNotYet } from "../instructions/render.ts";
import { warnPassedOver } from "../instructions/tell.ts";
import type { Change } from "../ledger/changes.ts";
import { findContext, knownSkills, MAIN_CONTEXT, type ToldFile } from "../ledger/contexts.ts";
import { owedIn, owedTo, union } from "../ledger/delivery.ts";
import { viewSession } from "../ledger/read.ts";
import type { Context, Ranges } from "../ledger/schema.ts";
import { tellOnce } from "../ledger/tell.ts";
import { gatherCatalogue } from "../skills/catalogue.ts";
import { shorterCatalogues } from "../skills/render.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { ONLY_PART, type Part } from "./part.ts";

/** A client starts the hooks of one event at once; many of them take their time to start. */
const MANY_START_MS = 2000;
/** No hook takes longer. */
const LONGEST_HOOK_MS = 10_000;
/** Beside the files: what goes before them, and the catalogue behind. */
const OTHER_PARTS = 2;
/** Of an output's room, so much of a file's text is sure to find place. */
const SURE_SHARE = 0.7;

/**
 * Tells a context what applies where it begins, in the parts that the client asks for. Each part is told once, whoever
 * asks for it: whichever process comes first begins the context, and records what the others are to give. What none of
 * them has given is carried on later (`carry-on.ts`).
 *
 * @input  inherits: the context has its parent's history; part: each is asked for by a process of its own, at once;
 *         once: a context that is known already has begun
 * @effect prints; the ledger: the context begins anew, and knows what it was given
 * @error  none
 */
export async function beginContext(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  inherits: boolean,
  part: Part,
  once = false,
): Promise<void> {
  if (inherits) return void (part.index === 1 && (await inherit(world, workspace)));
  const facts = instructionFacts(world);
  const chain = await chainOf(world, workspace, client, event, facts);
  if (part.index > 1 && part.index > mostParts(chain.files, client)) return;
  const start = await planStart(world, workspace, client, chain, part.count, facts);
  const output = start.outputs[part.index - 1];
  if (output === undefined && part.index > 1) return;
  const answer = output === undefined ? "" : client.tell(event, output.text);
  const mine = output === undefined ? [] : [output];
  const given = givenBy(mine);
  await tellOnce(world, workspace, (session) => {
    const context = findContext(session, workspace.key.context);
    if (isBegun(world, context, event, part)) {
      const owed = owedTo(context) ?? {};
      const isOwed = Object.keys(given).some((path) => Object.hasOwn(owed, path));
      return isOwed ? { text: answer, change: { kind: "deliver", given, files: start.told } } : undefined;
    }
    if (once && Object.hasOwn(session?.contexts ?? {}, workspace.key.context)) return undefined;
    return { text: answer, change: beginningOf(start, mine, causeOf(event), world.now()) };
  });
}

/**
 * Whether this very event has begun it, in another process: then this one was started before that one had ended, because a
 * client goes on only when all hooks of an event have. Calls for many parts may be started one behind the other.
 */
function isBegun(world: World, { delivery }: Context, event: ClientEvent, { count }: Part): boolean {
  if (delivery?.by !== causeOf(event)) return false;
  const startedAt = world.now() - world.ticks();
  const since = startedAt - delivery.at;
  return since < (count > 1 ? MANY_START_MS : 0) && since > -LONGEST_HOOK_MS;
}

function causeOf({ name, cause = "" }: ClientEvent): string {
  return `${name} ${cause}`.trim();
}

/** Not to look closer for a part that is not needed. */
function mostParts(files: readonly InstructionFile[], { limit }: Client): number {
  const bytes = files.reduce((sum, { version }) => sum + version.sizeBytes, 0);
  return OTHER_PARTS + Math.ceil(bytes / (limit.max * SURE_SHARE)) + 1;
}

export interface Chain {
  readonly bundle: Bundle | undefined;
  /** Those that say something. */
  readonly files: readonly InstructionFile[];
  readonly native: NativeStart;
}

/** The instruction files of the working directory, and what the client gives of them. */
export async function chainOf(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  facts: LazyFacts,
): Promise<Chain> {
  if (!workspace.settings.agents.enabled) {
    return { bundle: undefined, files: [], native: { whole: new Set(), cut: new Map() } };
  }
  const applying = await gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd]));
  const files = applying.files.filter((file) => !facts.isBlank(file));
  const native = await nativeStart(world, workspace, client, event, files);
  const bundle = bundleOf(world, workspace, applying, (path) => native.whole.has(path));
  return { bundle, files, native };
}

/** What a context is given where it begins. */
export interface Start {
  readonly outputs: readonly Output[];
  /** Every piece, by path. */
  readonly due: Readonly<Record<string, Ranges>>;
  /** The files that are given in pieces. */
  readonly told: readonly ToldFile[];
  /** Those that the client gives by itself. */
  readonly native: readonly ToldFile[];
}

export async function planStart(
  world: World,
  workspace: Workspace,
  client: Client,
  chain: Chain,
  count: number,
  facts: LazyFacts,
): Promise<Start> {
  const { bundle, files, native } = chain;
  if (bundle) warnPassedOver(world, bundle.passedOver);
  const dueFiles = (bundle?.parts ?? []).map((file) => dueFrom(file, native.cut.get(file.path) ?? 0));
  const companions = await companionsOf(world, workspace, client, chain);
  const outputs = planDelivery(dueFiles, companions, { count, ...client.limit }, "later") ?? [];
  const due: Record<string, Ranges> = Object.fromEntries(dueFiles.map((file) => [file.path, file.due as Ranges]));
  for (const key of [BEFORE, AFTER]) if (outputs.some(({ given }) => given.has(key))) due[key] = [[0, 1]];
  const nativeFiles = files.filter(({ path }) => native.whole.has(path)).map((file) => asTold(file, facts));
  return { outputs, due, told: toldIn(bundle, facts), native: nativeFiles };
}

function toldIn(bundle: Bundle | undefined, facts: LazyFacts): ToldFile[] {
  return (bundle?.told ?? []).map((file) => asTold(file, facts));
}

/** The usage rules, the names of what is not shown, the catalogue of skills. */
async function companionsOf(
  world: World,
  workspace: Workspace,
  client: Client,
  { bundle, native }: Chain,
): Promise<Companions> {
  const { agents, skills } = workspace.settings;
  const catalogue = skills.enabled ? await gatherCatalogue(world, workspace) : undefined;
  const view = viewSession(workspace.root.directory, workspace.key.session, workspace.places, world.home);
  const loaded = Object.keys(knownSkills(view.session, workspace.key.context)).toSorted();
  const situation = {
    below: (bundle?.parts.length ?? 0) > 0,
    native: native.whole.size > 0,
    news: agents.resolver.enabled ? ("reminders" as const) : ("none" as const),
  };
  const leftOut = bundle?.leftOut.length ? renderLeftOut(bundle.leftOut) : "";
  return {
    before: bundle && agents.usage ? renderAgentsUsage(client.element, situation) : "",
    *after(missing) {
      const named = joined([leftOut, renderNotYet(missing.filter(isUnseen))]);
      // That there are skills is said before a further line of a file is: whoever is told of none looks for none.
      if (catalogue === undefined) yield named;
      else for (const text of shorterCatalogues(catalogue, loaded)) yield joined([named, text]);
    },
  };
}

function isUnseen({ shownBytes }: Missing): boolean {
  return shownBytes === 0;
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}

/** What the client has cut off goes on with the line that it cut. */
function dueFrom({ path, bytes, sizeBytes }: Bundle["parts"][number], givenBytes: number): DueFile {
  const from = givenBytes === 0 ? 0 : bytes.lastIndexOf(0x0a, givenBytes - 1) + 1;
  return { path, bytes, sizeBytes, due: from < bytes.length ? [[from, bytes.length]] : [] };
}

/** What the ledger learns of a beginning, of which some outputs are given now. */
export function beginningOf({ due, told, native }: Start, outputs: readonly Output[], by: string, at: number): Change {
  const delivery = { by, at, due, given: givenBy(outputs) };
  const owed = owedIn(delivery) ?? {};
  // What was named is known by its path only, until all of it was given.
  const files = told.map((file) => Object.assign({}, file, { isNamed: Object.hasOwn(owed, file.path) }));
  return { kind: "begin", told: [...native, ...files], withShell: true, delivery };
}

function givenBy(outputs: readonly Output[]): Readonly<Record<string, Ranges>> {
  const given: Record<string, Ranges> = {};
  for (const output of outputs) {
    for (const [path, ranges] of output.given) {
      given[path] = union([...(given[path] ?? []), ...ranges.map(([from, to]): [number, number] => [from, to])]);
    }
  }
  return given;
}

/**
 * Gives a context more of what its beginning could not give, as much as one answer holds.
 *
 * @output whether anything was printed
 * @effect prints; the ledger
 * @error  none
 */
export async function carryOn(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
): Promise<boolean> {
  const { key, root, places } = workspace;
  const { session } = viewSession(root.directory, key.session, places, world.home);
  if (owedTo(findContext(session, key.context)) === undefined) return false;
  const facts = instructionFacts(world);
  const start = { ...workspace, cwd: session?.cwd ?? workspace.cwd };
  const chain = await chainOf(world, start, client, { ...event, isBare: true }, facts);
  const all = await companionsOf(world, start, client, chain);
  const told = toldIn(chain.bundle, facts);
  return tellOnce(world, workspace, (known) => {
    const context = findContext(known, key.context);
    const owed = owedTo(context);
    if (owed === undefined) return undefined;
    // What has changed since, or is gone, is told like any other change.
    const present = new Set(told.filter(({ path, version }) => isTold(context, path, version)).map(({ path }) => path));
    const files = (chain.bundle?.parts ?? []).flatMap(({ path, bytes, sizeBytes }): DueFile[] => {
      const due = owed[path];
      return due === undefined || !present.has(path) ? [] : [{ path, bytes, sizeBytes, due }];
    });
    const companions: Companions = {
      before: owed[BEFORE] === undefined ? "" : all.before,
      after: (missing) => (owed[AFTER] === undefined ? [""] : all.after(missing)),
    };
    const output = planDelivery(files, companions, { count: 1, ...client.limit }, "later")?.[0];
    const lost = Object.entries(owed).filter(([path]) => path !== BEFORE && path !== AFTER && !present.has(path));
    const given = { ...givenBy(output === undefined ? [] : [output]), ...Object.fromEntries(lost) };
    const complete = told.filter(({ path }) => present.has(path));
    const text = output === undefined ? "" : client.tell(event, output.text);
    return { text, change: { kind: "deliver", given, files: complete } };
  });
}

/** The sub-agent knows what its parent was told. */
function inherit(world: World, workspace: Workspace): Promise<boolean> {
  const { context } = workspace.key;
  return tellOnce(world, workspace, (known) => {
    const parent = known?.contexts[MAIN_CONTEXT];
    if (known === undefined || parent === undefined || Object.hasOwn(known.contexts, context)) return undefined;
    return { text: "", change: { kind: "merge", session: { ...known, contexts: { [context]: parent } } } };
  });
}

/**
 * Begins a context that no event has begun.
 *
 * @output false for a context that is known
 * @effect prints; the ledger
 * @error  none
 */
export async function beginUnknown(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
): Promise<boolean> {
  const { session, context } = workspace.key;
  const view = viewSession(workspace.root.directory, session, workspace.places, world.home);
  if (Object.hasOwn(view.session?.contexts ?? {}, context)) return false;
  await beginContext(world, workspace, client, event, false, ONLY_PART, true);
  return true;
}
