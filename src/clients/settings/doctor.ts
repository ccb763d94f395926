import { messageWithLine } from "../../lib/diagnostic.ts";
import { isTable } from "../../lib/table.ts";
import { isPathOf } from "../../lib/paths.ts";
import { findOnPath, isExecutable } from "../../lib/programs.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { readHeard } from "../heard.ts";
import { diskFacts } from "../tree-facts.ts";
import type { ClientCheckup, ScopeCheckup } from "./doctor-report.ts";
import { commandText, type CommandForm } from "./command-form.ts";
import { settingsData } from "./data.ts";
import { expectedHooks } from "./expected.ts";
import {
  HOOK_TOOL,
  type Channel,
  type ClientChannel,
  type ClientSettings,
  type InstalledAt,
  type Remark,
  type Scope,
  type SettingsEnvironment,
} from "./model.ts";
import { surveyFile } from "./script.ts";
import { explainChannel, whyTooOld } from "./channel.ts";
import { readSettings, type SettingsFile } from "./file.ts";
import { SERVER, serverIn } from "./server-table.ts";
import { callsServer, summarise, type EventSurvey } from "./survey.ts";
import { isUsersOwn, placesOf, readTargetFile, targetOf, type Target } from "./target.ts";
import { summariseTimes, timeCalls, timeServer, type CallTimes } from "./time-calls.ts";

export interface CheckupOptions {
  /** The words that call this program. */
  readonly program: readonly string[];
  /** How many calls of the hook to time. */
  readonly calls: number;
}

/** A file may contain thousands of events. */
const MAX_NAMED = 12;
/** An event costs a server much less than a process. */
const EVENTS_PER_CALL = 50;

/**
 * Checks a client's hooks at all scopes.
 *
 * @effect reads; runs the installed hook, if it is exactly what we would install, in a temporary directory
 */
export function checkClient(
  world: World,
  workspace: Workspace,
  client: ClientSettings,
  { program, calls }: CheckupOptions,
): ClientCheckup {
  const places = placesOf(world, workspace);
  const scopes = client.scopes.filter((scope) => scope === "user" || !isUsersOwn(world, workspace));
  const checked = scopes.map((scope) => checkScope(world, client, scope, places, program));
  const commands = new Map(checked.flatMap(({ command }) => (command ? [[commandText(command), command]] : [])));
  const times =
    calls === 0 ? [] : [...commands.values()].map((command) => timeCalls(world, command, calls, client.sampleEvent));
  const installed = checked.map((each) => each.installed);
  const isInstalled = checked.some(({ state }) => state !== "absent");
  const remarks = [
    ...disabledRemarks(world),
    ...checked.flatMap(({ events }) => programRemarks(world, events)),
    ...checked.flatMap((scope) => scope.remarks),
    ...checked.flatMap(({ server }) => (server === undefined ? [] : serverRemarks(world, server))),
    ...(client.remarks?.(places, diskFacts(world), installed) ?? []),
    ...(isInstalled ? heardRemarks(workspace, client, checked) : []),
    ...doubleRemarks(checked),
    ...times.map(timeRemark),
    ...(calls > 0 && checked.some(asksServer) ? [serverTime(world, client, program, calls)] : []),
  ];
  return {
    host: client.name,
    title: client.title,
    scopes: checked.map(({ scope, path, state, reasons }) => ({ scope, path, state, reasons })),
    remarks: remarks.filter(({ text }, at) => remarks.findIndex((other) => other.text === text) === at),
    calls: times,
  };
}

interface CheckedScope extends ScopeCheckup {
  readonly events: readonly EventSurvey[];
  readonly installed: InstalledAt;
  /** The hook for a tool call, if it is exactly what we would install. */
  readonly command: CommandForm | undefined;
  /** The file that must name the server that the hooks call. */
  readonly server: SettingsFile | undefined;
  readonly remarks: readonly Remark[];
  /** What a plugin is installed for. */
  readonly channel?: Channel;
}

