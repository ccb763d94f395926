import type { ArgsDef } from "citty";
import { OUTPUT_ARGS, PLACE_ARGS, usage } from "../../cli/args.ts";
import type { Invocation, Outcome, Problem } from "../../command.ts";
import { readAnswer } from "../../lib/answer.ts";
import { messageWithLine } from "../../lib/diagnostic.ts";
import { renderDiff, unifiedDiff } from "../../lib/diff.ts";
import { isSameData } from "../../lib/edit/plan.ts";
import { jsonLine, visible } from "../../lib/escape.ts";
import { ownProgram } from "../../lib/programs.ts";
import { anyOf } from "../../lib/words.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { clientNames } from "../registry.ts";
import { chooseChannel, explainChannel, type ChosenChannel } from "./channel.ts";
import { settingsData } from "./data.ts";
import { expectedHooks, frameOf, type ExpectedHooks } from "./expected.ts";
import { writeSettings, type SettingsFile } from "./file.ts";
import { uninstall, type Edited } from "./install.ts";
import { forgetMended, keepMended, mendedText, putBack, takeOut, type Mended } from "./mend.ts";
import { SCOPES, type ChannelSetting, type ClientSettings, type Companion } from "./model.ts";
import { withoutOwn } from "./survey.ts";
import { chooseTarget, placesOf, readTargetFile, type Target, type TargetFile } from "./target.ts";

