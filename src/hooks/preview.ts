import { nativelyLoaded } from "../clients/native-load.ts";
import type { Client, ClientEvent } from "../clients/client.ts";

import { gatherInstructions, instructionFacts, targetsOf } from "../instructions/gather.ts";
import { decidePending, without } from "../instructions/pending.ts";
import { applyChange } from "../ledger/changes.ts";
import { emptyLedger, findContext, surroundingsOf } from "../ledger/contexts.ts";
import type { Context } from "../ledger/schema.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { beginningOf, chainOf, planStart } from "./begin.ts";
import { fullManner } from "./news.ts";
import type { Part } from "./part.ts";

/** What the model is given, and when. */
export interface PreviewedText {
  readonly when: string;
  readonly text: string;
}

export interface Preview {
  /** The files that the client gives by itself: `whole`, or the first so many bytes. */
  readonly native: readonly { readonly path: string; readonly given: "whole" | number }[];
  readonly texts: readonly PreviewedText[];
  /** Of files that the start can't give all of, what comes with later events. */
  readonly later: readonly { readonly path: string; readonly bytes: number }[];
}

/**
 * What a session of a client that begins here is given, and what an edit of a file adds, if nothing else came before it.
 *
 * @input  part: how many the client asks for
 * @effect reads; records nothing
 */
export async function previewSession(
  world: World,
  workspace: Workspace,
  client: Client,
  part: Part,
  path: string | undefined,
): Promise<Preview> {
  const event: ClientEvent = {
    name: "SessionStart",
    session: workspace.key.session,
    context: workspace.key.context,
    cwd: workspace.cwd,
    what: { kind: "begin", inherits: false },
  };
  const facts = instructionFacts(world);
  const chain = await chainOf(world, workspace, client, event, facts);
  const start = await planStart(world, workspace, client, chain, part.count, facts);
  const change = beginningOf(start, start.outputs, "preview", world.now());
  const ledger = applyChange(emptyLedger(""), workspace.key, surroundingsOf(workspace), change, world.now());
  const context = findContext(ledger.sessions[workspace.key.session], workspace.key.context);
  const count = start.outputs.length;
  const texts = start.outputs.map(({ text }, index) => {
    return { when: count === 1 ? "at its start" : `at its start, part ${index + 1} of ${count}`, text };
  });
  const touched = path === undefined ? "" : await touchText(world, workspace, client, event, context, path);
  return {
    native: [
      ...start.native.map((file) => ({ path: file.path, given: "whole" as const })),
      ...[...chain.native.cut].map(([cut, given]) => ({ path: cut, given })),
    ],
    texts: touched === "" ? texts : [...texts, { when: `with the first edit of ${path}`, text: touched }],
    later: start.outputs.length === 0 ? [] : owedBytes(context),
  };
}

function owedBytes({ delivery }: Context): { path: string; bytes: number }[] {
  if (delivery === undefined) return [];
  return Object.entries(delivery.due).flatMap(([path, due]) => {
    const size = (ranges: readonly (readonly number[])[]) =>
      ranges.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0);
    const bytes = size(due) - size(delivery.given[path] ?? []);
    return bytes > 0 ? [{ path, bytes }] : [];
  });
}

/** A context that was only begun is told of all that applies to a path and is not in it. */
async function touchText(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  context: Context,
  path: string,
): Promise<string> {
  const { enabled, resolver } = workspace.settings.agents;
  if (!enabled || !resolver.enabled) return "";
  const facts = instructionFacts(world);
  const applying = await gatherInstructions(world, workspace, targetsOf(workspace, [path]));
  const native = await nativelyLoaded(world, workspace, client, applying.files, { tool: "Edit", path });
  const pending = decidePending(without(applying, native), context, facts, resolver.maxFilesPerResolve);
  const plain: Client = { ...client, tell: (_, text) => text };
  return fullManner(world, workspace, plain, event, []).say(pending, [])?.text ?? "";
}
