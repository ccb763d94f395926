import { findContext } from "../ledger/ledger.ts";
import { decidePending, without, type Applying, type LazyFacts, type Pending } from "../instructions/pending.ts";
import type { Session } from "../ledger/schema.ts";
import type { World } from "../world.ts";
import { asFileData } from "./file-data.ts";
import { runHook, type HookSetting } from "./run-hook.ts";

/**
 * `agents:pending`: what a context is about to be told, as plugins have it.
 *
 * @input  applying, session, facts: as for `decidePending`
 * @output what applies, without what is not told now
 * @effect, @error as `runHook`
 */
export function pluggedPending(
  world: World,
  setting: HookSetting,
  applying: Applying,
  session: Session | undefined,
  facts: LazyFacts,
): Applying {
  const context = findContext(session, setting.key.context);
  // All of it, whatever fits into one reminder.
  const pending = decidePending(applying, context, facts, Number.POSITIVE_INFINITY);
  return pending.tell.length === 0 ? applying : without(applying, leftOut(world, setting, pending));
}

function leftOut(world: World, setting: HookSetting, pending: Pending): ReadonlySet<string> {
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
