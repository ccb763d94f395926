import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Outcome } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { isThere } from "../lib/path-facts.ts";
import type { World } from "../world.ts";

// `codelia plugins run FILE POINT`: the process in which a plugin's module runs.

const MAX_REQUEST_BYTES = 16 * 1024 * 1024;
const LOADS_NO_TYPESCRIPT =
  "this Node can't load TypeScript; use the codelia binary, Node 22.18 or later, Bun or Deno, or write the plugin as .mjs";

/**
 * Calls a plugin's module in this process, with the request on standard input.
 *
 * @output a line with the return value of the module's function, as JSON
 * @effect whatever the module does; then the process ends
 * @error  usage; not_found for the file; errors of the module go to standard error
 */
export async function runPlugin(world: World, file: string, point: string): Promise<Outcome> {
  const request = readRequest(world.readStdin(MAX_REQUEST_BYTES));
  if ("problem" in request) return { code: "usage", message: request.problem };
  const path = resolve(world.cwd(), file);
  if (!isThere(path)) return { code: "not_found", message: `'${visible(file)}' does not exist` };
  const answer = await askModule(path, point, request);
  if (answer.kind === "answer") world.write(replyLine(answer.json));
  else world.complain(`codelia: ${visible(answer.reason)}\n`);
  const exit = answer.kind === "answer" ? "ok" : "unusable";
  // A module may leave timers and sockets behind that would keep the process alive.
  world.leave(exit);
  return exit;
}

interface Request {
  readonly data: unknown;
  readonly context: unknown;
}

/** Not checked against the schema, which would double the time that a plugin takes. */
function readRequest(bytes: Uint8Array | undefined): Request | { readonly problem: string } {
  if (bytes === undefined) return { problem: `standard input is longer than ${MAX_REQUEST_BYTES} bytes` };
  try {
    const { data, context } = JSON.parse(new TextDecoder().decode(bytes));
    return { data, context };
  } catch {
    return { problem: "standard input is not JSON; 'codelia schema plugin-request' prints its schema" };
  }
}

type Answer = { readonly kind: "answer"; readonly json: string } | { readonly kind: "failed"; readonly reason: string };

async function askModule(file: string, point: string, { data, context }: Request): Promise<Answer> {
  let plugin: unknown;
  try {
    const module: { default?: unknown } = await import(pathToFileURL(file).href);
    plugin = module.default;
  } catch (error) {
    return failed(whyNotLoaded(file, error));
  }
  const own = typeof plugin === "object" && plugin !== null ? (plugin as Record<string, unknown>)[point] : undefined;
  if (typeof own !== "function") return failed(`its default export has no function '${point}'`);
  let changed: unknown;
  try {
    changed = await own.call(plugin, data, context);
  } catch (error) {
    return failed(`it threw: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return { kind: "answer", json: JSON.stringify(changed) ?? "" };
  } catch {
    return failed("its answer can't be written as JSON");
  }
}

function whyNotLoaded(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isTypeScript = /\.[cm]?ts$/.test(file);
  // Node up to 22.5 does not know the file extension; up to 22.17 it does not know the syntax.
  const isUnknown = code === "ERR_UNKNOWN_FILE_EXTENSION" || (isTypeScript && error instanceof SyntaxError);
  return isTypeScript && isUnknown ? LOADS_NO_TYPESCRIPT : `it can't be loaded: ${message}`;
}

function failed(reason: string): Answer {
  return { kind: "failed", reason };
}

/** The answer follows this mark, up to the end of the line: the module may print other things. */
const REPLY = "codelia-plugin-reply:";

/** @param json "" if the module returned nothing */
export function replyLine(json: string): string {
  return `${REPLY}${json}\n`;
}

/** The JSON of the last reply line; undefined if there is none. */
export function replyIn(printed: string): string | undefined {
  const line = printed.split("\n").findLast((text) => text.includes(REPLY));
  return line?.slice(line.indexOf(REPLY) + REPLY.length);
}
