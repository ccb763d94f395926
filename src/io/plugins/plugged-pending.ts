import type { Pending } from "../../core/pending.ts";
import type { World } from "../../world.ts";
import { asFileData } from "./file-data.ts";
import { runHook, type HookSetting } from "./run-hook.ts";

/**
 * `agents:pending`: what plugins leave out of what a context is about to be told.
 *
 * @input  pending: all of it, whatever fits into one reminder
 * @output the paths that are not told now
 * @effect, @error as `runHook`
 */
export function leftOutByPlugins(
  world: World,
  setting: HookSetting,
  pending: Pick<Pending, "tell" | "gone">,
): ReadonlySet<string> {
  const kept = runHook(
    world,
    setting,
    "agents:pending",
    pending.tell,
    (tell) => ({ tell: tell.map(asFileData), gone: [...pending.gone] }),
    ({ tell }) => {
      const stranger = tell.find(({ path }) => !pending.tell.some((file) => file.path === path));
      if (stranger !== undefined) return { reason: `'${stranger.path}' was not among what there is to tell` };
      const wanted = new Set(tell.map(({ path }) => path));
      return { state: pending.tell.filter(({ path }) => wanted.has(path)) };
    },
  );
  const keptPaths = new Set(kept.map(({ path }) => path));
  return new Set(pending.tell.map(({ path }) => path).filter((path) => !keptPaths.has(path)));
}