function checkScope(
  world: World,
  client: ClientSettings,
  scope: Scope,
  places: SettingsEnvironment,
  program: readonly string[],
): CheckedScope {
  const target = targetOf(client, scope, places);
  const { path } = target;
  const installed = { scope, path, realPath: path, handlers: [] };
  const nothing = {
    scope,
    path,
    reasons: [],
    events: [],
    installed,
    command: undefined,
    server: undefined,
    remarks: [],
  };
  const files = target.files
    .filter(({ companion }) => companion === undefined)
    .map((each) => ({ event: each.event, file: readTargetFile(world, target, each) }));
  const serverFile = target.files.find(({ companion }) => companion?.path.endsWith(".toml"));
  for (const { file } of files) {
    if (file.kind === "unusable") return { ...nothing, state: "unusable", reasons: [messageWithLine(file.problem)] };
  }
  if (files.every(({ file }) => file.kind === "absent")) return { ...nothing, state: "absent" };
  const dataOf = (file: SettingsFile) => (file.kind === "file" ? settingsData(file.text, client.layout) : undefined);
  const channel = files.some(({ file }) => callsServer(dataOf(file), client.name)) ? "mcp" : "command";
  const expected = expectedHooks(client, scope, program, channel);
  const plugged = pluginAt(world, client, target, places, program, files[0]?.file);
  const refused = files.flatMap(({ file }) => refusalOf(client, scope, file));
  if (plugged !== undefined) return { ...nothing, ...plugged, remarks: [...refused, ...plugged.remarks] };
  const events = files.flatMap(({ event, file }) =>
    surveyFile(file.kind === "file" ? file.text : undefined, expected, event),
  );
  // Run only commands that we wrote: a repository may have put others in their place.
  const isCurrent = events.some(({ event, state }) => event === client.sampled && state === "current");
  const sampled = expected.groups.get(client.sampled)?.hooks[0];
  const whole = files.find(({ event }) => event === undefined)?.file;
  return {
    ...nothing,
    state: summarise(events),
    reasons: reasonsOf(events),
    events,
    remarks: summarise(events) === "absent" ? [] : refused,
    server: channel === "mcp" && serverFile ? readTargetFile(world, target, serverFile) : undefined,
    installed: {
      ...installed,
      realPath: whole?.kind === "file" ? whole.realPath : path,
      handlers: events.flatMap(({ event, found }) => found.map(({ group, index }) => ({ event, group, index }))),
    },
    command: isCurrent && sampled?.type === "command" ? sampled : undefined,
  };
}

/** Why hooks are not as they should be; events that differ in the same way are named together. */
export function reasonsOf(events: readonly EventSurvey[]): string[] {
  if (summarise(events) === "absent") return [];
  const reasons = new Set(events.flatMap(({ why }) => why ?? []));
  return [...reasons].map((reason) => {
    const differing = events.filter(({ why }) => why === reason);
    return `${listed(differing.map(({ event }) => event))}: ${reason}`;
  });
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(", ")} and ${more} more` : names.join(", ");
}

function disabledRemarks({ env }: World): Remark[] {
  return env["CODELIA_DISABLE"] === "1"
    ? [{ kind: "attention", text: "CODELIA_DISABLE is set: all hooks are silent" }]
    : [];
}

/** Whether the client accepts the file at all. */
function refusalOf({ name, refuses }: ClientSettings, scope: Scope, file: SettingsFile): Remark[] {
  const refusal = file.kind === "file" ? refuses?.(file) : undefined;
  if (refusal === undefined) return [];
  const way = refusal.mended === undefined ? "" : `: 'codelia install ${name} --scope ${scope} --mend' takes it out`;
  return [{ kind: "attention", text: `'${file.path}': ${refusal.why}${way}` }];
}

/** The plugin that a settings file names instead of hooks; undefined if it names none. */
function pluginAt(
  world: World,
  client: ClientSettings,
  target: Target,
  places: SettingsEnvironment,
  program: readonly string[],
  file: SettingsFile | undefined,
): Pick<CheckedScope, "state" | "reasons" | "remarks" | "channel"> | undefined {
  const { plugin, channels = [] } = client;
  if (plugin === undefined || file?.kind !== "file" || !plugin.isNamed(file.text)) return undefined;
  const companions = target.files.flatMap(({ companion }) => companion ?? []);
  const present = companions.map(({ path }) => {
    const read = readSettings(world, path, undefined, "any");
    return read.kind === "file" ? read.text : undefined;
  });
  const isThere = ({ channel }: ClientChannel) => {
    const hooks = expectedHooks(client, target.scope, program, channel);
    const wanted = companions.map(({ edit }) => edit(undefined, { channel, words: program, hooks }));
    return wanted.every((edited, at) => edited.kind === "text" && edited.text === present[at]);
  };
  const found = channels.find(isThere);
  const isOn = plugin.has(file.text, plugin.directory(target.scope, places));
  if (found === undefined || !isOn) {
    const reason = isOn ? "its plugin's files are not those of this program" : "its plugin is off, or another one";
    return { state: "stale", reasons: [reason], remarks: [] };
  }
  const late = whyTooOld(world, found, places.root);
  const remarks: Remark[] = explainChannel(found, client).map((text) => ({ kind: "fine", text }));
  if (late !== undefined) remarks.push({ kind: "attention", text: late });
  const all = [...remarks, ...remarksOn(world, program.slice(0, 1))];
  return { state: "current", reasons: [], remarks: all, channel: found.channel };
}

/** Whether the server exists that the hooks call: without it they are silent. */
function serverRemarks(world: World, file: SettingsFile): Remark[] {
  const server = file.kind === "file" ? serverIn(file.text) : undefined;
  const program = isTable(server) ? server["command"] : undefined;
  if (typeof program !== "string") {
    return [{ kind: "attention", text: `hooks call the server '${SERVER}', which '${file.path}' does not name` }];
  }
  return [
    { kind: "fine", text: `hooks ask the running server '${SERVER}': no process is started for a tool call` },
    ...remarksOn(world, [program]),
  ];
}

/** Whether the programs that the hooks call exist. */
function programRemarks(world: World, events: readonly EventSurvey[]): Remark[] {
  const programs = new Set(events.flatMap(({ found }) => found.map(({ own }) => own.program)));
  programs.delete(HOOK_TOOL);
  return remarksOn(world, [...programs]);
}

function remarksOn(world: World, programs: readonly string[]): Remark[] {
  return programs.flatMap((program): Remark[] => {
    if (program.includes("$")) return [];
    if (isPathOf(program)) {
      return isExecutable(program)
        ? [{ kind: "fine", text: `program '${program}' exists` }]
        : [{ kind: "attention", text: `program '${program}' is missing or not executable` }];
    }
    const found = findOnPath(world, program);
    if (found !== undefined && /[/\\]node_modules[/\\]\.bin[/\\]/.test(found)) {
      const text = `'${program}' is on PATH only within npm ('${found}'): the project's hooks do nothing elsewhere`;
      return [{ kind: "attention", text }];
    }
    return found === undefined
      ? [{ kind: "attention", text: `'${program}' is not on PATH: the project's hooks do nothing` }]
      : [{ kind: "fine", text: `'${program}' on PATH is '${found}'` }];
  });
}

