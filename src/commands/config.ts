import { OUTPUT_ARGS, PLACE_ARGS } from "../cli/args.ts";
import type { Command } from "../command.ts";
import { joinMessages, messageWithLine } from "../lib/diagnostic.ts";
import { jsonLine } from "../lib/escape.ts";
import { effectiveValues, renderValues } from "../report/values.ts";
import { inWorkspace } from "../workspace.ts";

/** @error config_unusable, after the output, where a config file exists and can't be used */
export const command: Command = {
  meta: {
    name: "config",
    description: "Show every effective setting, permission rule and plugin, and where it comes from.",
  },
  args: { ...PLACE_ARGS, ...OUTPUT_ARGS },
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, ({ layers, configProblems }) => {
      const unusableConfigs = Object.keys(configProblems);
      const values = effectiveValues(layers);
      if (invocation.flags["json"] !== true) world.write(renderValues(values));
      else if (unusableConfigs.length === 0) world.write(jsonLine({ values }));
      if (unusableConfigs.length === 0) return "ok";
      const found = Object.entries(configProblems);
      const named = found.map(([path, reasons]) => `'${path}': ${joinMessages(reasons)}`);
      const problems = Object.fromEntries(found.map(([path, reasons]) => [path, reasons.map(messageWithLine)]));
      const message = `not in use: ${named.join("; ")}`;
      return { code: "config_unusable", message, details: { values, unusableConfigs, problems } };
    });
  },
};
