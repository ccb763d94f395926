import type { Client, ClientEvent } from "../clients/client.ts";
import { permissionRules } from "../skills/permissions.ts";
import { refusalOf, type Refusal, type SkillLoading } from "../skills/loadings.ts";
import { printer } from "../ledger/tell.ts";
import { skillsNamed, skillsReadAt } from "../skills/loadings.ts";
import type { Workspace } from "../workspace.ts";
import { visible } from "../lib/escape.ts";
import { renderPermissionReminder } from "../skills/permissions.ts";
import type { World } from "../world.ts";
import { touchedPaths, type ToolUse } from "./tool-paths.ts";

const MAX_NAME_LENGTH = 64;
const CONFIG_LOST =
  "No skill is loaded while the user's own codelia config can't be used, because it may forbid this one: 'codelia config' says what to repair.\n";

/**
 * Keeps a tool from loading or reading a skill that the permission rules forbid, or has the user asked; judged on the
 * skill that it really is. While the user's own config can't be used, every skill is kept back.
 *
 * @output whether the tool was answered so
 * @effect prints
 * @error  none
 */
export async function refuseSkill(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  use: ToolUse,
): Promise<boolean> {
  if (client.refuse === undefined) return false;
  const loadings = await loadingsOf(world, workspace, client, use);
  if (loadings.length === 0) return false;
  if (workspace.userConfigLost) return world.write(client.refuse(event, CONFIG_LOST));
  const found = refusalOf(permissionRules(workspace.layers), loadings);
  world.trace("skill", { paths: loadings.map(({ path }) => path), decision: found?.decision ?? "allow" });
  if (found === undefined) return false;
  const refusal = { ...found, name: shownName(found.name) };
  const asked = refusal.decision === "confirm" ? client.ask?.(event, question(refusal)) : undefined;
  if (asked !== undefined) return world.write(asked);
  const text = renderPermissionReminder(client.element, refusal);
  const wrap = (whole: string) => client.refuse?.(event, whole);
  const reminder = { type: "permission.decision", text, wrap } as const;
  const print = await printer(world, workspace);
  return print({ text: wrap(text) ?? "", reminder });
}

async function loadingsOf(
  world: World,
  workspace: Workspace,
  { skillTool }: Client,
  use: ToolUse,
): Promise<SkillLoading[]> {
  const named = skillTool?.nameIn(use.tool, use.input);
  if (skillTool !== undefined && named !== undefined) {
    return skillsNamed(world, workspace, named, skillTool.directories(workspace.cwd, world));
  }
  const loadings: SkillLoading[] = [];
  for (const { path, access } of await touchedPaths(world, workspace, use)) {
    if (access === "read") loadings.push(...(await skillsReadAt(world, workspace, path)));
  }
  return loadings;
}

/** What a tool is asked for may have any length: no more of it than a skill's name can have. */
function shownName(name: string): string {
  // A character takes two units at most.
  const start = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH))
    .slice(0, MAX_NAME_LENGTH)
    .join("");
  return start === name ? name : `${start}…`;
}

function question({ name, path, rule }: Refusal): string {
  const place = path === "" ? "" : ` from '${visible(path)}'`;
  return `codelia: load skill '${visible(name)}'${place}? ${visible(rule)} has you asked`;
}
