import { basename, join } from "node:path";
import type { ExtensionPoint } from "../config/schema.ts";
import type { Layer } from "../config/settings.ts";
import { type UserDirectories, directoryOfRoot } from "../config/user-directories.ts";
import type { Root } from "../instructions/root.ts";
import type { ContextKey } from "../ledger/contexts.ts";
import { locateLedger, ledgerPath } from "../ledger/location.ts";
import { callProgram, failureIn, firstLine } from "../lib/process.ts";
import { ownProgram } from "../lib/programs.ts";
import { readText } from "../lib/read-file.ts";
import { checkData } from "../lib/schema-problems.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { configuredPlugins, findPlugin, type ConfiguredPlugin, type RunnablePlugin } from "./configured.ts";
import { replyIn } from "./module.ts";
import { POINT_DATA, type PluginRequest, type PointData, PluginTimesSchema, type PluginTimes } from "./schema.ts";

/** Where an extension point is reached; every workspace is one. */
export interface ExtensionSetting {
  readonly cwd: string;
  readonly root: Root;
  readonly key: ContextKey;
  readonly layers: readonly Layer[];
  readonly userDirectories: UserDirectories;
}

/** Turns a plugin's answer into the next state, or says why it can't be used. */
type Accept<Point extends ExtensionPoint, State> = (
  data: PointData[Point],
  plugin: ConfiguredPlugin,
) => { readonly state: State } | { readonly reason: string };

/**
 * Asks every plugin of an extension point in turn, each about the state that the previous one left.
 *
 * @input  show: the state as data for a plugin; accept: called with data that matches the point's schema
 * @output the state after the last plugin; a plugin that fails changes nothing
 * @effect processes; their times, in the user's state directory; a warning for each plugin that failed
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
  for (const plugin of configuredPlugins(setting.layers)) {
    if (!plugin.entry.hooks.includes(point)) continue;
    const start = world.ticks();
    const answer = ask(world, setting, point, plugin, show(current));
    const result = answer.kind === "changed" ? check(point, answer.data, plugin, accept) : answer;
    const tookMs = Math.round((world.ticks() - start) * 1000) / 1000;
    const failure = "reason" in result ? result.reason : undefined;
    if (failure !== undefined) world.warn(`plugin '${plugin.name}' is skipped at '${point}': ${failure}`);
    else if ("state" in result) current = result.state;
    addTime(world, setting.userDirectories, plugin, point, tookMs, failure);
    world.trace("plugin", { plugin: plugin.name, hook: point, tookMs, failure });
  }
  return current;
}

type Answer =
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed"; readonly data: unknown }
  | { readonly kind: "failed"; readonly reason: string };

function ask(
  world: World,
  { cwd, root, key, userDirectories }: ExtensionSetting,
  hook: ExtensionPoint,
  plugin: ConfiguredPlugin,
  data: unknown,
): Answer {
  const found = findPlugin(world, userDirectories, root.directory, plugin);
  if (found.kind === "unusable") return failed(found.reason);
  const context = {
    plugin: plugin.name,
    cwd,
    root: root.directory,
    session: key.session,
    agent: key.context,
    ledger: ledgerPath(locateLedger(root.directory, userDirectories, world.home)),
  };
  return callPlugin(world, found, { version: 1, hook, context, data });
}

function check<Point extends ExtensionPoint, State>(
  point: Point,
  data: unknown,
  plugin: ConfiguredPlugin,
  accept: Accept<Point, State>,
): ReturnType<Accept<Point, State>> {
  const checked = checkData<unknown>(POINT_DATA[point], data);
  if (checked.kind === "valid") return accept(checked.data as PointData[Point], plugin);
  const schema = `plugin-${point.replace(":", "-")}`;
  return { reason: `its answer does not match the schema '${schema}': ${checked.problems[0]?.message}` };
}

const TIMEOUT_MS = 2_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** How our own process that runs a module begins its error messages. */
const OWN_PREFIX = "codelia: ";

