import type { Problem } from "../command.ts";
import { readAnswer, type Answer } from "../lib/answer.ts";
import { judgeSkill, permissionRules } from "./permissions.ts";
import { disabledBy } from "./disabled.ts";
import type { Skill } from "./skill.ts";
import { fold } from "./tokens.ts";
import type { Workspace } from "../workspace.ts";
import { visible } from "../lib/escape.ts";
import { renderPermissionReminder } from "./permission-reminder.ts";

import type { World } from "../world.ts";

export interface Asking {
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * Whether the rules let a skill be loaded; judged on the skill itself, whatever it was called by. At a terminal the
 * user is asked where a rule says so.
 *
 * @output undefined when it may be loaded, else why not
 * @effect a reminder on standard output when it may not; a question; the user's config, when it is answered with "always"
 * @error  denied
 */
export async function permitSkill(
  world: World,
  workspace: Workspace,
  skill: Skill,
  asking: Asking,
): Promise<Problem | undefined> {
  const { name, path, scope } = skill;
  const source = disabledBy(workspace.layers, name);
  if (source !== undefined) {
    const why = `is disabled; take its name out of 'skills.disabled' in '${visible(source)}' to load it`;
    return denied(skill, why, { disabledBy: source });
  }
  const { decision, rule } = judgeSkill(permissionRules(workspace.layers), { name, scope });
  if (decision === "allow" || rule === undefined) return undefined;
  world.trace("permission", { skill: path, decision, rule });
  if (decision === "confirm" && !asking.json && world.isTerminal("stdin") && world.isTerminal("stderr")) {
    const answer = ask(world, skill);
    if (answer === "always") await remember(world, workspace, name, asking);
    return answer === "no" ? denied(skill, "is not loaded: the answer was no", { decision, rule }) : undefined;
  }
  if (!asking.json) world.write(renderPermissionReminder("system-reminder", { name, path, decision, rule }));
  const why =
    decision === "deny"
      ? `is not loaded: denied by ${visible(rule)}`
      : `is not loaded: ${visible(rule)} has the user asked, and that needs a terminal`;
  return denied(skill, why, { decision, rule });
}

function ask(world: World, { name, path }: Skill): Answer {
  world.complain(`Load skill '${visible(name)}' from ${visible(path)}? [y]es once, [a]lways, [N]o `);
  const line = world.readLine();
  if (line === undefined) world.complain("\n");
  return readAnswer(line);
}

/** What can't be remembered is allowed once all the same: the answer was given. */
async function remember(world: World, { places }: Workspace, name: string, { quiet }: Asking): Promise<void> {
  const { editConfigList } = await import("../config/edit.ts");
  const rule = { tool: "skill_load", skill_name: fold(name) };
  const place = { directories: places.config };
  const edited = await editConfigList(world, place, { path: ["permissions", "allow"], add: rule });
  if (edited.kind === "failed") {
    world.warn(`the answer can't be remembered: config '${edited.path}' can't be changed: ${edited.reason}`);
  } else if (!quiet) {
    world.complain(`codelia: 'permissions.allow' in '${visible(edited.path)}' has skill '${visible(name)}' now\n`);
  }
}

function denied({ name, path }: Skill, why: string, details: Readonly<Record<string, string>>): Problem {
  return { code: "denied", message: `skill '${visible(name)}' ${why}`, details: { skill: name, path, ...details } };
}
