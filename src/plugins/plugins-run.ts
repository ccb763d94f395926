import { resolve } from "node:path";
import type { Outcome } from "../command.ts";
import { replyLine } from "./plugin-reply.ts";
import { readRequest } from "./read-request.ts";
import { runModule } from "./run-module.ts";
import { visible } from "../lib/escape.ts";
import type { World } from "../world.ts";

const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

/**
 * Asks a plugin's module in this process, with the request on standard input: so codelia starts its own plugins.
 *
 * @output what it gave back, behind a mark
 * @effect whatever the module does; then the process ends
 * @error  usage; what is wrong with the module on standard error
 */
export async function runPlugin(world: World, file: string, hook: string): Promise<Outcome> {
  const request = readRequest(hook, world.readStdin(MAX_REQUEST_BYTES));
  if ("problem" in request) return { code: "usage", message: request.problem };
  const answer = await runModule(resolve(world.cwd(), file), request);
  if (answer.kind === "answer") world.write(replyLine(answer.json));
  else world.complain(`codelia: ${visible(answer.reason)}\n`);
  const exit = answer.kind === "answer" ? "ok" : "unusable";
  // A module may leave timers and sockets behind, which would keep the process from ending.
  world.leave(exit);
  return exit;
}
