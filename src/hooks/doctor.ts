import { isUsersOwn, placesOf, targetOf, type Target } from "../clients/settings/change.ts";
import { readSettings, readSettingsText } from "../clients/settings/file.ts";
import type { ClientEvidence, ClientSettings, InstalledAt, Remark } from "../clients/settings/model.ts";
import { surveyScript } from "../clients/settings/script.ts";
import { summarise, surveyHooks, wantedFor, type Survey, type Wanted } from "../clients/settings/survey.ts";
import { messageWithLine } from "../lib/diagnostic.ts";
import { parseJsonc } from "../lib/jsonc.ts";
import { limitParsing, type LimitedParse } from "../lib/parse-limit.ts";
import { isPathOf } from "../lib/paths.ts";
import { findOnPath, isExecutable } from "../lib/programs.ts";
import { textAt } from "../lib/read-file.ts";
import { withoutBom } from "../lib/text.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { ClientCheckup, ScopeCheckup } from "./doctor-report.ts";
import { summariseTimes, timeCalls, type CallTimes } from "./time-calls.ts";

export interface CheckOptions {
  /** The words that call this program. */
  readonly program: readonly string[];
  /** How many calls to time. */
  readonly calls: number;
}

/** A client's hooks in all scopes, and whether they work. */
export async function checkClient(
  world: World,
  workspace: Workspace,
  client: ClientSettings,
  { program, calls }: CheckOptions,
): Promise<ClientCheckup> {
  const places = placesOf(world, workspace);
  const scopes = client.scopes.filter((scope) => scope === "user" || !isUsersOwn(world, workspace));
  const checked = scopes.map((scope) => checkScope(world, client, scope, places, program));
  const evidence = await gatherEvidence(world, client.evidence(places));
  const commands = new Set(calls === 0 ? [] : checked.flatMap(({ command }) => command ?? []));
  const times = Array.from(commands, (command) => timeCalls(world, command, calls, client.sampleEvent));
  const installed = checked.map((scope) => scope.installed);
  const remarks = [
    ...disabledRemarks(world),
    ...checked.flatMap(({ survey }) => (survey === undefined ? [] : programRemarks(world, survey))),
    ...client.remarks(places, evidence, installed),
    ...doubleRemarks(checked),
    ...times.map(timeRemark),
  ];
  return {
    host: client.name,
    title: client.title,
    scopes: checked.map(({ scope, path, state, reasons }) => ({ scope, path, state, reasons })),
    // Several scopes may give the same remark.
    remarks: [...new Map(remarks.map((remark) => [remark.text, remark])).values()],
    calls: times,
  };
}

interface CheckedScope extends ScopeCheckup {
  readonly survey: Survey | undefined;
  readonly installed: InstalledAt;
  /** The hook's command for a call of a tool, if it is exactly what we would install. */
  readonly command: string | undefined;
}

function checkScope(
  world: World,
  client: ClientSettings,
  scope: ClientSettings["scopes"][number],
  places: ReturnType<typeof placesOf>,
  program: readonly string[],
): CheckedScope {
  const target = targetOf(client, scope, places);
  const { path } = target;
  const wanted = wantedFor(client, scope, program);
  const { texts, realPath, problem } = readTarget(world, target);
  const nothing = {
    scope,
    path,
    survey: undefined,
    installed: { scope, path, realPath: path, handlers: [] },
    command: undefined,
  };
  if (problem !== undefined) return { ...nothing, state: "unusable", reasons: [problem] };
  if (texts.every(({ text }) => text === undefined)) return { ...nothing, state: "absent", reasons: [] };
  const survey = surveyTexts(texts, wanted);
  const handlers = survey.events.flatMap(({ event, found }) =>
    found.map(({ group, index }) => ({ event, group, index })),
  );
  // Only our own words are ever run: a repository may have put others in their place.
  const isCurrent = survey.events.some(({ event, state }) => event === client.sampled && state === "current");
  return {
    scope,
    path,
    state: survey.state,
    reasons: reasonsOf(survey),
    survey,
    installed: { scope, path, realPath, handlers },
    command: isCurrent ? wanted.groups.get(client.sampled)?.hooks[0]?.command : undefined,
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
    if (file.kind === "unusable") return { problem: messageWithLine(file.problem), texts, realPath };
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

/** A file can hold thousands of events. */
const MAX_NAMED_EVENTS = 12;

/** What differs from what we would install. Events that differ in the same way are named together. */
export function reasonsOf({ state, events }: Survey): string[] {
  if (state === "absent") return [];
  const byReason = new Map<string, string[]>();
  for (const { event, why } of events) {
    if (why !== undefined) byReason.set(why, [...(byReason.get(why) ?? []), event]);
  }
  return Array.from(byReason, ([why, names]) => `${listed(names)}: ${why}`);
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED_EVENTS;
  return more > 0 ? `${names.slice(0, MAX_NAMED_EVENTS).join(", ")} and ${more} more` : names.join(", ");
}

/** Whether the programs that the entries call are there. */
function programRemarks(world: World, { events }: Survey): Remark[] {
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

function disabledRemarks({ env }: World): Remark[] {
  return env["CODELIA_DISABLE"] === "1"
    ? [{ kind: "attention", text: "CODELIA_DISABLE is set: all hooks are silent" }]
    : [];
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

const MAX_EVIDENCE_BYTES = 4 * 1024 * 1024;

/**
 * What files of JSON or TOML hold, and which files of text are not blank, as far as they can be read.
 *
 * @effect reads
 */
async function gatherEvidence(
  world: World,
  files: { readonly data: readonly string[]; readonly texts: readonly string[] },
): Promise<ClientEvidence> {
  const limited = limitParsing(world);
  const data = new Map<string, unknown>();
  for (const path of files.data) {
    const text = textAt(path, MAX_EVIDENCE_BYTES);
    if (text !== undefined) data.set(path, await parse(path, text, limited));
  }
  const isSaying = (path: string) => textAt(path, MAX_EVIDENCE_BYTES)?.trim();
  return { data, texts: new Set(files.texts.filter(isSaying)) };
}

async function parse(path: string, text: string, limited: LimitedParse): Promise<unknown> {
  const parseText = path.endsWith(".toml") ? (await import("../lib/toml.ts")).parseToml : parseJsonc;
  const read = limited(() => parseText(withoutBom(text)));
  return read.kind === "data" ? read.data : undefined;
}
