import type { Invocation, Outcome, Problem } from "../command.ts";
import { readAnswer } from "../core/answer.ts";
import { isSameData } from "../core/config-edit/plan.ts";
import { withoutOwn } from "../core/host-hooks/survey.ts";
import { unifiedDiff } from "../core/unified-diff.ts";
import { readSettings, readSettingsText, writeSettings, type SettingsFile } from "../io/settings-file.ts";
import type { Workspace } from "../io/workspace.ts";
import { renderDiff } from "../render/diff.ts";
import { visible } from "../render/escape.ts";
import type { World } from "../world.ts";
import { chooseTarget, usage, type Target } from "./hook-settings.ts";

/** What a settings file should become; `text` undefined: no file. */
export type NewSettings =
  | { readonly kind: "text"; readonly text: string | undefined }
  | { readonly kind: "problem"; readonly problem: string };

export interface Change {
  readonly verb: "install" | "uninstall";
  decide(text: string | undefined, target: Target): NewSettings;
  /** What its user should know afterwards. */
  notes(text: string | undefined, target: Target): readonly string[];
}

type Usable = Exclude<SettingsFile, { kind: "unusable" }>;

/**
 * Changes a host's settings file, as far as its user agrees.
 *
 * @output the diff with `--dry-run`, what was done under `--json`
 * @effect the settings file; on a terminal the diff and a question on standard error
 * @error  usage; config_unusable for a file that can't be used as it is; denied when the answer is no
 */
export function changeSettings(world: World, workspace: Workspace, invocation: Invocation, change: Change): Outcome {
  const target = chooseTarget(world, workspace, invocation, change.verb);
  if ("code" in target) return target;
  const file = readSettings(target.path, target.within);
  if (file.kind === "unusable") return unusable(target, file.problem);
  const before = file.kind === "file" ? file.text : undefined;
  const decided = change.decide(before, target);
  if (decided.kind === "problem") return unusable(target, decided.problem);
  const after = decided.text;
  if (!keepsOthers(before, after, target.host.name)) {
    return unusable(target, "it is written in a way that only you can change");
  }
  const notes = change.notes(after, target);
  if (before === after) return conclude(world, invocation, target, change, { action: "unchanged", diff: "", notes });
  const diff = unifiedDiff(target.path, { before, after });
  if (invocation.flags["dry-run"] === true) {
    if (invocation.flags["json"] !== true) world.write(renderDiff(diff));
    return conclude(world, invocation, target, change, { action: "would-change", diff, notes });
  }
  const refusal = permit(world, invocation, target, change, diff);
  if (refusal !== undefined) return refusal;
  const written = writeSettings(world, file satisfies Usable, after, target.within);
  if (written.kind === "failed") return unusable(target, written.reason, "can't be changed");
  return conclude(world, invocation, target, change, {
    action: after === undefined ? "removed" : "written",
    diff,
    notes,
  });
}

/** Whatever the editing did: what is not ours says the same as before. */
function keepsOthers(before: string | undefined, after: string | undefined, host: string): boolean {
  const others = (text: string | undefined) => withoutOwn(readSettingsText(text ?? "{}").data, host);
  return isSameData(others(before), others(after));
}

/** Why it may not be written; undefined where it may. */
function permit(
  world: World,
  { flags }: Invocation,
  { path, host }: Target,
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
    `${verb === "install" ? "Install hooks for" : "Uninstall hooks of"} ${host.title} in ${name}? [y]es, [N]o `,
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
  { host, scope, path }: Target,
  { verb }: Change,
  done: Done,
): Outcome {
  if (flags["json"] === true) {
    world.write(`${JSON.stringify({ host: host.name, scope, path, ...done })}\n`);
  } else if (flags["quiet"] !== true) {
    const says = done.action === "unchanged" && verb === "uninstall" ? "has no hooks of codelia" : SAYS[done.action];
    const lines = [`'${path}' ${says}`, ...done.notes];
    world.complain(lines.map((line) => `codelia: ${visible(line)}\n`).join(""));
  }
  return "ok";
}

function unusable({ path }: Target, problem: string, what = "can't be used"): Problem {
  return { code: "config_unusable", message: `'${visible(path)}' ${what}: ${visible(problem)}`, details: { path } };
}
