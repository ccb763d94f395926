import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Outcome } from "../command.ts";
import { visible } from "../lib/escape.ts";
import type { World } from "../world.ts";
import { replyLine } from "./run.ts";
import type { PluginRequest } from "./schema.ts";

const LOADS_NO_TYPESCRIPT =
  "this Node loads no TypeScript; use the codelia binary, Node from 22.18 on, Bun or Deno, or write the plugin as .mjs";

export type ModuleAnswer =
  | { readonly kind: "answer"; readonly json: string }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Loads a plugin's module into this very process, and asks it.
 *
 * @input  file: absolute
 * @output what its hook gave back, as JSON; "" for nothing
 * @effect whatever the module does
 * @error  none
 */
export async function runModule(file: string, { hook, data, context }: PluginRequest): Promise<ModuleAnswer> {
  let hooks: unknown;
  try {
    const module: { default?: unknown } = await import(pathToFileURL(file).href);
    hooks = module.default;
  } catch (error) {
    return failed(whyNotLoaded(file, error));
  }
  const own = typeof hooks === "object" && hooks !== null ? (hooks as Record<string, unknown>)[hook] : undefined;
  if (typeof own !== "function") return failed(`its default export has no function '${hook}'`);
  let changed: unknown;
  try {
    changed = await own.call(hooks, data, context);
  } catch (error) {
    return failed(`it threw: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return { kind: "answer", json: JSON.stringify(changed) ?? "" };
  } catch {
    return failed("what it gave back can't be written as JSON");
  }
}

function whyNotLoaded(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isTypeScript = /\.[cm]?ts$/.test(file);
  // As TypeScript it is unknown to Node up to 22.5, and what it holds is unknown to it up to 22.17.
  const isUnknown = code === "ERR_UNKNOWN_FILE_EXTENSION" || (isTypeScript && error instanceof SyntaxError);
  return isTypeScript && isUnknown ? LOADS_NO_TYPESCRIPT : `it can't be loaded: ${message}`;
}

function failed(reason: string): ModuleAnswer {
  return { kind: "failed", reason };
}

/**
 * A request as the program writes it, or a plugin's author: what its data must be is the plugin's affair.
 *
 * @input  hook: the extension point that was named; bytes: undefined for too many
 * @effect none
 * @error  none
 */
export function readRequest(hook: string, bytes: Uint8Array | undefined): PluginRequest | { readonly problem: string } {
  if (bytes === undefined) return { problem: "standard input holds more than a request" };
  try {
    const { data, context } = JSON.parse(new TextDecoder().decode(bytes));
    // Checking it against the schema would double the time that a plugin takes.
    return { version: 1, hook: hook as PluginRequest["hook"], data, context };
  } catch {
    return { problem: "standard input is no JSON; 'codelia schema plugin-request' says what it must be" };
  }
}

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
