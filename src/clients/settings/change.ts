import type { ArgsDef } from "citty";
import { join } from "node:path";
import { OUTPUT_ARGS, PLACE_ARGS, textFlag, usage } from "../../cli/args.ts";
import type { Invocation, Outcome, Problem } from "../../command.ts";
import { messageWithLine } from "../../lib/diagnostic.ts";
import { readAnswer } from "../../lib/answer.ts";
import { unifiedDiff, renderDiff } from "../../lib/diff.ts";
import { isSameData } from "../../lib/edit/plan.ts";
import { jsonLine, visible } from "../../lib/escape.ts";
import { anyOf } from "../../lib/text.ts";
import { isSamePlace } from "../../lib/path-facts.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { unknownClient } from "../choose.ts";
import { CLIENT_NAMES, loadSettings } from "../registry.ts";
import { readSettings, readSettingsText, writeSettings, type SettingsFile } from "./file.ts";
import { SCOPES, type ClientSettings, type ClientPlaces, type Scope } from "./model.ts";
import { withoutOwn, frameOf } from "./survey.ts";

/** What a settings file should become; `text` undefined: no file. */
export type NewSettings =
  | { readonly kind: "text"; readonly text: string | undefined }
  | { readonly kind: "problem"; readonly problem: string };

export interface Change {
  readonly verb: "install" | "uninstall";
  decide(text: string | undefined, target: Target, event: string | undefined): NewSettings;
  /** What its user should know afterwards. */
  notes(files: readonly ChangedFile[], target: Target): readonly string[];
}

export interface ChangedFile {
  readonly event: string | undefined;
  /** What it holds afterwards. */
  readonly after: string | undefined;
}

interface PlannedFile extends ChangedFile {
  readonly file: Exclude<SettingsFile, { kind: "unusable" }>;
  readonly before: string | undefined;
}

/**
 * Changes a client's settings file, as far as its user agrees.
 *
 * @output the diff with `--dry-run`, what was done under `--json`
 * @effect the settings file; on a terminal the diff and a question on standard error
 * @error  usage; config_unusable for a file that can't be used as it is; denied when the answer is no
 */
export async function changeSettings(
  world: World,
  workspace: Workspace,
  invocation: Invocation,
  change: Change,
): Promise<Outcome> {
  const target = await chooseTarget(world, workspace, invocation, change.verb);
  if ("code" in target) return target;
  const planned: PlannedFile[] = [];
  for (const { path, event } of target.files) {
    const plan = planFile(world, target, change, path, event);
    if ("code" in plan) return plan;
    planned.push(plan);
  }
  const notes = change.notes(planned, target);
  const changed = planned.filter(({ before, after }) => before !== after);
  if (changed.length === 0) {
    return conclude(world, invocation, target, change, { action: "unchanged", diff: "", notes });
  }
  const diff = changed.map(({ file: { path }, before, after }) => unifiedDiff(path, { before, after })).join("");
  if (invocation.flags["dry-run"] === true) {
    if (invocation.flags["json"] !== true) world.write(renderDiff(diff));
    return conclude(world, invocation, target, change, { action: "would-change", diff, notes });
  }
  const refusal = permit(world, invocation, target, change, diff);
  if (refusal !== undefined) return refusal;
  const { layout } = target.client;
  const mode = layout.kind === "scripts" ? layout.mode : undefined;
  for (const { file, after } of changed) {
    const written = writeSettings(world, file, after, { within: target.within, mode });
    if (written.kind === "failed") return unusable(file.path, written.reason, "can't be changed");
  }
  const isGone = changed.every(({ after }) => after === undefined);
  return conclude(world, invocation, target, change, { action: isGone ? "removed" : "written", diff, notes });
}

function planFile(
  world: World,
  target: Target,
  change: Change,
  path: string,
  event: string | undefined,
): PlannedFile | Problem {
  const file = readSettings(world, path, target.within, event === undefined ? "json" : "any");
  if (file.kind === "unusable") return unusable(path, messageWithLine(file.problem));
  const before = file.kind === "file" ? file.text : undefined;
  const decided = change.decide(before, target, event);
  if (decided.kind === "problem") return unusable(path, decided.problem);
  const after = decided.text;
  return event !== undefined || keepsOthers(before, after, target.client)
    ? { file, event, before, after }
    : unusable(path, "it is written in a way that only you can change");
}

/** Whatever the editing did: what is not ours says the same as before. */
function keepsOthers(before: string | undefined, after: string | undefined, { name, layout }: ClientSettings): boolean {
  const others = (text: string | undefined) =>
    withoutOwn(text === undefined ? frameOf(layout) : readSettingsText(text).data, name);
  return isSameData(others(before), others(after));
}

