import type { World } from "../world.ts";
import { lastWord } from "./last-word.ts";
import type { SessionView } from "./ledger-read.ts";
import { tellAndRecord } from "./ledger-store.ts";
import { printUnrecorded, type Decide, type Telling } from "./telling.ts";
import type { Workspace } from "../workspace.ts";

/**
 * The second half of `tellOnce`, where there is something to say or to record; plugins have the last word of it.
 *
 * @input  view, first: what is known of the session, and what `decide` made of it; no view where nobody keeps a ledger
 * @output, @effect, @error, @ensures as `tellOnce`
 */
export function tellNow(
  world: World,
  workspace: Workspace,
  view: SessionView | undefined,
  decide: Decide,
  first: Telling | undefined,
): boolean | Promise<boolean> {
  const last = lastWord(world, workspace);
  return last === undefined
    ? tell(world, workspace, view, decide, first)
    : tellPlugged(world, workspace, view, decide, first, last);
}

async function tellPlugged(
  world: World,
  workspace: Workspace,
  view: SessionView | undefined,
  decide: Decide,
  first: Telling | undefined,
  last: Promise<Telling["atLast"]>,
): Promise<boolean> {
  const atLast = await last;
  const decideLast: Decide = (session) => {
    const telling = decide(session);
    return telling && { ...telling, atLast };
  };
  return tell(world, workspace, view, decideLast, first && { ...first, atLast });
}

function tell(
  world: World,
  workspace: Workspace,
  view: SessionView | undefined,
  decide: Decide,
  first: Telling | undefined,
): boolean {
  if (view === undefined) return printUnrecorded(world, decide(undefined));
  return tellAndRecord(world, workspace, view, decide, first);
}
