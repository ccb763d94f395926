import type { Command, Outcome } from "../command.ts";
import { adopt, cover } from "../core/ledger.ts";
import { toldOf } from "../core/pending.ts";
import { decideResume, isNews, isRecordable, type ResumeDiff } from "../core/resume.ts";
import { gatherInstructions, targetsOf } from "../io/gather-instructions.ts";
import { instructionFacts } from "../io/instruction-facts.ts";
import { tellOnce } from "../io/tell-once.ts";
import { surroundingsOf, type Workspace } from "../io/workspace.ts";
import { renderResumeReminder, type Change } from "../render/resume-reminder.ts";
import type { World } from "../world.ts";
import { COMMON_ARGS, inWorkspace } from "./common.ts";
import { warnPassedOver } from "./passed-over.ts";

/**
 * @output a `session.resume.diff` reminder when anything differs from what this context was told, else nothing
 * @effect the ledger: the present becomes the baseline
 */
export const command: Command = {
  meta: {
    name: "resume-diff",
    description: "Say what changed since this context was last told: directories, instruction files, loaded skills.",
  },
  args: COMMON_ARGS,
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      if (workspace.settings.agents.enabled) await tellDiff(world, workspace, invocation.flags["json"] === true);
      else if (invocation.flags["json"] === true) world.write("{}\n");
      return "ok";
    });
  },
};

async function tellDiff(world: World, workspace: Workspace, json: boolean): Promise<void> {
  const applying = gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd]));
  const facts = instructionFacts(world);
  warnPassedOver(world, applying.passedOver);
  const present = surroundingsOf(workspace);
  let unchanged = "";
  const isTold = await tellOnce(world, workspace, (session) => {
    const diff = decideResume(session, workspace.key.context, present, applying, facts);
    const text = json ? renderJson(diff) : renderResumeReminder("system-reminder", newsOf(diff));
    unchanged = json ? text : "";
    if (!isRecordable(diff)) return undefined;
    return {
      text: isNews(diff) ? text : "",
      record: (ledger) => {
        const adopted = adopt(ledger, workspace.key, present, diff.skills, world.now());
        return cover(adopted, workspace.key, present, toldOf(diff.pending), world.now());
      },
    };
  });
  if (!isTold && unchanged !== "") world.write(unchanged);
}

function newsOf(diff: ResumeDiff) {
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

function renderJson(diff: ResumeDiff): string {
  const { before, after, pending, skills } = diff;
  const files = pending.tell.map(({ path, version }) => ({ path, ...version }));
  return `${JSON.stringify({ before: before ?? null, after, files, gone: pending.gone, skills })}\n`;
}
