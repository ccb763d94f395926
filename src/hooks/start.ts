import { readGuidedPointer } from "../agent/run/guided-pointer.ts";
import { nativelyListed, nativeStart, type NativeStart } from "../clients/native-load.ts";
import type { Client, ClientEvent } from "../clients/client.ts";
import { bundleOf, type Bundle } from "../instructions/bundle.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import {
  AFTER,
  AROUND,
  MEANWHILE,
  planDelivery,
  type Companions,
  type DueFile,
  type Missing,
  type Output,
  type Piece,
} from "../instructions/delivery.ts";
import { gatherInstructions, targetsOf } from "../instructions/gather.ts";
import { asTold, asUnread, type LazyFacts } from "../instructions/pending.ts";
import { renderAgentsUsage, renderLeftOut, renderNotYet, renderUnread } from "../instructions/render.ts";
import { warnPassedOver } from "../instructions/tell.ts";
import type { Change } from "../ledger/changes.ts";
import { knownSkills, MAIN_CONTEXT, type ToldFile } from "../ledger/contexts.ts";
import { owedIn, union } from "../ledger/delivery.ts";
import { viewSession } from "../ledger/read.ts";
import type { Ranges } from "../ledger/schema.ts";
import { gatherCatalogue, type Catalogue } from "../skills/catalogue.ts";
import { catalogueTexts, cutCatalogues } from "../skills/shown-catalogue.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { lastTold, NOTHING_LAST, type LastTold } from "./last-told.ts";

// What a context is given when it begins: gathered and planned here, told by `begin.ts`, shown by `preview.ts`.

export interface Chain {
  readonly bundle: Bundle | undefined;
  /** The files that are not blank. */
  readonly files: readonly InstructionFile[];
  /** Those that can't be read. */
  readonly unread: readonly InstructionFile[];
  readonly native: NativeStart;
  readonly last: LastTold;
  /** The prompt of the agent definition that the session is guided through: a compaction may have lost it. */
  readonly guided: string;
}

/** The instruction files of the working directory, and which of them the client gives by itself. */
export async function chainOf(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  facts: LazyFacts,
): Promise<Chain> {
  const guided = event.cause === "compact" ? await guidedPrompt(world, workspace, client) : "";
  if (!workspace.settings.agents.enabled) {
    const native = { whole: new Set<string>(), cut: new Map<string, number>() };
    return { bundle: undefined, files: [], unread: [], native, last: NOTHING_LAST, guided };
  }
  const applying = await gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd]));
  const files = applying.files.filter((file) => !facts.isBlank(file));
  const unread = applying.files.filter((file) => facts.isUnread(file));
  const native = await nativeStart(world, workspace, client, event, files);
  const bundle = bundleOf(world, workspace, applying, (path) => native.whole.has(path));
  const last = await lastTold(world, workspace, client, event, files);
  return { bundle, files, unread, native, last, guided };
}

/** The share of an output that a guided session's prompt may take. */
const GUIDED_SHARE = 0.5;

async function guidedPrompt(world: World, { key, userDirectories }: Workspace, { limit }: Client): Promise<string> {
  const pointer = key.context === MAIN_CONTEXT ? readGuidedPointer(userDirectories, key.session) : undefined;
  if (pointer === undefined) return "";
  const { presentPrompt } = await import("../agent/run/guide.ts");
  const most = limit.max * GUIDED_SHARE;
  return presentPrompt(world, userDirectories, pointer, (text) => limit.measure(text) <= most);
}

/** What a context is given when it begins. */
export interface Start {
  readonly outputs: readonly Output[];
  /** Every piece that is to be given, by path. */
  readonly due: Readonly<Record<string, Ranges>>;
  /** The files that are given in pieces. */
  readonly told: readonly ToldFile[];
  /** The files of which only the path is given. */
  readonly named: readonly ToldFile[];
  /** The files that the client gives by itself. */
  readonly native: readonly ToldFile[];
  /** The skills that the outputs have room for, or less. */
  readonly skills: Catalogue | undefined;
}

export async function planStart(
  world: World,
  workspace: Workspace,
  client: Client,
  chain: Chain,
  count: number,
  facts: LazyFacts,
): Promise<Start> {
  const { bundle, files, unread, native, last } = chain;
  if (bundle) warnPassedOver(world, bundle.passedOver);
  const dueFiles = (bundle?.parts ?? []).map((file) => dueFrom(file, native.cut.get(file.path) ?? 0));
  const catalogue = await catalogueFor(world, workspace, client);
  const companions = companionsOf(world, workspace, client, chain, catalogue);
  const planned = planDelivery(dueFiles, companions, { count, ...client.limit }, "later");
  const { outputs = [], isAfterDue = false } = planned ?? {};
  const due: Record<string, Ranges> = Object.fromEntries(dueFiles.map((file) => [file.path, file.due as Ranges]));
  const givenAround = givenBy(outputs);
  for (const key of AROUND) if (givenAround[key] !== undefined) due[key] = givenAround[key];
  if (isAfterDue) due[AFTER] = [[0, 1]];
  const nativeFiles = files
    .filter(({ path }) => native.whole.has(path))
    .map((file) => asTold(file, facts, false, "native"));
  const areNamed = outputs.some(({ given }) => given.has(AFTER) || given.has(MEANWHILE));
  const named = areNamed
    ? [
        ...[...(bundle?.named ?? []), ...last.files].map((file) => asTold(file, facts, true, "named")),
        ...unread.map((file) => asUnread(file, facts)),
      ]
    : [];
  return { outputs, due, told: toldIn(bundle, facts), named, native: nativeFiles, skills: catalogue };
}

