import { REFRESH_MS } from "./contexts.ts";
import type { World } from "../world.ts";
import { viewSession, type SessionView } from "./read.ts";
import { printUnrecorded, type Decide, type Telling } from "./telling.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Says a thing once: decides, and when there is something to say decides again under the ledger's lock, prints,
 * then records. Of any number of processes that would say the same, one does.
 *
 * @input  decide: called once or more, with newer knowledge each time; prepare: called when there is something to say,
 *         for what `decide` needs to know only then
 * @output whether anything was printed
 * @effect prints at most once; the ledger, its lock, pointer and archive. Nothing is written when `decide` has
 *         nothing to say, but for the session's time, at most hourly
 * @error  none: what can't be recorded is printed all the same, with a warning
 * @ensures a crash at any moment repeats a telling and never loses one; but of what blocks, which is recorded first, it
 *          loses one and repeats none
 */
export function tellOnce(
  world: World,
  workspace: Workspace,
  decide: Decide,
  prepare?: () => Promise<void>,
): boolean | Promise<boolean> {
  if (workspace.noState)
    return decide(undefined) !== undefined && tellLoaded(world, workspace, undefined, decide, prepare);
  const { key, places } = workspace;
  const view = viewSession(workspace.root.directory, key.session, places, world.home);
  const telling = decide(view.session);
  world.trace("decided", { news: telling !== undefined, ledger: view.place.directory });
  const isStale = view.session !== undefined && world.now() - view.session.updatedAt >= REFRESH_MS;
  if (telling?.record === undefined && !isStale) return telling !== undefined && printUnrecorded(world, telling);
  return tellLoaded(world, workspace, view, decide, prepare, telling);
}

/** All that writes is loaded here, in one piece: most calls have nothing to write. */
function tellLoaded(
  world: World,
  workspace: Workspace,
  view: SessionView | undefined,
  decide: Decide,
  prepare: (() => Promise<void>) | undefined,
  telling?: Telling,
): Promise<boolean> {
  const loaded = import("./record.ts");
  if (prepare === undefined) return loaded.then(({ tellNow }) => tellNow(world, workspace, view, decide, telling));
  return prepare().then(async () => (await loaded).tellNow(world, workspace, view, decide, undefined));
}
