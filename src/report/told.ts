import { instructionFacts } from "../instructions/facts.ts";
import { gatherInstructions, targetsOf } from "../instructions/gather.ts";
import { decidePending } from "../instructions/pending.ts";
import { findContext } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Explanation, ToldState } from "./schema.ts";

/**
 * What the context that a command speaks for knows of the files that apply to a path, and what it would be told next.
 *
 * @effect reads the ledger and the start of files; that of plugins
 * @error  none
 */
export async function toldStates(
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
