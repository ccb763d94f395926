import { OUTPUT_ARGS, PLACE_ARGS, TEXT_ARGS, wantsJson } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { joinMessages, messageWithLine } from "../lib/diagnostic.ts";
import { jsonLine } from "../lib/escape.ts";
import { effectiveValues, renderValues, unusedConfigs, valueRow } from "../report/values.ts";
import { ALLOWS_NOTHING, allowingNothing, permissionRules } from "../skills/permissions.ts";
import { inWorkspace, isForPeople } from "../workspace.ts";

/** @error config_unusable, after the output, if a config file has mistakes */
export const command: Command = {
  meta: {
    name: "config",
    description: "Show every effective setting, permission rule and plugin, and where it comes from.",
  },
  args: { ...TEXT_ARGS, ...PLACE_ARGS, ...OUTPUT_ARGS },
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const { layers, configProblems } = workspace;
      const found = Object.entries(configProblems);
      const values = effectiveValues(layers);
      for (const { key, source } of allowingNothing(permissionRules(workspace.layers))) {
        world.warn(`${key} in '${source}' ${ALLOWS_NOTHING}`);
      }
      const isJson = wantsJson(invocation.flags);
      if (isForPeople(world, invocation)) {
        const { displayOf, table } = await import("../cli/display.ts");
        const display = displayOf(world);
        world.write(
          table(
            display,
            values.map((value) => valueRow(display, value)),
          ),
        );
      } else if (!isJson) world.write(renderValues(values));
      else if (found.length === 0) world.write(jsonLine({ values }));
      if (found.length === 0) return "ok";
      const unusableConfigs = unusedConfigs(workspace);
      const named = found.map(([path, reasons]) => `'${path}': ${joinMessages(reasons)}`);
      const problems = Object.fromEntries(found.map(([path, reasons]) => [path, reasons.map(messageWithLine)]));
      const message = `mistakes in config ${named.join("; ")}`;
      return { code: "config_unusable", message, details: { values, unusableConfigs, problems } };
    });
  },
};
