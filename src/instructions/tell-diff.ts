import type { InstructionFile } from "./chain.ts";
import { hasPlugin } from "../config/config-layers.ts";
import { adopt, cover, findContext } from "../ledger/ledger.ts";
import { asTold, isTold, toldOf, without } from "./pending.ts";
import { decideResume, isNews, isRecordable, type ResumeDiff } from "./resume.ts";
import { gatherInstructions, targetsOf } from "./gather-instructions.ts";
import { instructionFacts } from "./facts.ts";
import { tellOnce } from "../ledger/tell-once.ts";
import type { Telling } from "../ledger/telling.ts";
import { type Workspace } from "../workspace.ts";
import { surroundingsOf } from "../ledger/surroundings.ts";
import type { ReminderElement } from "./reminder.ts";
import { renderResumeReminder, type Change, type ResumeNews } from "./resume-reminder.ts";
import type { Session } from "../ledger/schema.ts";
import type { World } from "../world.ts";
import { warnPassedOver } from "./passed-over.ts";
import type { Said } from "./tell-paths.ts";

/** Enough to name in one answer, and to come down from where that is too many. */
const MOST_FILES = 1024;
const NONE: ReadonlySet<string> = new Set();

/** Of some files those that the context has anyway. */
export type Given = (files: readonly InstructionFile[]) => Promise<ReadonlySet<string>>;

/**
 * Tells a resumed context what differs from what it was last told.
 *
 * @input  say: the text for a difference; asked with fewer files until it has one; given: of which files the context
 *         has the present text by other ways
 * @output whether anything was printed
 * @effect prints; the ledger: the present becomes the baseline
 * @error  none
 */
export async function tellDiff(
  world: World,
  workspace: Workspace,
  say: (diff: ResumeDiff) => Said | undefined,
  given: Given = async () => NONE,
): Promise<boolean> {
  const found = await gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd]));
  const known = await given(found.files);
  let applying = without(found, known);
  const facts = instructionFacts(world);
  warnPassedOver(world, applying.passedOver);
  const present = surroundingsOf(workspace);
  let last: Session | undefined;
  async function leaveOut(): Promise<void> {
    const { pluggedPending } = await import("../plugins/plugged-pending.ts");
    applying = pluggedPending(world, workspace, applying, last, facts);
  }
  function decide(session: Session | undefined): Telling | undefined {
    last = session;
    for (let count = MOST_FILES; count > 0; count = Math.floor(count / 2)) {
      const diff = decideResume(session, workspace.key.context, present, applying, facts, count);
      const said = say(diff);
      const context = findContext(session, workspace.key.context);
      const renewed = found.files.filter(({ path, version }) => known.has(path) && !isTold(context, path, version));
      if (!isRecordable(diff) && renewed.length === 0) return undefined;
      if (said === undefined) continue;
      const { told: pending, gone } = toldOf(diff.pending, facts, said.named);
      const told = [...pending, ...renewed.map((file) => asTold(file, facts))];
      return {
        ...(isNews(diff) ? said : { text: "" }),
        record: (ledger) => {
          const adopted = adopt(ledger, workspace.key, present, diff.skills, world.now());
          return cover(adopted, workspace.key, present, { told, gone }, world.now());
        },
      };
    }
    world.trace("too-long-to-tell");
    return undefined;
  }
  const isPlugged = hasPlugin(workspace.layers, world.env, "agents:pending");
  return tellOnce(world, workspace, decide, isPlugged ? leaveOut : undefined);
}

/** The reminder of a difference. */
export function diffText(element: ReminderElement, diff: ResumeDiff): string {
  return renderResumeReminder(element, newsOf(diff));
}

/** A difference as it is shown. */
function newsOf(diff: ResumeDiff): ResumeNews {
  const { before, after, pending, skills } = diff;
  return {
    cwd: change(before?.cwd, after.cwd),
    root: change(before?.root, after.root),
    markers: change(before && JSON.stringify(before.markers), JSON.stringify(after.markers)),
    files: pending.tell.map(({ path, version }) => ({ path, mtimeMs: version.mtimeMs })),
    gone: pending.gone,
    changedSkills: skills.changed,
    goneSkills: skills.gone,
  };
}

function change(before: string | undefined, after: string): Change {
  return { before: before ?? "(not known)", after };
}
