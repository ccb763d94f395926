import type { Client, ClientEvent } from "../clients/client.ts";
import { nativeStart, type NativeStart } from "../clients/native-load.ts";
import { bundleOf } from "../instructions/bundle.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "../instructions/gather.ts";
import { asTold, type LazyFacts } from "../instructions/pending.ts";
import type { LeftOut } from "../instructions/render.ts";
import { warnPassedOver } from "../instructions/tell.ts";
import { knownSkills, MAIN_CONTEXT } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import { tellOnce } from "../ledger/tell.ts";
import { gatherCatalogue } from "../skills/catalogue.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { renderContextParts } from "./parts.ts";

/**
 * Tells a context what applies where it begins, as far as the client lets through; what is left is named.
 *
 * @input  inherits: the context has its parent's history; part: each is asked for by a process of its own, at once;
 *         once: a context that is known already has begun
 * @effect prints; by the first part the ledger: the context begins anew, and covers what all parts show
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
  const { agents, skills } = workspace.settings;
  const facts = instructionFacts(world);
  const { applying, files, native } = await chainOf(world, workspace, client, event, facts);
  const isKnown = (path: string) => native.whole.has(path) || native.cut.has(path);
  const bundle = applying && bundleOf(world, workspace, applying, isKnown);
  const catalogue = skills.enabled ? await gatherCatalogue(world, workspace) : undefined;
  if (bundle) warnPassedOver(world, bundle.passedOver);
  const view = viewSession(workspace.root.directory, workspace.key.session, workspace.places, world.home);
  const content = {
    usage: bundle && agents.usage ? client.element : undefined,
    files: bundle?.parts ?? [],
    leftOut: [...cutOf(files, native), ...(bundle?.leftOut ?? [])],
    skills: catalogue,
    loaded: Object.keys(knownSkills(view.session, workspace.key.context)).toSorted(),
  };
  const { texts, shown } = renderContextParts(content, part.count, (text) => client.fits(client.tell(event, text)));
  const text = texts[part.index - 1];
  const isShown = ({ path }: { readonly path: string }) => shown.has(path);
  const answer = text === undefined ? "" : client.tell(event, text);
  if (part.index > 1) {
    if (answer !== "") world.write(answer);
    return;
  }
  const given = [...files.filter(({ path }) => native.whole.has(path)), ...(bundle?.told ?? []).filter(isShown)];
  const told = given.map((file) => asTold(file, facts));
  // What the client has cut is named here once, and not with every touch.
  const cut = texts.length > 0 ? files.filter(({ path }) => native.cut.has(path)) : [];
  told.push(...cut.map((file) => asTold(file, facts, true)));
  await tellOnce(world, workspace, (session) => {
    if (once && Object.hasOwn(session?.contexts ?? {}, workspace.key.context)) return undefined;
    return { text: answer, change: { kind: "begin", told, withShell: true } };
  });
}

/** The instruction files of the working directory, and what the client gives of them. */
async function chainOf(world: World, workspace: Workspace, client: Client, event: ClientEvent, facts: LazyFacts) {
  if (!workspace.settings.agents.enabled)
    return { applying: undefined, files: [], native: { whole: new Set<string>(), cut: new Map<string, number>() } };
  const applying = await gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd]));
  const files = applying.files.filter((file) => !facts.isBlank(file));
  return { applying, files, native: await nativeStart(world, workspace, client, event, files) };
}

function cutOf(files: readonly InstructionFile[], { cut }: NativeStart): LeftOut[] {
  return files.flatMap(({ path, version: { sizeBytes } }) => {
    const givenBytes = cut.get(path);
    return givenBytes === undefined ? [] : [{ path, sizeBytes, givenBytes }];
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

/** Which of the answers to one event this is: a client limits each, and asks for several. */
export interface Part {
  readonly index: number;
  readonly count: number;
}

const DIGITS = "0123456789";

/** `2/4`; undefined for anything else. */
export function readPart(given: string | undefined): Part | undefined {
  if (given === undefined) return undefined;
  // No pattern: it would be made for every hook, and this is asked of few.
  const [index, slash, count] = given;
  const part = { index: DIGITS.indexOf(index ?? "-"), count: DIGITS.indexOf(count ?? "-") };
  const isWhole = given.length === 3 && slash === "/" && part.index >= 1 && part.count >= part.index;
  return isWhole ? part : undefined;
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
  await beginContext(world, workspace, client, event, false, { index: 1, count: 1 }, true);
  return true;
}
