import { hasPlugin } from "../core/config-layers.ts";
import type { World } from "../world.ts";
import type { Decide } from "./telling.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Gives plugins their say about a reminder at the moment when it is printed: once, whoever else would have said the same.
 *
 * @output `decide` itself, where no plugin has a say in reminders
 * @effect none; those of plugins come with `say`
 * @error  none
 */
export async function decideWithPlugins(world: World, workspace: Workspace, decide: Decide): Promise<Decide> {
  if (!hasPlugin(workspace.layers, world.env, "reminder:before")) return decide;
  const { pluggedReminder } = await import("./plugins/plugged-reminder.ts");
  return (session) => {
    const telling = decide(session);
    const reminder = telling?.reminder;
    if (reminder === undefined) return telling;
    return { ...telling, text: telling?.text ?? "", atLast: () => pluggedReminder(world, workspace, reminder) };
  };
}
