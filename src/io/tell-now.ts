import type { World } from "../world.ts";
import { lastWord } from "./last-word.ts";
import type { SessionView } from "./ledger-read.ts";
import { printUnrecorded, type Decide, type Telling } from "./telling.ts";
import type { Workspace } from "./workspace.ts";

/**
 * The second half of `tellOnce`, where there is something to say or to record; plugins have the last word of it.
 *
 * @input  view, first: what is known of the session, and what `decide` made of it; no view where nobody keeps a ledger
 * @output, @effect, @error, @ensures as `tellOnce`
 */
export async function tellNow(
  world: World,
  workspace: Workspace,
  view: SessionView | undefined,
  decide: Decide,
  first: Telling | undefined,
): Promise<boolean> {
  const atLast = await lastWord(world, workspace);
  const decideLast: Decide = (session) => {
    const telling = decide(session);
    return telling && { ...telling, atLast };
  };
  if (view === undefined) return printUnrecorded(world, decideLast(undefined));
  const { tellAndRecord } = await import("./ledger-store.ts");
  return tellAndRecord(world, workspace, view, decideLast, first && { ...first, atLast });
}
