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
import type { Context, Session } from "../schema/ledger.ts";
import type { World } from "../world.ts";
import { warnPassedOver } from "./passed-over.ts";

/** What is printed of news, and what goes with it to standard error. */
export interface Said {
  readonly text: string;
  readonly notes?: readonly string[];
  /** The files of which it tells no more than the path, where that makes a difference. */
  readonly named?: ReadonlySet<string>;
  /** It blocks the host's work: what is said instead where that can't be recorded first. */
  readonly unblocking?: string;
}

/**
 * What there is to say of news, and of files that keep something back; undefined where so many files are too many for
 * one answer.
 */
export type Say = (pending: Pending, closed: readonly InstructionFile[]) => Said | undefined;

/** Files that the context comes to know by other ways. */
export interface Unseen {
  readonly known: ReadonlySet<string>;
  /** Further ones among these; asked when there is something to tell. */
  readonly find: (files: readonly InstructionFile[]) => Promise<ReadonlySet<string>>;
  /** Which of these files keep back what is about to be done; asked with what is news of them. */
  readonly closed?:
    | ((files: readonly InstructionFile[], pending: Pending, context: Context) => readonly InstructionFile[])
    | undefined;
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
      const closed = unseen?.closed?.(applying.files, pending, context) ?? NONE;
      if (closed.length === 0 && isNothing(pending)) return undefined;
      const said = say(pending, closed);
      if (said === undefined) continue;
      const { told, gone } = toldOf(pending, said.named);
      return {
        ...said,
        record: (ledger) =>
          cover(ledger, workspace.key, surroundingsOf(workspace), { told: [...told, ...closed], gone }, world.now()),
      };
    }
    world.trace("too-long-to-tell");
    return undefined;
  }
  return tellOnce(world, workspace, decide, unseen && (() => lookCloser(unseen.find)));
}

const NONE: readonly InstructionFile[] = [];

export function reminderText(element: ReminderElement, { tell, remaining, gone }: Pending): string {
  if (tell.length === 0 && gone.length === 0) return "";
  const files = tell.map(({ path, version }) => ({ path, mtimeMs: version.mtimeMs }));
  return renderResolveReminder(element, { files, remaining, gone });
}

/** They are known to be there: leaving them out of the news must not look as if they had gone. */
export function without(applying: Applying, unseen: ReadonlySet<string>): Applying {
  const files: InstructionFile[] = [];
  const passedOver: PassedOver[] = [];
  for (const file of applying.files) {
    if (unseen.has(file.path)) passedOver.push({ path: file.path, reason: "duplicate" });
    else files.push(file);
  }
  if (passedOver.length === 0) return applying;
  return { ...applying, files, passedOver: [...applying.passedOver, ...passedOver] };
}
