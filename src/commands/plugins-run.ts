import { resolve } from "node:path";
import type { Command, Outcome } from "../command.ts";
import { replyLine } from "../core/plugin-reply.ts";
import { readRequest } from "../io/plugins/read-request.ts";
import { runModule } from "../io/plugins/run-module.ts";
import type { World } from "../world.ts";
import { COMMON_ARGS } from "./common.ts";

const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

/**
 * @input  file: a plugin's module; hook: a hook point; on standard input what it gets, as the schema `plugin-request` says
 * @output what it gave back, behind a mark, on a line of its own
 * @effect whatever the module does: it is run in this process, by whoever may run it
 * @error  usage; config_unusable for a module that can't be loaded, or threw
 */
export const command: Command = {
  meta: {
    name: "run",
    description: "Ask a plugin's module with a request on standard input; codelia starts its own plugins so.",
  },
  args: {
    file: { type: "positional", description: "a JavaScript or TypeScript module" },
    hook: { type: "positional", description: "a hook point, as agents:chain" },
    version: COMMON_ARGS.version,
    help: COMMON_ARGS.help,
  },
  maxOperands: 2,
  async run(world, { operands }): Promise<Outcome> {
    const [file, hook] = operands;
    if (file === undefined || hook === undefined) {
      return { code: "usage", message: "plugins run needs a module and a hook point" };
    }
    const request = readRequest(hook, world.readStdin(MAX_REQUEST_BYTES));
    if ("problem" in request) return { code: "usage", message: request.problem };
    const answer = await runModule(resolve(world.cwd(), file), request);
    if (answer.kind === "failed") return leave(world, "unusable", () => world.complain(`codelia: ${answer.reason}\n`));
    return leave(world, "ok", () => world.write(replyLine(answer.json)));
  },
};

/** A module may leave timers and sockets behind, which would keep the process from ending. */
function leave(world: World, exit: "ok" | "unusable", say: () => void): Outcome {
  say();
  world.leave(exit);
  return exit;
}
