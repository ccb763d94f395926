import type { HostEvent } from "../../core/hooks/host.ts";
import type { World } from "../../world.ts";
import { runHook, type HookSetting } from "./run-hook.ts";

/**
 * `hook:event`: what an event of a host means, as plugins have it.
 *
 * @input  host: its name
 * @output an event of the same kind
 * @effect, @error as `runHook`
 */
export function pluggedEvent(world: World, setting: HookSetting, host: string, event: HostEvent): HostEvent {
  const what = runHook<"hook:event", HostEvent["what"]>(
    world,
    setting,
    "hook:event",
    event.what,
    (current) => ({ host, name: event.name, what: current }),
    (data) => {
      const changed: HostEvent["what"] = data.what;
      return changed.kind === event.what.kind
        ? { state: changed }
        : { reason: `'${event.what.kind}' can't become '${changed.kind}'` };
    },
  );
  return { ...event, what };
}
