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
      const { kind } = event.what;
      if (data.what.kind !== kind) return { reason: `'${kind}' can't become '${data.what.kind}'` };
      // What it does not give back stays as it was.
      return { state: { ...event.what, ...data.what } as HostEvent["what"] };
    },
  );
  return { ...event, what };
}
