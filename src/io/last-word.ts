import { hasPlugin } from "../core/config-layers.ts";
import type { World } from "../world.ts";
import type { Telling } from "./telling.ts";
import type { Workspace } from "./workspace.ts";

/**
 * What plugins make of a reminder at the moment when it is printed: once, whoever else would have said the same.
 *
 * @output undefined where no plugin has a say in reminders
 * @effect none; those of plugins come when it is asked
 * @error  none
 */
export async function lastWord(world: World, workspace: Workspace): Promise<Telling["atLast"]> {
  if (!hasPlugin(workspace.layers, world.env, "reminder:before")) return undefined;
  const { pluggedReminder } = await import("./plugins/plugged-reminder.ts");
  return (reminder) => pluggedReminder(world, workspace, reminder);
}