/** The flags of `install` and `uninstall`. */
export const CHANGE_ARGS = {
  client: { type: "positional", valueHint: "CLIENT", description: `whose settings: ${anyOf(clientNames())}` },
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

export interface Change {
  readonly verb: "install" | "uninstall";
  edit(text: string | undefined, expected: ExpectedHooks, event: string | undefined): Edited;
  /** What its user should know afterwards. */
  notes(files: readonly PlannedFile[], target: Target, expected: ExpectedHooks): readonly string[];
}

export interface PlannedFile {
  readonly event: string | undefined;
  readonly file: Exclude<SettingsFile, { kind: "unusable" }>;
  readonly before: string | undefined;
  /** Its content afterwards; undefined: no file. */
  readonly after: string | undefined;
  /** It is a companion of the settings. */
  readonly companion?: Companion;
  /** What the client refuses is taken out of it (`install`), or put back (`uninstall`). */
  readonly mended?: Mended;
}

/**
 * Changes a client's settings, as far as the user agrees.
 *
 * @output the diff with `--dry-run`, what was done under `--json`
 * @effect the settings files; on a terminal the diff and a question on standard error
 * @error  usage; config_unusable for a file that can't be used as it is; denied if the answer is no
 */
export async function changeSettings(
  world: World,
  workspace: Workspace,
  invocation: Invocation,
  change: Change,
): Promise<Outcome> {
  const target = await chooseTarget(world, workspace, invocation, change.verb);
  if ("code" in target) return target;
  const chosen =
    change.verb === "install"
      ? chooseChannel(world, target.client, target.scope, placesOf(world, workspace), invocation)
      : ({ channel: "command" } as const);
  if ("code" in chosen) return chosen;
  const expected = expectedHooks(target.client, target.scope, ownProgram(world), chosen.channel);
  const words = target.scope === "project" ? ["codelia"] : ownProgram(world);
  const setting = change.verb === "install" ? { channel: chosen.channel, words, hooks: expected } : undefined;
  const directory = target.client.plugin?.directory(target.scope, placesOf(world, workspace));
  const planned: PlannedFile[] = [];
  for (const file of target.files) {
    const edit = (text: string | undefined) => editFile(target, change.edit, expected, setting, directory, file, text);
    const mended = change.verb === "install" ? mendedText(world, invocation, target, file) : undefined;
    const plan = planFile(world, target, expected, file, setting, edit, mended);
    if (plan === undefined) continue;
    if ("code" in plan) return plan;
    if (change.verb === "uninstall") {
      planned.push(putBack(workspace.userDirectories, plan));
      continue;
    }
    const plain = expectedHooks(target.client, target.scope, ownProgram(world), "command");
    const bare = (text: string | undefined) => editFile(target, uninstall, plain, undefined, directory, file, text);
    planned.push(mended === undefined ? plan : takeOut(plan, bare));
  }
  const summary = change.verb === "install" ? summaryOf(target, chosen) : [];
  // By now the user has read it.
  const said = invocation.flags["yes"] === true ? summary : [];
  const notes = [...said, ...change.notes(planned, target, expected)];
  const report = (action: Action, diff: string): Outcome => {
    reportChange(world, invocation, target, change, { action, diff, notes });
    return "ok";
  };
  const changed = planned.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return report("unchanged", "");
  const diff = changed.map(({ file: { path }, before, after }) => unifiedDiff(path, { before, after })).join("");
  if (invocation.flags["dry-run"] === true) {
    if (invocation.flags["json"] !== true) world.write(renderDiff(diff));
    return report("would-change", diff);
  }
  const refusal = askToWrite(world, invocation, target, change, { diff, summary });
  if (refusal !== undefined) return refusal;
  const { layout } = target.client;
  const mode = layout.kind === "scripts" ? layout.mode : undefined;
  for (const { file, after, companion, mended } of inOrder(changed)) {
    const within = companion?.isUsers ? undefined : target.within;
    const kept = change.verb === "install" ? keepMended(world, workspace.userDirectories, mended) : undefined;
    if (kept !== undefined) return unusable(file.path, kept, "can't be changed");
    const written = writeSettings(world, file, after, { within, mode, hasOwnBom: mended !== undefined });
    if (written.kind === "failed") return unusable(file.path, written.reason, "can't be changed");
    if (change.verb === "uninstall") forgetMended(workspace.userDirectories, mended);
  }
  return report(changed.every(({ after }) => after === undefined) ? "removed" : "written", diff);
}

/** Files that the settings name are written before them and removed after them. */
function inOrder(planned: readonly PlannedFile[]): readonly PlannedFile[] {
  const isFirst = ({ companion, after }: PlannedFile) => companion !== undefined && after !== undefined;
  return [...planned.filter(isFirst), ...planned.filter((plan) => !isFirst(plan))];
}

function planFile(
  world: World,
  target: Target,
  expected: ExpectedHooks,
  targetFile: TargetFile,
  setting: ChannelSetting | undefined,
  edit: (text: string | undefined) => Edited,
  mended: { readonly from: string; readonly text: string } | undefined,
): PlannedFile | Problem | undefined {
  const { path, event, companion } = targetFile;
  const needsIt = companion !== undefined && setting !== undefined && setting.channel !== "command";
  const file = readTargetFile(world, target, targetFile);
  if (file.kind === "unusable") {
    return companion && !needsIt ? undefined : unusable(path, messageWithLine(file.problem));
  }
  const before = file.kind === "file" ? (mended?.text ?? file.text) : undefined;
  if (mended !== undefined && file.kind === "file" && file.text !== mended.from) {
    return unusable(path, "it has just changed; look again", "can't be changed");
  }
  const edited = edit(before);
  if (edited.kind === "problem") {
    // A companion that can't be read contains nothing of ours.
    return companion?.isOurs(before) === false && !needsIt ? undefined : unusable(path, edited.problem);
  }
  const after = edited.text;
  if (companion !== undefined) return { file, event, before, after, companion };
  return event !== undefined || keepsOthers(before, after, expected, target.client)
    ? { file, event, before, after }
    : unusable(path, "it is written in a way that only you can change");
}

/** The text of one file as the channel needs it. */
function editFile(
  { client }: Target,
  editHooks: Change["edit"],
  expected: ExpectedHooks,
  setting: ChannelSetting | undefined,
  directory: string | undefined,
  { event, companion }: TargetFile,
  text: string | undefined,
): Edited {
  if (companion !== undefined) return companion.edit(text, setting);
  const { plugin } = client;
  if (plugin === undefined || directory === undefined) return editHooks(text, expected, event);
  const isPlugged = setting !== undefined && plugin.channels.includes(setting.channel);
  const unplugged = isPlugged ? ({ kind: "text", text } as const) : plugin.remove(text, directory);
  if (unplugged.kind === "problem") return unplugged;
  // The plugin has the hooks, so none of ours stay in the settings.
  const edited = isPlugged ? uninstall(unplugged.text, expected, event) : editHooks(unplugged.text, expected, event);
  return edited.kind === "problem" || !isPlugged ? edited : plugin.add(edited.text, directory);
}

/** A safeguard: whatever the edit did, everything that is not ours has the same data as before. */
function keepsOthers(
  before: string | undefined,
  after: string | undefined,
  expected: ExpectedHooks,
  { plugin }: ClientSettings,
): boolean {
  const others = (text: string | undefined) => {
    const data = withoutOwn(
      text === undefined ? frameOf(expected.layout) : settingsData(text, expected.layout),
      expected.client,
    );
    return plugin === undefined ? data : plugin.without(data);
  };
  return isSameData(others(before), others(after));
}

/** Why it may not be written; undefined if it may. */
function askToWrite(
  world: World,
  { flags }: Invocation,
  { path, client }: Target,
  { verb }: Change,
  { diff, summary }: { readonly diff: string; readonly summary: readonly string[] },
): Problem | undefined {
  if (flags["yes"] === true) return undefined;
  const name = visible(path);
  if (flags["json"] === true || !world.isTerminal("stdin") || !world.isTerminal("stderr")) {
    return usage(`'${name}' is not changed: not a terminal; pass '--yes' to write, '--dry-run' to see the diff`);
  }
  const title = verb === "install" ? `Install hooks for ${client.title} in` : `Uninstall hooks of ${client.title} in`;
  const lines = [`${title} ${name}`, ...summary.map((line) => `  ${line}`)];
  world.complain(lines.map((line) => `${visible(line)}\n`).join(""));
  for (;;) {
    world.complain("Write it? [y]es, [d]iff, [N]o ");
    const line = world.readLine();
    if (line === undefined) world.complain("\n");
    if (/^\s*d(?:iff)?\s*$/i.test(line ?? "")) {
      world.complain(renderDiff(diff));
      continue;
    }
    if (readAnswer(line) === "once") return undefined;
    return { code: "denied", message: `'${name}' is not changed: the answer was no`, details: { path } };
  }
}

/** What was done, and how to undo it. */
function summaryOf({ client, scope }: Target, chosen: ChosenChannel): string[] {
  const [first = "", ...rest] = explainChannel(chosen, client);
  return [
    chosen.version === undefined ? first : `${client.title} ${chosen.version}: ${first}`,
    ...rest,
    `start a new session of ${client.title}: one that is running goes on without them`,
    `'codelia uninstall ${client.name} --scope ${scope}' undoes it`,
  ];
}

type Action = "written" | "removed" | "unchanged" | "would-change";

function reportChange(
  world: World,
  { flags }: Invocation,
  { client, scope, path }: Target,
  { verb }: Change,
  done: { readonly action: Action; readonly diff: string; readonly notes: readonly string[] },
): void {
  if (flags["json"] === true) {
    world.write(jsonLine({ client: client.name, host: client.name, scope, path, ...done }));
    return;
  }
  if (flags["quiet"] === true) return;
  const lines = [sentenceOf(done.action, path, verb), ...done.notes];
  world.complain(lines.map((line) => `codelia: ${visible(line)}\n`).join(""));
}

function sentenceOf(action: Action, path: string, verb: Change["verb"]): string {
  switch (action) {
    case "written":
      return `wrote '${path}'`;
    case "removed":
      return `removed '${path}': nothing else was in it`;
    case "unchanged":
      return verb === "install" ? `'${path}' is up to date` : `'${path}' has no hooks of codelia`;
    case "would-change":
      return `would change '${path}'`;
  }
}

function unusable(path: string, problem: string, what = "can't be used"): Problem {
  return { code: "config_unusable", message: `'${visible(path)}' ${what}: ${visible(problem)}`, details: { path } };
}