/** A plugin runs in a process of its own: whatever it throws, prints or kills, the call goes on. */
function callPlugin(world: World, plugin: RunnablePlugin, request: PluginRequest): Answer {
  const isModule = plugin.kind === "module";
  const [program = "", ...args] = isModule
    ? [...ownCommand(world), "plugins", "run", plugin.file, request.hook]
    : plugin.words;
  const answer = callProgram(world, {
    program,
    args,
    cwd: plugin.directory,
    // If the plugin calls codelia, that call must not call the plugin again.
    env: { CODELIA_PLUGINS: "0", CODELIA_TRACE: undefined },
    stdin: `${JSON.stringify(request)}\n`,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  const { stderr } = answer;
  if (stderr !== "") world.trace("plugin-said", { plugin: request.context.plugin, text: stderr });
  if (answer.kind === "ended" && answer.exitCode === 0) {
    return readAnswer(isModule ? replyIn(answer.stdout) : answer.stdout.trim());
  }
  const message = firstLine(stderr);
  if (isModule && message.startsWith(OWN_PREFIX)) return failed(message.slice(OWN_PREFIX.length));
  return failed(failureIn(answer) ?? "");
}

/** The command that starts this program. Deno gives a process no rights by default. */
function ownCommand(world: World): readonly string[] {
  const own = ownProgram(world);
  const [executable = "", script] = own;
  const isDeno = script !== undefined && /^deno(?:\.exe)?$/i.test(basename(executable));
  return isDeno ? [executable, "run", "--allow-all", "--no-lock", "--quiet", script] : own;
}

function readAnswer(json: string | undefined): Answer {
  if (json === undefined) return failed("it ended without an answer");
  if (json === "") return { kind: "unchanged" };
  try {
    return { kind: "changed", data: JSON.parse(json) };
  } catch {
    return failed("its output is not JSON");
  }
}

function failed(reason: string): Answer {
  return { kind: "failed", reason };
}

const MAX_BYTES = 64 * 1024;

/** Statistics of a plugin's calls, kept in the user's state directory for `codelia plugins`. */
export function readTimes(userDirectories: UserDirectories, plugin: ConfiguredPlugin): PluginTimes {
  const { name, source } = plugin;
  const none: PluginTimes = { version: 1, name, source, hooks: {} };
  const read = readText(timesPath(userDirectories, plugin), MAX_BYTES);
  if (read.kind !== "text") return none;
  try {
    const parsed = PluginTimesSchema.safeParse(JSON.parse(read.text));
    return parsed.success && parsed.data.name === name && parsed.data.source === source ? parsed.data : none;
  } catch {
    return none;
  }
}

/** Adds a call. If two processes write at once, one call may be lost: the figures are for people. */
function addTime(
  world: World,
  userDirectories: UserDirectories,
  plugin: ConfiguredPlugin,
  point: ExtensionPoint,
  tookMs: number,
  failure: string | undefined,
): void {
  const times = readTimes(userDirectories, plugin);
  const before = times.hooks[point];
  const calls = {
    calls: (before?.calls ?? 0) + 1,
    totalMs: (before?.totalMs ?? 0) + tookMs,
    longestMs: Math.max(before?.longestMs ?? 0, tookMs),
    failures: (before?.failures ?? 0) + (failure === undefined ? 0 : 1),
    lastFailure: failure === undefined ? before?.lastFailure : { at: world.now(), reason: failure },
  };
  const text = `${JSON.stringify({ ...times, hooks: { ...times.hooks, [point]: calls } })}\n`;
  writeWhole(world, timesPath(userDirectories, plugin), text, { directoryMode: 0o700, fileMode: 0o600 });
}

function timesPath(userDirectories: UserDirectories, { name, source }: ConfiguredPlugin): string {
  return `${directoryOfRoot(join(userDirectories.state, "plugins"), `${name}\0${source}`)}.json`;
}
