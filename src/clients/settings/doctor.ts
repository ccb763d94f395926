import { messageWithLine } from "../../lib/diagnostic.ts";
import { isPathOf } from "../../lib/paths.ts";
import { findOnPath, isExecutable } from "../../lib/programs.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { diskFacts } from "../tree-facts.ts";
import type { ClientCheckup, ScopeCheckup } from "./doctor-report.ts";
import { expectedHooks } from "./expected.ts";
import type { ClientPlaces, ClientSettings, InstalledAt, Remark, Scope } from "./model.ts";
import { surveyFile } from "./script.ts";
import { summarise, type EventSurvey } from "./survey.ts";
import { isUsersOwn, placesOf, readTargetFile, targetOf } from "./target.ts";
import { summariseTimes, timeCalls, type CallTimes } from "./time-calls.ts";

export interface CheckupOptions {
  /** The words that call this program. */
  readonly program: readonly string[];
  /** How many calls of the hook to time. */
  readonly calls: number;
}

/** A file can hold thousands of events. */
const MAX_NAMED = 12;

/**
 * Checks a client's hooks at all scopes.
 *
 * @effect reads; runs the hook that is installed, if it is exactly what we would install, in a temporary directory
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
  const commands = calls === 0 ? [] : [...new Set(checked.flatMap(({ command }) => command ?? []))];
  const times = commands.map((command) => timeCalls(world, command, calls, client.sampleEvent));
  const installed = checked.map((each) => each.installed);
  const remarks = [
    ...disabledRemarks(world),
    ...checked.flatMap(({ events }) => programRemarks(world, events)),
    ...(client.remarks?.(places, diskFacts(world), installed) ?? []),
    ...doubleRemarks(checked),
    ...times.map(timeRemark),
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
  /** Of a call of a tool, if it is exactly what we would install. */
  readonly command: string | undefined;
}

function checkScope(
  world: World,
  client: ClientSettings,
  scope: Scope,
  places: ClientPlaces,
  program: readonly string[],
): CheckedScope {
  const target = targetOf(client, scope, places);
  const { path } = target;
  const installed = { scope, path, realPath: path, handlers: [] };
  const nothing = { scope, path, reasons: [], events: [], installed, command: undefined };
  const files = target.files.map(({ path: name, event }) => ({
    event,
    file: readTargetFile(world, target, name, event),
  }));
  for (const { file } of files) {
    if (file.kind === "unusable") return { ...nothing, state: "unusable", reasons: [messageWithLine(file.problem)] };
  }
  if (files.every(({ file }) => file.kind === "absent")) return { ...nothing, state: "absent" };
  const expected = expectedHooks(client, scope, program);
  const events = files.flatMap(({ event, file }) =>
    surveyFile(file.kind === "file" ? file.text : undefined, expected, event),
  );
  // Only our own words are ever run: a repository may have put others in their place.
  const isCurrent = events.some(({ event, state }) => event === client.sampled && state === "current");
  const whole = files.find(({ event }) => event === undefined)?.file;
  return {
    ...nothing,
    state: summarise(events),
    reasons: reasonsOf(events),
    events,
    installed: {
      ...installed,
      realPath: whole?.kind === "file" ? whole.realPath : path,
      handlers: events.flatMap(({ event, found }) => found.map(({ group, index }) => ({ event, group, index }))),
    },
    command: isCurrent ? expected.groups.get(client.sampled)?.hooks[0]?.command : undefined,
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

/** Whether the programs are there that the hooks call. */
function programRemarks(world: World, events: readonly EventSurvey[]): Remark[] {
  const programs = [...new Set(events.flatMap(({ found }) => found.map(({ own }) => own.program)))];
  return programs.flatMap((program): Remark[] => {
    if (program.includes("$")) return [];
    if (isPathOf(program)) {
      return isExecutable(program)
        ? [{ kind: "fine", text: `program '${program}' is there` }]
        : [{ kind: "attention", text: `program '${program}' is missing or not executable` }];
    }
    const found = findOnPath(world, program);
    return found === undefined
      ? [{ kind: "attention", text: `'${program}' is not on PATH: the project's hooks do nothing` }]
      : [{ kind: "fine", text: `'${program}' on PATH is '${found}'` }];
  });
}

function doubleRemarks(checked: readonly CheckedScope[]): Remark[] {
  const installed = checked.filter(({ state }) => state !== "absent" && state !== "unusable");
  if (installed.length < 2) return [];
  const scopes = installed.map(({ scope }) => scope).join(" and ");
  return [{ kind: "note", text: `registered at ${scopes} level: the hook may run once for each of them` }];
}

function timeRemark({ timesMs, problem }: CallTimes): Remark {
  if (problem !== undefined) return { kind: "attention", text: `calling the hook failed: ${problem}` };
  return { kind: "fine", text: `${timesMs.length} hook calls: ${summariseTimes(timesMs)}` };
}
