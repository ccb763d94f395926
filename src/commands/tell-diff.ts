import { adopt, cover } from "../core/ledger.ts";
import { toldOf } from "../core/pending.ts";
import { hasPlugin } from "../core/config-layers.ts";
import { decideResume, isNews, isRecordable, type ResumeDiff } from "../core/resume.ts";
import { gatherInstructions, targetsOf } from "../io/gather-instructions.ts";
import { instructionFacts } from "../io/instruction-facts.ts";
import { tellOnce } from "../io/tell-once.ts";
import type { Telling } from "../io/telling.ts";
import { surroundingsOf, type Workspace } from "../io/workspace.ts";
import type { ReminderElement } from "../render/reminder.ts";
import { renderResumeReminder, type Change, type ResumeNews } from "../render/resume-reminder.ts";
import type { Session } from "../schema/ledger.ts";
import type { World } from "../world.ts";
import { warnPassedOver } from "./passed-over.ts";
import { sayReminder, type Said } from "./say-reminder.ts";

/** Enough to name in one answer, and to come down from where that is too many. */
const MOST_FILES = 1024;

/**
 * Tells a resumed context what differs from what it was last told.
 *
 * @input  say: the text for a difference; asked with fewer files until it has one
 * @output whether anything was printed
 * @effect prints; the ledger: the present becomes the baseline
 * @error  none
 */
export async function tellDiff(
  world: World,
  workspace: Workspace,
  say: (diff: ResumeDiff) => Said | undefined,
): Promise<boolean> {
  let applying = await gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd]));
  const facts = instructionFacts(world);
  warnPassedOver(world, applying.passedOver);
  const present = surroundingsOf(workspace);
  let last: Session | undefined;
  async function leaveOut(): Promise<void> {
    const { pluggedPending } = await import("../io/plugins/plugged-pending.ts");
    applying = pluggedPending(world, workspace, applying, last, facts);
  }
  function decide(session: Session | undefined): Telling | undefined {
    last = session;
    for (let count = MOST_FILES; count > 0; count = Math.floor(count / 2)) {
      const diff = decideResume(session, workspace.key.context, present, applying, facts, count);
      const said = say(diff);
      if (!isRecordable(diff)) return undefined;
      if (said === undefined) continue;
      return {
        ...(isNews(diff) ? said : { text: "" }),
        record: (ledger) => {
          const adopted = adopt(ledger, workspace.key, present, diff.skills, world.now());
          return cover(adopted, workspace.key, present, toldOf(diff.pending), world.now());
        },
      };
    }
    world.trace("too-long-to-tell");
    return undefined;
  }
  return tellOnce(
    world,
    workspace,
    decide,
    hasPlugin(workspace.layers, world.env, "agents:pending") ? leaveOut : undefined,
  );
}

/** The reminder of a difference; undefined where it is too long for its reader. */
export function sayDiff(
  element: ReminderElement,
  diff: ResumeDiff,
  wrap: (text: string) => string | undefined,
): Said | undefined {
  return sayReminder("session.resume.diff", renderResumeReminder(element, newsOf(diff)), wrap);
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
