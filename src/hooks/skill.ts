import { basename, dirname } from "node:path";
import type { Client, ClientEvent, Touch } from "../clients/client.ts";
import type { Occasion } from "../instructions/tell.ts";
import { findContext } from "../ledger/contexts.ts";
import type { Session } from "../ledger/schema.ts";
import { printer } from "../ledger/tell.ts";
import { visible } from "../lib/escape.ts";
import {
  disabledLoad,
  disabledNames,
  refusalOf,
  type Refusal,
  type ToolLoad,
  permissionRules,
} from "../skills/permissions.ts";
import { skillsNamed, skillsReadAt } from "../skills/tool-loads.ts";
import { renderPermissionReminder } from "../skills/render.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { touchedPaths, type ToolUse } from "./tool-paths.ts";

const MAX_NAME_LENGTH = 64;
const CONFIG_LOST =
  "No skill is loaded while a codelia config can't be used, because it may forbid this one: run 'codelia config' to see what to repair.\n";

/**
 * Denies a tool a skill that the permission rules forbid, or asks the user to confirm it. What is only turned off
 * (`skills.disabled`) is denied to the client's own tool for skills, and its files may be read: whoever writes a skill may
 * turn it off meanwhile. While a config can't be used, every skill is denied.
 *
 * @output whether the tool was denied or the user is asked
 * @effect prints
 */
export async function refuseSkill(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  use: ToolUse,
): Promise<boolean> {
  if (client.refuse === undefined) return false;
  const named = client.skillTool?.nameIn(use.tool, use.input);
  const loadings = await loadingsOf(world, workspace, client, use, named);
  if (loadings.length === 0) return false;
  if (workspace.lostConfig !== undefined) return world.write(client.refuse(event, CONFIG_LOST));
  const disabled = named === undefined ? undefined : disabledLoad(workspace.layers, loadings);
  const found = disabled ?? refusalOf(permissionRules(workspace.layers), loadings);
  world.trace("skill", { paths: loadings.map(({ path }) => path), decision: found?.decision ?? "allow" });
  if (found === undefined) return false;
  const refusal = { ...found, name: shortName(found.name) };
  const confirmation = refusal.decision === "confirm" ? client.ask?.(event, question(refusal)) : undefined;
  if (confirmation !== undefined) return world.write(confirmation);
  const text = renderPermissionReminder(client.element, refusal);
  const wrap = (whole: string) => client.refuse?.(event, whole);
  const reminder = { type: "permission.decision", text, wrap } as const;
  const print = await printer(world, workspace);
  return print({ text: wrap(text) ?? "", reminder });
}

/**
 * Reads the skills of directories that touches bring within reach; what it returns announces them, except those that the
 * client itself lists with the touches.
 */
export async function findNearby(
  world: World,
  workspace: Workspace,
  client: Client,
  places: readonly string[],
  session: Session | undefined,
  touches: readonly Touch[],
): Promise<Occasion["nearby"]> {
  if (places.length === 0) return undefined;
  const [{ announceSkills, gatherNearby }, { listedBelow, nativelyListed }] = await Promise.all([
    import("../skills/nearby.ts"),
    import("../clients/native-load.ts"),
  ]);
  const cwd = session?.cwd ?? workspace.cwd;
  const { now, later } = await listedBelow(world, { ...workspace, cwd }, client, places, touches);
  const start = findContext(session, workspace.key.context).delivery?.cwd ?? cwd;
  const nearby = await gatherNearby(world, workspace, places, start, async (skills) => {
    const listed = await nativelyListed(world, { ...workspace, cwd }, client, skills);
    return new Set([...listed, ...now, ...later.values()]);
  });
  const isDisabled = disabledNames(workspace.settings.skills.disabled);
  const unlisted = [...later.keys()].toSorted().filter((path) => !isDisabled(basename(dirname(path))));
  return (asked, fits) => announceSkills({ ...nearby, later: unlisted }, asked, fits);
}

async function loadingsOf(
  world: World,
  workspace: Workspace,
  { skillTool }: Client,
  use: ToolUse,
  named: string | undefined,
): Promise<ToolLoad[]> {
  if (skillTool !== undefined && named !== undefined) {
    return skillsNamed(world, workspace, named, skillTool.directories(workspace.cwd, world));
  }
  const loadings: ToolLoad[] = [];
  for (const { path, access } of await touchedPaths(world, workspace, use)) {
    if (access === "read") loadings.push(...(await skillsReadAt(world, workspace, path)));
  }
  return loadings;
}

/** Cuts a name to the longest that a skill can have: a tool's input may have any length. */
function shortName(name: string): string {
  // A character takes at most two UTF-16 units.
  const start = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH)).slice(0, MAX_NAME_LENGTH);
  const short = start.join("");
  return short === name ? name : `${short}…`;
}

function question({ name, path, rule }: Refusal): string {
  const source = path === "" ? "" : ` from '${visible(path)}'`;
  return `codelia: load skill '${visible(name)}'${source}? ${visible(rule)} asks you to confirm`;
}
