import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { replyIn } from "./plugin-reply.ts";
import type { PluginRequest } from "./schema.ts";
import type { World } from "../world.ts";
import { errnoOf } from "../lib/fs.ts";
import { ownProgram } from "../lib/own-program.ts";
import type { FoundPlugin } from "./find-plugin.ts";

const TIMEOUT_MS = 2_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const MAX_REASON_UNITS = 300;
/** How our own process that runs a module begins to say what is wrong with it. */
const OWN = "codelia: ";

export type PluginAnswer =
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed"; readonly data: unknown }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Asks a plugin once, in a process of its own: it may throw, loop, print or end as it likes, and we go on.
 *
 * @input  plugin: what to start; request: what it gets on standard input
 * @output the data it gave back, not yet looked at
 * @effect a process, killed after 2 s; what it does is its own affair
 * @error  none
 */
export function callPlugin(
  world: World,
  plugin: Exclude<FoundPlugin, { kind: "unusable" }>,
  request: PluginRequest,
): PluginAnswer {
  const isModule = plugin.kind === "module";
  const [program = "", ...args] = isModule
    ? [...runnerOf(world), "plugins", "run", plugin.file, request.hook]
    : plugin.words;
  try {
    const { error, status, signal, stdout, stderr } = spawnSync(program, args, {
      cwd: plugin.directory,
      // A plugin that calls codelia must not be called by that in turn.
      env: { ...world.env, CODELIA_PLUGINS: "0", CODELIA_TRACE: undefined },
      input: `${JSON.stringify(request)}\n`,
      encoding: "utf8",
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    });
    if (stderr) world.trace("plugin-said", { plugin: request.context.plugin, text: stderr });
    // What it started in the background may hold its output open: it has ended all the same.
    if (status === 0) return isModule ? readReply(stdout) : readData(stdout.trim());
    const errno = error === undefined ? "" : errnoOf(error);
    if (errno === "ETIMEDOUT") return failed(`it did not end within ${TIMEOUT_MS / 1000} s`);
    if (errno === "ENOBUFS") return failed(`it printed more than ${MAX_OUTPUT_BYTES} bytes`);
    if (status === null && signal === null) return failed(`it can't be started (${errno})`);
    const said = firstLine(stderr);
    if (isModule && said.startsWith(OWN)) return failed(said.slice(OWN.length));
    return failed(`it ended with ${signal ?? `exit code ${status}`}${said && `: ${said}`}`);
  } catch (error) {
    return failed(`it can't be started (${errnoOf(error)})`);
  }
}

/** This program, as it is started to run a module. Deno gives a process no rights unless it is told to. */
function runnerOf(world: World): readonly string[] {
  const own = ownProgram(world);
  const [executable = "", script] = own;
  const isDeno = script !== undefined && /^deno(?:\.exe)?$/i.test(basename(executable));
  return isDeno ? [executable, "run", "--allow-all", "--no-lock", "--quiet", script] : own;
}

function readReply(stdout: string): PluginAnswer {
  const text = replyIn(stdout);
  return text === undefined ? failed("it ended without an answer") : readData(text);
}

function readData(text: string): PluginAnswer {
  if (text === "") return { kind: "unchanged" };
  try {
    return { kind: "changed", data: JSON.parse(text) };
  } catch {
    return failed("what it printed is no JSON");
  }
}

function firstLine(text: string): string {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  return line.slice(0, MAX_REASON_UNITS);
}

function failed(reason: string): PluginAnswer {
  return { kind: "failed", reason };
}
