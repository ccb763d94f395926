import { OUTPUT_ARGS, PLACE_ARGS } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { jsonLine } from "../lib/escape.ts";
import { inspect, renderInspection } from "../report/inspection.ts";
import { inWorkspace } from "../workspace.ts";

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
