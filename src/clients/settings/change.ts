import type { ArgsDef } from "citty";
import { OUTPUT_ARGS, PLACE_ARGS, usage } from "../../cli/args.ts";
import type { Invocation, Outcome, Problem } from "../../command.ts";
import { readAnswer } from "../../lib/answer.ts";
import { messageWithLine } from "../../lib/diagnostic.ts";
import { renderDiff, unifiedDiff } from "../../lib/diff.ts";
import { isSameData } from "../../lib/edit/plan.ts";
import { jsonLine, visible } from "../../lib/escape.ts";
import { ownProgram } from "../../lib/programs.ts";
import { anyOf } from "../../lib/text.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { CLIENT_NAMES } from "../registry.ts";
import { expectedHooks, frameOf, type ExpectedHooks } from "./expected.ts";
import { writeSettings, type SettingsFile } from "./file.ts";
import type { Edited } from "./install.ts";
import { SCOPES } from "./model.ts";
import { withoutOwn } from "./survey.ts";
import { chooseTarget, readTargetFile, type Target, type TargetFile } from "./target.ts";
import { readSettingsText } from "./text.ts";

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
  /** What it holds afterwards; undefined: no file. */
  readonly after: string | undefined;
}

/**
 * Changes a client's settings, as far as its user agrees.
 *
 * @output the diff with `--dry-run`, what was done under `--json`
 * @effect the settings files; on a terminal the diff and a question on standard error
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
  const expected = expectedHooks(target.client, target.scope, ownProgram(world));
  const planned: PlannedFile[] = [];
  for (const file of target.files) {
    const plan = planFile(world, target, expected, change, file);
    if ("code" in plan) return plan;
    planned.push(plan);
  }
  const notes = change.notes(planned, target, expected);
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
  const refusal = askToWrite(world, invocation, target, change, diff);
  if (refusal !== undefined) return refusal;
  const { layout } = target.client;
  const mode = layout.kind === "scripts" ? layout.mode : undefined;
  for (const { file, after } of changed) {
    const written = writeSettings(world, file, after, { within: target.within, mode });
    if (written.kind === "failed") return unusable(file.path, written.reason, "can't be changed");
  }
  return report(changed.every(({ after }) => after === undefined) ? "removed" : "written", diff);
}

function planFile(
  world: World,
  target: Target,
  expected: ExpectedHooks,
  change: Change,
  { path, event }: TargetFile,
): PlannedFile | Problem {
  const file = readTargetFile(world, target, path, event);
  if (file.kind === "unusable") return unusable(path, messageWithLine(file.problem));
  const before = file.kind === "file" ? file.text : undefined;
  const edited = change.edit(before, expected, event);
  if (edited.kind === "problem") return unusable(path, edited.problem);
  const after = edited.text;
  return event !== undefined || keepsOthers(before, after, expected)
    ? { file, event, before, after }
    : unusable(path, "it is written in a way that only you can change");
}

/** Whatever the editing did: what is not ours says the same as before. */
function keepsOthers(before: string | undefined, after: string | undefined, expected: ExpectedHooks): boolean {
  const others = (text: string | undefined) =>
    withoutOwn(text === undefined ? frameOf(expected.layout) : readSettingsText(text).data, expected.client);
  return isSameData(others(before), others(after));
}

/** Why it may not be written; undefined where it may. */
function askToWrite(
  world: World,
  { flags }: Invocation,
  { path, client }: Target,
  { verb }: Change,
  diff: string,
): Problem | undefined {
  if (flags["yes"] === true) return undefined;
  const name = visible(path);
  if (flags["json"] === true || !world.isTerminal("stdin") || !world.isTerminal("stderr")) {
    return usage(`'${name}' is not changed: not a terminal; pass '--yes' to write, '--dry-run' to see the diff`);
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

type Action = "written" | "removed" | "unchanged" | "would-change";

function reportChange(
  world: World,
  { flags }: Invocation,
  { client, scope, path }: Target,
  { verb }: Change,
  done: { readonly action: Action; readonly diff: string; readonly notes: readonly string[] },
): void {
  if (flags["json"] === true) {
    world.write(jsonLine({ host: client.name, scope, path, ...done }));
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
