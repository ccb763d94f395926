import { messageWithLine } from "../lib/diagnostic.ts";
import { spawnSync } from "../lib/process.ts";
import { join } from "node:path";
import { isUsersOwn, placesOf, targetOf, type Target } from "../clients/settings/change.ts";
import { readSettings, readSettingsText } from "../clients/settings/file.ts";
import type { InstalledAt, Remark, ClientSettings, Scope, ClientEvidence } from "../clients/settings/model.ts";
import { surveyScript } from "../clients/settings/script.ts";
import {
  summarise,
  surveyHooks,
  wantedFor,
  type Survey,
  type Wanted,
  type HookState,
} from "../clients/settings/survey.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { parseJsonc } from "../lib/jsonc.ts";
import { limitParsing, type LimitedParse } from "../lib/parse-limit.ts";
import { isPathOf } from "../lib/paths.ts";
import { findOnPath, isExecutable } from "../lib/programs.ts";
import { textAt } from "../lib/read-file.ts";
import { withoutBom } from "../lib/text.ts";
import { createFile, removeTreeQuietly } from "../lib/write-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

export interface CheckOptions {
  /** The words that call this program. */
  readonly program: readonly string[];
  /** How many calls to time. */
  readonly calls: number;
}

export interface CheckedClient extends ClientCheckup {
  readonly calls: readonly CallTimes[];
}

interface Checked extends ScopeCheckup {
  readonly survey: Survey | undefined;
  readonly installed: InstalledAt;
  /** Of a call of a tool, where that is exactly what we would install. */
  readonly command: string | undefined;
}

/** All that is to be said of one client's hooks in all scopes. */
export async function checkClient(
  world: World,
  workspace: Workspace,
  client: ClientSettings,
  { program, calls }: CheckOptions,
): Promise<CheckedClient> {
  const places = placesOf(world, workspace);
  const scopes = client.scopes.filter((scope) => scope === "user" || !isUsersOwn(world, workspace));
  const checked = scopes.map((scope) => checkScope(world, client, scope, places, program));
  const evidence = await gatherEvidence(world, client.evidence(places));
  const commands = [...new Set(checked.flatMap(({ command }) => command ?? []))];
  const times =
    calls === 0
      ? []
      : commands.map((command) =>
          timeCalls(world, command, calls, (directory, file) => client.sampleEvent(directory, file)),
        );
  const remarks = [
    ...disabledRemarks(world),
    ...checked.flatMap(({ survey }) => (survey === undefined ? [] : programRemarks(world, survey))),
    ...client.remarks(
      places,
      evidence,
      checked.map(({ installed }) => installed),
    ),
    ...doubleRemarks(checked),
    ...times.map(timeRemark),
  ];
  const said = new Set<string>();
  return {
    host: client.name,
    title: client.title,
    scopes: checked.map(({ scope, path, state, reasons }) => ({ scope, path, state, reasons })),
    remarks: remarks.filter(({ text }) => !said.has(text) && said.add(text)),
    calls: times,
  };
}

