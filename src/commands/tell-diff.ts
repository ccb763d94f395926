import type { InstructionFile } from "../core/chain.ts";
import { adopt, cover, findContext } from "../core/ledger.ts";
import { isTold, toldOf } from "../core/pending.ts";
import { decideResume, isNews, isRecordable, type ResumeDiff } from "../core/resume.ts";
import { gatherInstructions, targetsOf } from "../io/gather-instructions.ts";
import { instructionFacts } from "../io/instruction-facts.ts";
import { tellOnce } from "../io/tell-once.ts";
import { surroundingsOf, type Workspace } from "../io/workspace.ts";
import type { Change, ResumeNews } from "../render/resume-reminder.ts";
import type { World } from "../world.ts";
import { without } from "./tell-paths.ts";
import { warnPassedOver } from "./passed-over.ts";

/** Enough to name in one answer, and to come down from where that is too many. */
const MOST_FILES = 1024;
const NONE: ReadonlySet<string> = new Set();

export interface SaidOfDiff {
  readonly text: string;
  /** The files of which it tells no more than the path, where that makes a difference. */
  readonly named?: ReadonlySet<string>;
}

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
  say: (diff: ResumeDiff) => SaidOfDiff | undefined,
  given: Given = async () => NONE,
): Promise<boolean> {
  const found = gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd]));
  const known = await given(found.files);
  const applying = without(found, known);
  const facts = instructionFacts(world);
  warnPassedOver(world, applying.passedOver);
  const present = surroundingsOf(workspace);
  return tellOnce(world, workspace, (session) => {
    for (let count = MOST_FILES; count > 0; count = Math.floor(count / 2)) {
      const diff = decideResume(session, workspace.key.context, present, applying, facts, count);
      const said = say(diff);
      const context = findContext(session, workspace.key.context);
      const renewed = found.files.filter(({ path, version }) => known.has(path) && !isTold(context, path, version));
      if (!isRecordable(diff) && renewed.length === 0) return undefined;
      if (said === undefined) continue;
      return {
        text: isNews(diff) ? said.text : "",
        record: (ledger) => {
          const adopted = adopt(ledger, workspace.key, present, diff.skills, world.now());
          const { told, gone } = toldOf(diff.pending, said.named);
          return cover(adopted, workspace.key, present, { told: [...told, ...renewed], gone }, world.now());
        },
      };
    }
    world.trace("too-long-to-tell");
    return undefined;
  });
}

/** A difference as it is shown. */
export function newsOf(diff: ResumeDiff): ResumeNews {
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
