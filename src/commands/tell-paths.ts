import type { InstructionFile, PassedOver } from "../core/chain.ts";
import { cover, findContext } from "../core/ledger.ts";
import { decidePending, isNothing, toldOf, type Applying, type Pending } from "../core/pending.ts";
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

/** What is printed of news, and what goes with it to standard error. */
export interface Said {
  readonly text: string;
  readonly notes?: readonly string[];
}

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
export function tellPaths(
  world: World,
  workspace: Workspace,
  paths: readonly string[],
  say: Say,
  unseen?: Unseen,
): boolean | Promise<boolean> {
  const facts = instructionFacts(world);
  const found = gatherInstructions(world, workspace, targetsOf(workspace, paths));
  world.trace("gathered", { files: found.files.length });
  warnPassedOver(world, found.passedOver);
  let applying = unseen === undefined ? found : without(found, unseen.known);
  const max = workspace.settings.agents.resolver.maxFilesPerResolve;
  async function lookCloser(look: Unseen["find"]): Promise<void> {
    applying = without(applying, await look(applying.files));
  }
  function decide(session: Session | undefined): Telling | undefined {
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
  return tellOnce(world, workspace, decide, unseen && (() => lookCloser(unseen.find)));
}

export function reminderText(element: ReminderElement, { tell, remaining, gone }: Pending): string {
  if (tell.length === 0 && gone.length === 0) return "";
  const files = tell.map(({ path, version }) => ({ path, mtimeMs: version.mtimeMs }));
  return renderResolveReminder(element, { files, remaining, gone });
}

/** They are known to be there: leaving them out of the news must not look as if they had gone. */
function without(applying: Applying, unseen: ReadonlySet<string>): Applying {
  const files: InstructionFile[] = [];
  const passedOver: PassedOver[] = [];
  for (const file of applying.files) {
    if (unseen.has(file.path)) passedOver.push({ path: file.path, reason: "duplicate" });
    else files.push(file);
  }
  if (passedOver.length === 0) return applying;
  return { ...applying, files, passedOver: [...applying.passedOver, ...passedOver] };
}
