import { COMMON_ARGS } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { diffText, tellDiff, type ResumeDiff } from "../instructions/resume.ts";
import { reminderMessage } from "../instructions/tell.ts";
import { jsonLine } from "../lib/escape.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** @effect the ledger: the present becomes the baseline of the next comparison */
export const command: Command = {
  meta: {
    name: "resume-diff",
    description: "Report what changed since this context was last told: directories, instruction files, loaded skills.",
  },
  args: COMMON_ARGS,
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const json = invocation.flags["json"] === true;
      if (workspace.settings.agents.enabled) await printDiff(world, workspace, json);
      else if (json) world.write("{}\n");
      return "ok";
    });
  },
};

async function printDiff(world: World, workspace: Workspace, json: boolean): Promise<void> {
  let unchanged = "";
  const isTold = await tellDiff(world, workspace, (diff) => {
    if (!json) return reminderMessage("session.resume.diff", diffText("system-reminder", diff), (text) => text);
    unchanged = renderJson(diff);
    return { text: unchanged };
  });
  if (!isTold && unchanged !== "") world.write(unchanged);
}

function renderJson(diff: ResumeDiff): string {
  const { before, after, pending, skills } = diff;
  const files = pending.tell.map(({ path, version: { mtimeMs, sizeBytes } }) => ({ path, mtimeMs, sizeBytes }));
  return jsonLine({ before: before ?? null, after, files, gone: pending.gone, skills });
}
