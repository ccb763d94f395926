import { OUTPUT_ARGS, PLACE_ARGS } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { jsonLine } from "../lib/escape.ts";
import { inspect, renderInspection } from "../report/inspection.ts";
import { inWorkspace } from "../workspace.ts";

/**
 * @output root and why, settings and their sources, the instruction files of the working directory, what each context
 *         was told, on request the skills
 * @effect none, but that what was read of skills is remembered
 */
export const command: Command = {
  meta: { name: "inspect", description: "Show the effective root, settings, instruction files and ledger." },
  args: {
    "include-skills": { type: "boolean", description: "show skills and their problems too" },
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const inspection = await inspect(world, workspace, invocation.flags["include-skills"] === true);
      const json = invocation.flags["json"] === true;
      world.write(json ? jsonLine(inspection) : renderInspection(inspection));
      return "ok";
    });
  },
};