/** When a session last began, and through which channel: a client may ignore what is installed. */
function heardRemarks(
  { userDirectories }: Workspace,
  { name, title, channels = [] }: ClientSettings,
  checked: readonly CheckedScope[],
): Remark[] {
  const heard = readHeard(userDirectories, name);
  if (heard === undefined) return [{ kind: "note", text: "no session has begun with it yet" }];
  const when = new Date(heard.at).toISOString().slice(0, 16).replace("T", " ");
  const remarks: Remark[] = [{ kind: "note", text: `a session last began with it ${when} UTC, by '${heard.channel}'` }];
  const wanted = checked.flatMap(({ channel }) => channel ?? []);
  const isOther = wanted.length > 0 && !wanted.includes(heard.channel) && wanted.some((each) => each === "mod");
  if (isOther && channels.length > 0 && heard.channel === "command") {
    const text = `${title} did not run its module then: hooks gave the start in its place ('codelia install ${name} --channel mcp' gives more of it at once)`;
    remarks.push({ kind: "attention", text });
  }
  return remarks;
}

function doubleRemarks(checked: readonly CheckedScope[]): Remark[] {
  const installed = checked.filter(({ state }) => state !== "absent" && state !== "unusable");
  if (installed.length < 2) return [];
  const scopes = installed.map(({ scope }) => scope).join(" and ");
  return [{ kind: "note", text: `registered at ${scopes} level: the hook may run once for each of them` }];
}

function asksServer({ state, channel, server }: CheckedScope): boolean {
  return state === "current" && (channel !== undefined || server !== undefined);
}

function serverTime(world: World, client: ClientSettings, program: readonly string[], calls: number): Remark {
  const events = calls * EVENTS_PER_CALL;
  const took = timeServer(world, program, client.name, events, client.sampleEvent);
  if (typeof took === "string") return { kind: "attention", text: `calling the server failed: ${took}` };
  return { kind: "fine", text: `${events} events in a running server: ${took.toFixed(1)} ms each` };
}

function timeRemark({ timesMs, problem }: CallTimes): Remark {
  if (problem !== undefined) return { kind: "attention", text: `calling the hook failed: ${problem}` };
  return { kind: "fine", text: `${timesMs.length} hook calls: ${summariseTimes(timesMs)}` };
}
