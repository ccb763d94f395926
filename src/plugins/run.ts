import { spawnSync } from "../lib/process.ts";
import { basename, join } from "node:path";
import type { ExtensionPoint } from "../config/schema.ts";
import type { Layer } from "../config/settings.ts";
import { placeOfRoot, type UserPlaces } from "../config/user-places.ts";
import type { Root } from "../instructions/root.ts";
import type { ContextKey } from "../ledger/contexts.ts";
import { findStatePlace, ledgerPath } from "../ledger/place.ts";
import { errnoOf } from "../lib/fs.ts";
import { ownProgram } from "../lib/programs.ts";
import { readText } from "../lib/read-file.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { placedPlugins, findPlugin, type PlacedPlugin, type FoundPlugin } from "./find.ts";
import { POINT_DATA, PluginTimesSchema, type PointData, type PluginRequest, type PluginTimes } from "./schema.ts";

/** What an extension point knows of where it is; a workspace is one. */
export interface ExtensionSetting {
  readonly cwd: string;
  readonly root: Root;
  readonly key: ContextKey;
  readonly layers: readonly Layer[];
  readonly places: UserPlaces;
}

/** What becomes of the data that a plugin gave back: the new state of things, or why it is nonsense. */
type Accept<Point extends ExtensionPoint, State> = (
  data: PointData[Point],
  placed: PlacedPlugin,
) => { readonly state: State } | { readonly reason: string };

/**
 * Has every plugin of an extension point say its word, one after the other, each about what the one before made of it.
 *
 * @input  state: how things stand; show: as data for a plugin; accept: asked with data that keeps to the schema
 * @output the state as the last of them left it; one that fails in any way changes nothing
 * @effect processes; the time they took, in the user's state directory; a warning for each that failed
 * @error  none
 */
export function askPlugins<Point extends ExtensionPoint, State>(
  world: World,
  setting: ExtensionSetting,
  point: Point,
  state: State,
  show: (state: State) => PointData[Point],
  accept: Accept<Point, State>,
): State {
  let current = state;
  for (const placed of placedPlugins(setting.layers)) {
    if (!placed.plugin.hooks.includes(point)) continue;
    const start = world.ticks();
    const answer = ask(world, setting, point, placed, show(current));
    const judged = answer.kind === "changed" ? judge(point, answer.data, placed, accept) : answer;
    const tookMs = Math.round((world.ticks() - start) * 1000) / 1000;
    const failure = "reason" in judged ? judged.reason : undefined;
    if (failure !== undefined) world.warn(`plugin '${placed.name}' is skipped at '${point}': ${failure}`);
    else if ("state" in judged) current = judged.state;
    addTime(world, setting.places, placed, point, tookMs, failure);
    world.trace("plugin", { plugin: placed.name, hook: point, tookMs, failure });
  }
  return current;
}

function ask(
  world: World,
  { cwd, root, key, places }: ExtensionSetting,
  hook: ExtensionPoint,
  placed: PlacedPlugin,
  data: unknown,
): PluginAnswer {
  const found = findPlugin(world, places, root.directory, placed);
  if (found.kind === "unusable") return { kind: "failed", reason: found.reason };
  const context = {
    plugin: placed.name,
    cwd,
    root: root.directory,
    session: key.session,
    agent: key.context,
    ledger: ledgerPath(findStatePlace(root.directory, places, world.home)),
  };
  return callPlugin(world, found, { version: 1, hook, context, data });
}

function judge<Point extends ExtensionPoint, State>(
  point: Point,
  data: unknown,
  placed: PlacedPlugin,
  accept: Accept<Point, State>,
): ReturnType<Accept<Point, State>> {
  const parsed = POINT_DATA[point].safeParse(data);
  if (parsed.success) return accept(parsed.data as PointData[Point], placed);
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "the whole" : `'${issue.path.join(".")}'`;
  return {
    reason: `what it gave back does not keep to the schema 'plugin-${point.replace(":", "-")}': ${where}: ${issue?.message}`,
  };
}

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

/** What a module gave back stands behind this, to the end of the line: it may have printed other things. */
const REPLY = "codelia-plugin-reply:";

/** The line that says what a module's hook gave back: JSON, or "" for nothing. */
export function replyLine(json: string): string {
  return `${REPLY}${json}\n`;
}

/** What the last such line says; undefined where there is none. */
export function replyIn(printed: string): string | undefined {
  const line = printed.split("\n").findLast((text) => text.includes(REPLY));
  return line?.slice(line.indexOf(REPLY) + REPLY.length);
}

const MAX_BYTES = 64 * 1024;

/**
 * How the calls of a plugin went so far.
 *
 * @effect none
 * @error  none
 */
export function readTimes(places: UserPlaces, { name, source }: PlacedPlugin): PluginTimes {
  const none: PluginTimes = { version: 1, name, source, hooks: {} };
  const read = readText(fileOf(places, name, source), MAX_BYTES);
  if (read.kind !== "text") return none;
  try {
    const parsed = PluginTimesSchema.safeParse(JSON.parse(read.text));
    return parsed.success && parsed.data.name === name && parsed.data.source === source ? parsed.data : none;
  } catch {
    return none;
  }
}

/**
 * Adds a call. Of two at the same moment one may be lost: they are figures for a person.
 *
 * @input  failure: why it failed; undefined where it did not
 * @effect a file in the user's state directory, where one can be written
 * @error  none
 */
export function addTime(
  world: World,
  places: UserPlaces,
  placed: PlacedPlugin,
  point: ExtensionPoint,
  tookMs: number,
  failure: string | undefined,
): void {
  const times = readTimes(places, placed);
  const before = times.hooks[point];
  const hook = {
    calls: (before?.calls ?? 0) + 1,
    totalMs: (before?.totalMs ?? 0) + tookMs,
    longestMs: Math.max(before?.longestMs ?? 0, tookMs),
    failures: (before?.failures ?? 0) + (failure === undefined ? 0 : 1),
    lastFailure: failure === undefined ? before?.lastFailure : { at: world.now(), reason: failure },
  };
  const text = `${JSON.stringify({ ...times, hooks: { ...times.hooks, [point]: hook } })}\n`;
  writeWhole(world, fileOf(places, placed.name, placed.source), text, { directoryMode: 0o700, fileMode: 0o600 });
}

function fileOf(places: UserPlaces, name: string, source: string): string {
  return `${placeOfRoot(join(places.state, "plugins"), `${name}\0${source}`)}.json`;
}
