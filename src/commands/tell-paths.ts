import type { InstructionFile } from "../core/chain.ts";
import { cover, findContext } from "../core/ledger.ts";
import { decidePending, isNothing, toldOf, without, type Pending } from "../core/pending.ts";
import { hasPlugin } from "../core/config-layers.ts";
import { gatherInstructions, targetsOf } from "../io/gather-instructions.ts";
import { instructionFacts } from "../io/instruction-facts.ts";
import { tellOnce } from "../io/tell-once.ts";
import type { Telling } from "../io/telling.ts";
import { surroundingsOf, type Workspace } from "../io/workspace.ts";
import type { ReminderElement } from "../render/reminder.ts";
import { renderResolveReminder } from "../render/resolve-reminder.ts";
import type { Session } from "../schema/ledger.ts";
import type { World } from "../world.ts";
import { warnPassedOver } from "./passed-over.ts";
import { sayReminder, type Said } from "./say-reminder.ts";

/** What there is to say of news; undefined where so many files are too many for one answer. */
export type Say = (pending: Pending) => Said | undefined;

/** Files that the context comes to know by other ways. */
export interface Unseen {
  readonly known: ReadonlySet<string>;
  /** Further ones among these; asked when there is something to tell. */
  readonly find: (files: readonly InstructionFile[]) => Promise<ReadonlySet<string>>;
}

/**
 * Tells the context what applies to the paths and was not told yet.
 *
 * @input  say: asked with fewer files until it has an answer; unseen: what is not told now, whatever applies
 * @output whether anything was printed
 * @effect prints; the ledger: what was printed is covered
 * @error  none
 */
export async function tellPaths(
  world: World,
  workspace: Workspace,
  paths: readonly string[],
  say: Say,
  unseen?: Unseen,
): Promise<boolean> {
  const facts = instructionFacts(world);
  const found = await gatherInstructions(world, workspace, targetsOf(workspace, paths));
  world.trace("gathered", { files: found.files.length });
  warnPassedOver(world, found.passedOver);
  let applying = unseen === undefined ? found : without(found, unseen.known);
  const max = workspace.settings.agents.resolver.maxFilesPerResolve;
  let last: Session | undefined;
  const isPlugged = hasPlugin(workspace.layers, world.env, "agents:pending");
  async function lookCloser(): Promise<void> {
    if (unseen !== undefined) applying = without(applying, await unseen.find(applying.files));
    if (!isPlugged) return;
    const { pluggedPending } = await import("../io/plugins/plugged-pending.ts");
    applying = pluggedPending(world, workspace, applying, last, facts);
  }
  function decide(session: Session | undefined): Telling | undefined {
    last = session;
    const context = findContext(session, workspace.key.context);
    for (let count = max; count > 0; count--) {
      const pending = decidePending(applying, context, facts, count);
      if (isNothing(pending)) return undefined;
      const said = say(pending);
      if (said === undefined) continue;
      return {
        ...said,
        record: (ledger) => cover(ledger, workspace.key, surroundingsOf(workspace), toldOf(pending), world.now()),
      };
    }
    world.trace("too-long-to-tell");
    return undefined;
  }
  return tellOnce(world, workspace, decide, unseen !== undefined || isPlugged ? lookCloser : undefined);
}

/** The reminder of what there is to tell; undefined where it is too long for its reader. */
export function sayPaths(
  element: ReminderElement,
  pending: Pending,
  wrap: (text: string) => string | undefined,
): Said | undefined {
  return sayReminder("agents.resolve.paths", reminderText(element, pending), wrap);
}

function reminderText(element: ReminderElement, { tell, remaining, gone }: Pending): string {
  if (tell.length === 0 && gone.length === 0) return "";
  const files = tell.map(({ path, version }) => ({ path, mtimeMs: version.mtimeMs }));
  return renderResolveReminder(element, { files, remaining, gone });
}
