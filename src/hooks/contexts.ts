import { MAIN_CONTEXT, SHELL_CONTEXT } from "../ledger/contexts.ts";
import { tellOnce } from "../ledger/tell.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** Records that contexts have ended. Prints nothing. */
export async function changeContexts(
  world: World,
  workspace: Workspace,
  what: "end-of-context" | "end-of-session",
): Promise<void> {
  const { key } = workspace;
  await tellOnce(world, workspace, (session) => {
    if (session === undefined) return undefined;
    // The main context and its shell may be resumed with the session; sub-agents never are.
    const isOver = (name: string) =>
      what === "end-of-session" ? name !== MAIN_CONTEXT && name !== SHELL_CONTEXT : name === key.context;
    const over = Object.keys(session.contexts).filter(isOver);
    if (over.length === 0) return undefined;
    return { text: "", change: { kind: "end", contexts: over } };
  });
}
