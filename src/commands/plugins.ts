import { OUTPUT_ARGS, PLACE_ARGS, usage } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { jsonLine } from "../lib/escape.ts";
import { inWorkspace, isForPeople } from "../workspace.ts";

/**
 * @effect reads a project's plugins and runs none; `run` does what the module does
 * @error  usage; config_unusable for a module that can't be loaded, or threw
 */
export const command: Command = {
  meta: {
    name: "plugins",
    description:
      "List plugins: what they run, where they are configured, whether they are trusted, and their past calls. 'run FILE POINT' calls a module with the request on standard input.",
  },
  args: {
    run: { type: "positional", required: false, description: "'run': call a module" },
    file: { type: "positional", required: false, description: "a JavaScript or TypeScript module" },
    hook: { type: "positional", required: false, description: "an extension point, such as agents:chain" },
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 3,
  async run(world, invocation): Promise<Outcome> {
    const [verb, file, hook] = invocation.operands;
    if (verb !== undefined) {
      if (verb !== "run" || file === undefined || hook === undefined) {
        return usage("'codelia plugins' lists them; 'codelia plugins run FILE POINT' calls a module");
      }
      const { runPlugin } = await import("../plugins/module.ts");
      return runPlugin(world, file, hook);
    }
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const { renderPlugins, surveyPlugins } = await import("../plugins/survey.ts");
      const plugins = await surveyPlugins(world, workspace);
      if (invocation.flags["json"] === true) world.write(jsonLine({ plugins }));
      else if (plugins.length === 0 && isForPeople(world, invocation)) {
        world.write("no plugins are configured; 'plugins' in a config file lists them\n");
      } else world.write(renderPlugins(plugins));
      return "ok";
    });
  },
};
