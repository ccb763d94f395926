import { findContext, startContext, startEpoch } from "../core/ledger.ts";
import { MAIN_CONTEXT, SHELL_CONTEXT } from "../core/session-name.ts";
import type { Host, HostEvent } from "../core/hooks/host.ts";
import { gatherBundle } from "../io/gather-bundle.ts";
import { viewSession } from "../io/ledger-read.ts";
import { gatherCatalogue } from "../io/skills/gather-catalogue.ts";
import { tellOnce } from "../io/tell-once.ts";
import { surroundingsOf, type Workspace } from "../io/workspace.ts";
import { renderContextParts } from "../render/context-parts.ts";
import type { Ledger } from "../schema/ledger.ts";
import type { World } from "../world.ts";
import type { Part } from "./hook-part.ts";
import { nativelyLoaded } from "./native-load.ts";
import { warnPassedOver } from "./passed-over.ts";

/**
 * Tells a context what applies where it begins, as far as the host lets through; what is left is named.
 *
 * @input  inherits: the context has its parent's history; part: each is asked for by a process of its own, at once
 * @effect prints; by the first part the ledger: the context begins anew, and covers what all parts show
 * @error  none
 */
export async function beginContext(
  world: World,
  workspace: Workspace,
  host: Host,
  event: HostEvent,
  inherits: boolean,
  part: Part,
): Promise<void> {
  if (inherits) return void (part.index === 1 && (await inherit(world, workspace)));
  const { agents, skills } = workspace.settings;
  const bundle = agents.enabled ? await gatherBundle(world, workspace) : undefined;
  const catalogue = skills.enabled ? await gatherCatalogue(world, workspace) : undefined;
  if (bundle) warnPassedOver(world, bundle.passedOver);
  const native = await nativelyLoaded(world, workspace, host, bundle?.told ?? []);
  const view = viewSession(workspace.root.directory, workspace.key.session, workspace.places, world.home);
  const content = {
    usage: bundle && agents.usage ? host.element : undefined,
    files: bundle?.parts.filter(({ path }) => !native.has(path)) ?? [],
    leftOut: bundle?.leftOut ?? [],
    skills: catalogue,
    loaded: Object.keys(findContext(view.session, workspace.key.context).loadedSkills).toSorted(),
  };
  const { texts, shown } = renderContextParts(content, part.count, (text) => host.fits(host.tell(event, text)));
  const text = texts[part.index - 1];
  const answer = text === undefined ? "" : host.tell(event, text);
  if (part.index > 1) {
    if (answer !== "") world.write(answer);
    return;
  }
  const told = bundle?.told.filter(({ path }) => shown.has(path) || native.has(path)) ?? [];
  await tellOnce(world, workspace, () => ({
    text: answer,
    isBeginning: true,
    record: (ledger) =>
      forgetShell(startContext(ledger, workspace.key, surroundingsOf(workspace), told, world.now()), world, workspace),
  }));
}

/** What the main context has forgotten, its shell has too. */
function forgetShell(ledger: Ledger, world: World, { key, ...workspace }: Workspace): Ledger {
  const shell = { session: key.session, context: SHELL_CONTEXT };
  const isKnown = Object.hasOwn(ledger.sessions[key.session]?.contexts ?? {}, SHELL_CONTEXT);
  if (key.context !== MAIN_CONTEXT || !isKnown) return ledger;
  return startEpoch(ledger, shell, surroundingsOf({ ...workspace, key }), world.now());
}

/** The sub-agent knows what its parent was told. */
function inherit(world: World, workspace: Workspace): Promise<boolean> {
  const { session, context } = workspace.key;
  return tellOnce(world, workspace, (known) => {
    const parent = known?.contexts[MAIN_CONTEXT];
    if (known === undefined || parent === undefined || Object.hasOwn(known.contexts, context)) return undefined;
    const contexts = { ...known.contexts, [context]: parent };
    return {
      text: "",
      record: (ledger) => ({ ...ledger, sessions: { ...ledger.sessions, [session]: { ...known, contexts } } }),
    };
  });
}
