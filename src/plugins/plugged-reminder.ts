import type { World } from "../world.ts";
import type { Reminder } from "../ledger/telling.ts";
import { runHook, type HookSetting } from "./run-hook.ts";

/**
 * `reminder:before`: a reminder right before it is printed, as plugins have it.
 *
 * @output what is printed of it
 * @effect, @error as `runHook`
 */
export function pluggedReminder(world: World, setting: HookSetting, { type, text, wrap }: Reminder): string {
  const plain = wrap(text) ?? "";
  return runHook(
    world,
    setting,
    "reminder:before",
    { text, wrapped: plain },
    (current) => ({ type, text: current.text }),
    ({ text: changed }) => {
      const wrapped = wrap(changed);
      return wrapped === undefined
        ? { reason: "the host takes no text of that length" }
        : { state: { text: changed, wrapped } };
    },
  ).wrapped;
}