export function toldIn(bundle: Bundle | undefined, facts: LazyFacts): ToldFile[] {
  return (bundle?.told ?? []).map((file) => asTold(file, facts, false, "given"));
}

/** The skills that the client does not list by itself. */
export async function catalogueFor(world: World, workspace: Workspace, client: Client): Promise<Catalogue | undefined> {
  if (!workspace.settings.skills.enabled) return undefined;
  return gatherCatalogue(world, workspace, {
    known: (found) => nativelyListed(world, workspace, client, found),
    mayGroup: true,
  });
}

/** The share of an output that a list of files may take. Two lists and a guided session's prompt fit into one. */
const LISTED_SHARE = 0.2;

/**
 * The usage rules, the names of files that are not shown, and the skill catalogue.
 *
 * @input  isNamed: the files that are not shown have been named
 */
export function companionsOf(
  world: World,
  workspace: Workspace,
  client: Client,
  { bundle, unread, native, last, guided }: Chain,
  catalogue: Catalogue | undefined,
  isNamed = false,
): Companions {
  const { agents } = workspace.settings;
  const view = viewSession(workspace.root.directory, workspace.key.session, workspace.userDirectories, world.home);
  const loaded = Object.keys(knownSkills(view.session, workspace.key.context)).toSorted();
  const situation = {
    below: bundle?.parts.some(({ path }) => !native.whole.has(path)) === true,
    native: native.whole.size > 0,
    listed: (bundle?.leftOut.length ?? 0) > 0,
    unread: unread.length > 0,
    news: agents.resolver.enabled ? ("reminders" as const) : ("none" as const),
  };
  const listed = { ...client.limit, max: client.limit.max * LISTED_SHARE };
  const leftOut = bundle?.leftOut.length ? renderLeftOut(bundle.leftOut, listed) : "";
  function named(missing: readonly Missing[]): string {
    if (isNamed) return "";
    const notYet = renderNotYet(missing.filter(isUnseen), listed);
    return joined([leftOut, notYet, renderUnread(unread.map(({ path }) => path)), last.text]);
  }
  const before = joined([guided, bundle && agents.usage ? renderAgentsUsage(client.element, situation) : ""]);
  if (catalogue === undefined) return { before, after: (missing) => [named(missing)] };
  return {
    before,
    after: (missing) => catalogueTexts(catalogue, loaded, named(missing)),
    meanwhile: named,
    shorter: (missing) => cutCatalogues(catalogue, loaded, named(missing)),
  };
}

function isUnseen({ shownBytes }: Missing): boolean {
  return shownBytes === 0;
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}

/** A file that the client cut is continued from the start of the line it was cut in. */
function dueFrom({ path, bytes, sizeBytes }: Bundle["parts"][number], givenBytes: number): DueFile {
  const from = givenBytes === 0 ? 0 : bytes.lastIndexOf(0x0a, givenBytes - 1) + 1;
  return { path, bytes, sizeBytes, due: from < bytes.length ? [[from, bytes.length]] : [] };
}

/** What the ledger records when a context begins and some of its outputs are given now. */
export function beginningOf(
  { due, told, named, native }: Start,
  outputs: readonly Output[],
  by: string,
  cwd: string,
  world: Pick<World, "now" | "uptime">,
): Change {
  const up = world.uptime();
  const delivery = {
    by,
    at: world.now(),
    ...(up !== undefined && { up: Math.round(up) }),
    cwd,
    due,
    given: givenBy(outputs),
  };
  const owed = owedIn(delivery) ?? {};
  // Until all of a file has been given, it counts as known by its path only.
  const files = told.map((file) => {
    const isNamed = Object.hasOwn(owed, file.path);
    return Object.assign({}, file, { isNamed, how: isNamed ? ("named" as const) : file.how });
  });
  return { kind: "begin", told: [...native, ...files, ...named], withShell: true, delivery };
}

export function givenBy(outputs: readonly Pick<Piece, "given">[]): Readonly<Record<string, Ranges>> {
  const given: Record<string, Ranges> = {};
  for (const output of outputs) {
    for (const [path, ranges] of output.given) {
      given[path] = union([...(given[path] ?? []), ...ranges.map(([from, to]): [number, number] => [from, to])]);
    }
  }
  return given;
}
