import type { PlacedEvent } from "../clients/host.ts";
import type { World } from "../world.ts";
import { runHook, type HookSetting } from "./run-hook.ts";

/**
 * `hook:event`: what an event of a host means, as plugins have it.
 *
 * @input  host, name: the host, and what it calls the event
 * @output a meaning of the same kind
 * @effect, @error as `runHook`
 */
export function pluggedEvent(
  world: World,
  setting: HookSetting,
  host: string,
  name: string,
  what: PlacedEvent,
): PlacedEvent {
  return runHook<"hook:event", PlacedEvent>(
    world,
    setting,
    "hook:event",
    what,
    (current) => ({ host, name, what: current }),
    ({ what: changed }) => {
      if (changed.kind !== what.kind) return { reason: `'${what.kind}' can't become '${changed.kind}'` };
      // What it does not give back stays as it was.
      return { state: { ...what, ...changed } as PlacedEvent };
    },
  );
}