/** Why it may not be written; undefined where it may. */
function permit(
  world: World,
  { flags }: Invocation,
  { path, client }: Target,
  { verb }: Change,
  diff: string,
): Problem | undefined {
  if (flags["yes"] === true) return undefined;
  const name = visible(path);
  if (flags["json"] === true || !world.isTerminal("stdin") || !world.isTerminal("stderr")) {
    return usage(
      `'${name}' is not changed: nobody can be asked here; '--yes' writes without asking, '--dry-run' shows the diff`,
    );
  }
  world.complain(renderDiff(diff));
  world.complain(
    `${verb === "install" ? "Install hooks for" : "Uninstall hooks of"} ${client.title} in ${name}? [y]es, [N]o `,
  );
  const line = world.readLine();
  if (line === undefined) world.complain("\n");
  if (readAnswer(line) === "once") return undefined;
  return { code: "denied", message: `'${name}' is not changed: the answer was no`, details: { path } };
}

interface Done {
  readonly action: "written" | "removed" | "unchanged" | "would-change";
  readonly diff: string;
  readonly notes: readonly string[];
}

const SAYS: Readonly<Record<Done["action"], string>> = {
  written: "is written",
  removed: "is removed: nothing else was in it",
  unchanged: "is as it should be",
  "would-change": "would be changed",
};

function conclude(
  world: World,
  { flags }: Invocation,
  { client, scope, path }: Target,
  { verb }: Change,
  done: Done,
): Outcome {
  if (flags["json"] === true) {
    world.write(jsonLine({ host: client.name, scope, path, ...done }));
  } else if (flags["quiet"] !== true) {
    const says = done.action === "unchanged" && verb === "uninstall" ? "has no hooks of codelia" : SAYS[done.action];
    const lines = [`'${path}' ${says}`, ...done.notes];
    world.complain(lines.map((line) => `codelia: ${visible(line)}\n`).join(""));
  }
  return "ok";
}

function unusable(path: string, problem: string, what = "can't be used"): Problem {
  return { code: "config_unusable", message: `'${visible(path)}' ${what}: ${visible(problem)}`, details: { path } };
}

/** The flags of `install` and `uninstall`. */
export const CHANGE_ARGS = {
  client: { type: "positional", valueHint: "CLIENT", description: `whose settings: ${anyOf(CLIENT_NAMES)}` },
  scope: {
    type: "enum",
    options: [...SCOPES],
    valueHint: "SCOPE",
    description: "local: you in this project; project: all who work on it; user: you everywhere",
  },
  yes: { type: "boolean", alias: "y", description: "write without asking" },
  "dry-run": { type: "boolean", description: "print the diff, and write nothing" },
  ...PLACE_ARGS,
  ...OUTPUT_ARGS,
} as const satisfies ArgsDef;

/** Where a client's hooks stand at one scope. */
export interface Target {
  readonly client: ClientSettings;
  readonly scope: Scope;
  /** As it is shown: the file, or the directory of several. */
  readonly path: string;
  readonly files: readonly TargetFile[];
  /** Where the file must be; undefined where it is the user's own. */
  readonly within: string | undefined;
}

export interface TargetFile {
  readonly path: string;
  /** Whose script it is; undefined for a file that holds all events. */
  readonly event: string | undefined;
}

/** What a command line names. */
async function chooseTarget(
  world: World,
  workspace: Workspace,
  { flags, operands }: Invocation,
  verb: string,
): Promise<Target | Problem> {
  const [name] = operands;
  if (name === undefined) return usage(`'codelia ${verb}' needs a client: ${anyOf(CLIENT_NAMES)}`);
  const client = (await loadSettings()).find((each) => each.name === name);
  if (client === undefined) return usage(unknownClient(name, CLIENT_NAMES));
  const scope = (textFlag(flags["scope"]) as Scope | undefined) ?? client.scopes[0] ?? "user";
  if (!client.scopes.includes(scope)) {
    return usage(`'--scope' can't be '${scope}' for ${client.name}; one of ${client.scopes.join(", ")}`);
  }
  if (scope === "user" && world.home === "") return usage("there is no home directory: set HOME");
  const target = targetOf(client, scope, placesOf(world, workspace));
  if (scope !== "user" && isUsersOwn(world, workspace)) {
    return usage(`the root '${visible(workspace.root.directory)}' is your home directory; use '--scope user'`);
  }
  return target;
}

export function targetOf(client: ClientSettings, scope: Scope, places: ClientPlaces): Target {
  const path = client.settingsFile(scope, places);
  const files =
    client.layout.kind === "scripts"
      ? client.events.map(({ name }) => ({ path: join(path, name), event: name }))
      : [{ path, event: undefined }];
  return { client, scope, path, files, within: scope === "user" ? undefined : places.root };
}

export function placesOf(world: World, { cwd, root }: Workspace): ClientPlaces {
  return { cwd, root: root.directory, home: world.home, env: world.env };
}

/** Where the root is the home directory, the project's files would be the user's own. */
export function isUsersOwn(world: World, { root }: Workspace): boolean {
  return world.home !== "" && isSamePlace(root.directory, world.home);
}
