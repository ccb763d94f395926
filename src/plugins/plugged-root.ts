import { isAbsolute, resolve } from "node:path";
import type { Root } from "../instructions/root.ts";
import type { World } from "../world.ts";
import { isDirectory } from "../lib/is-directory.ts";
import { runHook, type HookSetting } from "./run-hook.ts";

/**
 * `root:resolved`: the root as plugins have it.
 *
 * @output another directory that exists, or the same root
 * @effect, @error as `runHook`
 */
export function pluggedRoot(world: World, setting: HookSetting): Root {
  return runHook(
    world,
    setting,
    "root:resolved",
    setting.root,
    ({ directory, reason }) => ({ directory, reason }),
    ({ directory }) => {
      if (directory === setting.root.directory) return { state: setting.root };
      if (!isAbsolute(directory) || !isDirectory(directory)) return { reason: `'${directory}' is no directory` };
      return { state: { directory: resolve(directory), reason: "plugin" } };
    },
  );
}
