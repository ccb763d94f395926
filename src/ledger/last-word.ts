import { hasPlugin } from "../config/config-layers.ts";
import type { World } from "../world.ts";
import type { Telling } from "./telling.ts";
import type { Workspace } from "../workspace.ts";

/**
 * What plugins make of a reminder at the moment when it is printed: once, whoever else would have said the same.
 *
 * @output undefined where no plugin has a say in reminders, at once: most have none
 * @effect none; those of plugins come when it is asked
 * @error  none
 */
export function lastWord(world: World, workspace: Workspace): Promise<Telling["atLast"]> | undefined {
  return hasPlugin(workspace.layers, world.env, "reminder:before") ? ofPlugins(world, workspace) : undefined;
}

async function ofPlugins(world: World, workspace: Workspace): Promise<Telling["atLast"]> {
  const { pluggedReminder } = await import("../plugins/plugged-reminder.ts");
  return (reminder) => pluggedReminder(world, workspace, reminder);
}
