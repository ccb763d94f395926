import { reasonsOf, summariseTimes, type HostCheckup, type ScopeCheckup } from "./checkup.ts";
import type { InstalledAt, Remark, SettingsHost } from "../clients/settings/settings-host.ts";
import { surveyScript } from "../clients/settings/script.ts";
import { summarise, surveyHooks, type Survey } from "../clients/settings/survey.ts";
import { wantedFor, type Wanted } from "../clients/settings/wanted.ts";
import { isPathOf } from "../lib/paths.ts";
import { gatherEvidence } from "./host-evidence.ts";
import { findOnPath, isExecutable } from "../lib/own-program.ts";
import { readSettings, readSettingsText } from "../clients/settings/settings-file.ts";
import { timeCalls, type CallTimes } from "./time-calls.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { isUsersOwn, placesOf, targetOf, type Target } from "../clients/settings/hook-settings.ts";

export interface CheckOptions {
  /** The words that call this program. */
  readonly program: readonly string[];
  /** How many calls to time. */
  readonly calls: number;
}

export interface CheckedHost extends HostCheckup {
  readonly calls: readonly CallTimes[];
}

interface Checked extends ScopeCheckup {
  readonly survey: Survey | undefined;
  readonly installed: InstalledAt;
  /** Of a call of a tool, where that is exactly what we would install. */
  readonly command: string | undefined;
}

/** All that is to be said of one host's hooks in all scopes. */
export async function checkHost(
  world: World,
  workspace: Workspace,
  host: SettingsHost,
  { program, calls }: CheckOptions,
): Promise<CheckedHost> {
  const places = placesOf(world, workspace);
  const scopes = host.scopes.filter((scope) => scope === "user" || !isUsersOwn(world, workspace));
  const checked = scopes.map((scope) => checkScope(world, host, scope, places, program));
  const evidence = await gatherEvidence(world, host.evidence(places));
  const commands = [...new Set(checked.flatMap(({ command }) => command ?? []))];
  const times =
    calls === 0
      ? []
      : commands.map((command) =>
          timeCalls(world, command, calls, (directory, file) => host.sampleEvent(directory, file)),
        );
  const remarks = [
    ...disabledRemarks(world),
    ...checked.flatMap(({ survey }) => (survey === undefined ? [] : programRemarks(world, survey))),
    ...host.remarks(
      places,
      evidence,
      checked.map(({ installed }) => installed),
    ),
    ...doubleRemarks(checked),
    ...times.map(timeRemark),
  ];
  const said = new Set<string>();
  return {
    host: host.name,
    title: host.title,
    scopes: checked.map(({ scope, path, state, reasons }) => ({ scope, path, state, reasons })),
    remarks: remarks.filter(({ text }) => !said.has(text) && said.add(text)),
    calls: times,
  };
}

function checkScope(
  world: World,
  host: SettingsHost,
  scope: SettingsHost["scopes"][number],
  places: ReturnType<typeof placesOf>,
  program: readonly string[],
): Checked {
  const target = targetOf(host, scope, places);
  const { path } = target;
  const wanted = wantedFor(host, scope, program);
  const nothing = {
    scope,
    path,
    survey: undefined,
    installed: { scope, path, realPath: path, handlers: [] },
    command: undefined,
  };
  const read = readTarget(world, target);
  if (read.problem !== undefined) return { ...nothing, state: "unusable", reasons: [read.problem] };
  if (read.texts.every(({ text }) => text === undefined)) return { ...nothing, state: "absent", reasons: [] };
  const survey = surveyTexts(read.texts, wanted);
  const handlers = survey.events.flatMap(({ event, found }) =>
    found.map(({ group, index }) => ({ event, group, index })),
  );
  // Only our own words are ever run: a repository may have put others in their place.
  const isCurrent = survey.events.some(({ event, state }) => event === host.sampled && state === "current");
  const command = isCurrent ? wanted.groups.get(host.sampled)?.hooks[0]?.command : undefined;
  const { state } = survey;
  return {
    scope,
    path,
    state,
    reasons: reasonsOf(survey),
    survey,
    installed: { scope, path, realPath: read.realPath, handlers },
    command,
  };
}

interface ReadText {
  readonly event: string | undefined;
  readonly text: string | undefined;
}

function readTarget(world: World, { files, path, within }: Target) {
  const texts: ReadText[] = [];
  let realPath = path;
  for (const { path: name, event } of files) {
    const file = readSettings(world, name, within, event === undefined ? "json" : "any");
    if (file.kind === "unusable") return { problem: file.problem, texts, realPath };
    if (file.kind === "file" && event === undefined) ({ realPath } = file);
    texts.push({ event, text: file.kind === "file" ? file.text : undefined });
  }
  return { problem: undefined, texts, realPath };
}

function surveyTexts(texts: readonly ReadText[], wanted: Wanted): Survey {
  const events = texts.flatMap(({ event, text }) =>
    event === undefined
      ? surveyHooks(readSettingsText(text ?? "{}").data, wanted).events
      : [surveyScript(text, wanted, event)],
  );
  return { events, state: summarise(events) };
}

/** Whether what the entries call is there. */
function programRemarks(world: World, { events }: Survey): Remark[] {
  const programs = [...new Set(events.flatMap(({ found }) => found.map(({ own }) => own.program)))];
  return programs.flatMap((program): Remark[] => {
    if (program.includes("$")) return [];
    if (isPathOf(program)) {
      return isExecutable(program)
        ? [{ kind: "fine", text: `program '${program}' is there` }]
        : [{ kind: "attention", text: `program '${program}' is not there, or can't be run` }];
    }
    const found = findOnPath(world, program);
    return found === undefined
      ? [{ kind: "attention", text: `'${program}' is not on PATH: the hooks of the project do nothing` }]
      : [{ kind: "fine", text: `'${program}' on PATH is '${found}'` }];
  });
}

function disabledRemarks({ env }: World): Remark[] {
  return env["CODELIA_DISABLE"] === "1"
    ? [{ kind: "attention", text: "CODELIA_DISABLE is set: no hook says anything" }]
    : [];
}

function doubleRemarks(checked: readonly Checked[]): Remark[] {
  const installed = checked.filter(({ state }) => state !== "absent" && state !== "unusable");
  if (installed.length < 2) return [];
  const scopes = installed.map(({ scope }) => scope).join(" and ");
  return [{ kind: "note", text: `registered at ${scopes} level: the hook may run once for each` }];
}

function timeRemark({ timesMs, problem }: CallTimes): Remark {
  if (problem !== undefined) return { kind: "attention", text: `a call of the hook went wrong: ${problem}` };
  return { kind: "fine", text: `${timesMs.length} calls of the hook: ${summariseTimes(timesMs)}` };
}
