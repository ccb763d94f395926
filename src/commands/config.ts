import { OUTPUT_ARGS, PLACE_ARGS, TEXT_ARGS, wantsJson } from "../cli/args.ts";
import type { Cell, Display } from "../cli/display.ts";
import type { Command, Outcome } from "../command.ts";
import { joinMessages, messageWithLine } from "../lib/diagnostic.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { effectiveValues, renderValues, unusedConfigs, type EffectiveValue } from "../report/values.ts";
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
            values.map((value) => rowOf(display, value)),
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

/** For people: what was set, in bold and with its file, among the defaults. */
function rowOf(display: Display, { key, value, source }: EffectiveValue): Cell[] {
  const isDefault = source === "default";
  return [
    { text: visible(key), mark: isDefault ? display.dim : display.bold },
    { text: visible(JSON.stringify(value) ?? "(none)"), ...(isDefault && { mark: display.dim }) },
    { text: isDefault ? "" : visible(source), mark: display.good },
  ];
}