function checkScope(
  world: World,
  client: ClientSettings,
  scope: ClientSettings["scopes"][number],
  places: ReturnType<typeof placesOf>,
  program: readonly string[],
): Checked {
  const target = targetOf(client, scope, places);
  const { path } = target;
  const wanted = wantedFor(client, scope, program);
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
  const isCurrent = survey.events.some(({ event, state }) => event === client.sampled && state === "current");
  const command = isCurrent ? wanted.groups.get(client.sampled)?.hooks[0]?.command : undefined;
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

/** What `doctor` found in one settings file. */
export interface ScopeCheckup {
  readonly scope: Scope;
  readonly path: string;
  /** `unusable`: the file can't be read as it is. */
  readonly state: HookState | "unusable";
  readonly reasons: readonly string[];
}

export interface ClientCheckup {
  readonly host: string;
  readonly title: string;
  readonly scopes: readonly ScopeCheckup[];
  readonly remarks: readonly Remark[];
}

/** What a session would be told here. */
export interface Told {
  readonly cwd: string;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: number;
  readonly skills: number;
}

/** As many events are named; a file can hold thousands. */
const MAX_NAMED = 12;

/** Events that differ in the same way are named together. */
export function reasonsOf({ state, events }: Survey): string[] {
  if (state === "absent") return [];
  const byReason = new Map<string, string[]>();
  for (const { event, why } of events) {
    if (why === undefined) continue;
    const names = byReason.get(why);
    if (names === undefined) byReason.set(why, [event]);
    else names.push(event);
  }
  return [...byReason].map(([why, names]) => `${listed(names)}: ${why}`);
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(", ")} and ${more} more` : names.join(", ");
}

/** Whether someone has to do something: whatever is in place is as it should be, and works. */
export function needsAttention(checkups: readonly ClientCheckup[]): boolean {
  return checkups.some(
    ({ scopes, remarks }) =>
      scopes.some(({ state }) => state !== "absent" && state !== "current") ||
      remarks.some(({ kind }) => kind === "attention"),
  );
}

/** `5.1 ms min, 5.4 ms median, 7.0 ms max` */
export function summariseTimes(timesMs: readonly number[]): string {
  const sorted = timesMs.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const median =
    sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  const figures = [`${format(sorted[0] ?? 0)} min`, `${format(median)} median`, `${format(sorted.at(-1) ?? 0)} max`];
  return figures.join(", ");
}

function format(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * @input  data: files of JSON or TOML; texts: files that matter where they say anything
 * @output what the first hold, and which of the second are not blank, as far as they can be read
 * @effect reads
 * @error  none
 */
export async function gatherEvidence(
  world: Pick<World, "processorTime">,
  wanted: { readonly data: readonly string[]; readonly texts: readonly string[] },
): Promise<ClientEvidence> {
  const limited = limitParsing(world);
  const data = new Map<string, unknown>();
  const texts = new Set<string>();
  for (const path of wanted.data) {
    const text = textAt(path, MAX_BYTES);
    if (text !== undefined) data.set(path, await parse(path, text, limited));
  }
  for (const path of wanted.texts) {
    const text = textAt(path, MAX_BYTES);
    if (text !== undefined && text.trim() !== "") texts.add(path);
  }
  return { data, texts };
}

async function parse(path: string, text: string, limited: LimitedParse): Promise<unknown> {
  const parseText = path.endsWith(".toml") ? (await import("../lib/toml.ts")).parseToml : parseJsonc;
  const read = limited(() => parseText(withoutBom(text)));
  return read.kind === "data" ? read.data : undefined;
}

export interface CallTimes {
  readonly command: string;
  /** In milliseconds, the shell that runs it included; in the order of the calls. */
  readonly timesMs: readonly number[];
  /** What a call did wrong; undefined where each was answered. */
  readonly problem: string | undefined;
}

const TIMEOUT_MS = 10_000;

const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Calls a hook's command as a client does, by a shell with an event on standard input, in a project of its own that
 * knows the path already.
 *
 * @input  command: one that we wrote ourselves, never a stranger's; eventFor: a call of a tool on a file
 * @output how long each call took, to the first that went wrong
 * @effect processes, one after the other; a temporary directory, gone afterwards, that holds all that they write
 * @error  none
 */
export function timeCalls(
  world: World,
  command: string,
  calls: number,
  eventFor: (directory: string, file: string) => object,
): CallTimes {
  let place: string | undefined;
  try {
    place = disk.realPath(disk.makeTemporary("codelia-doctor-"));
    const project = join(place, "project");
    const file = join(project, "AGENTS.md");
    disk.makeDirectory(join(project, ".git"));
    createFile(file, "# Doctor\n");
    // A trace on standard error is not the hook's fault.
    const env = {
      ...world.env,
      CODELIA_TRACE: undefined,
      XDG_STATE_HOME: join(place, "state"),
      XDG_CACHE_HOME: join(place, "cache"),
    };
    const input = JSON.stringify(eventFor(project, file));
    const call = () => callOnce(world, command, { cwd: project, env, input });
    return { command, ...repeat(call, calls) };
  } catch (error) {
    return { command, timesMs: [], problem: `no temporary directory can be made (${errnoOf(error)})` };
  } finally {
    if (place !== undefined) removeTreeQuietly(place);
  }
}

type Called = { readonly tookMs: number; readonly problem: string | undefined };

/** The first call tells, and is not counted: the others find the path covered. */
function repeat(call: () => Called, calls: number): Pick<CallTimes, "timesMs" | "problem"> {
  const timesMs: number[] = [];
  let { problem } = call();
  while (problem === undefined && timesMs.length < calls) {
    const called = call();
    ({ problem } = called);
    if (problem === undefined) timesMs.push(called.tookMs);
  }
  return { timesMs, problem };
}

function callOnce(
  world: World,
  command: string,
  options: { cwd: string; env: Readonly<Record<string, string | undefined>>; input: string },
): Called {
  const start = world.ticks();
  const { status, signal, stdout, stderr, error } = spawnSync("/bin/sh", ["-c", command], {
    ...options,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const tookMs = world.ticks() - start;
  if (error !== undefined) return { tookMs, problem: `it can't be run (${errnoOf(error)})` };
  const said = stderr.trim().split("\n")[0] ?? "";
  if (status !== 0)
    return { tookMs, problem: `it ended with ${signal ?? `exit code ${status}`}${said && `: ${said}`}` };
  if (said !== "") return { tookMs, problem: `it wrote to standard error: ${said}` };
  return { tookMs, problem: isAnswer(stdout) ? undefined : "what it wrote is no JSON" };
}

function isAnswer(stdout: string): boolean {
  if (stdout.trim() === "") return true;
  try {
    return typeof JSON.parse(stdout) === "object";
  } catch {
    return false;
  }
}
