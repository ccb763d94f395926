import type { Layer } from "../config/config-layers.ts";
import type { ContextKey } from "../ledger/ledger.ts";
import { placedPlugins, type PlacedPlugin } from "./plugins.ts";
import type { Root } from "../instructions/root.ts";
import type { UserPlaces } from "../config/user-places.ts";
import { HOOK_DATA, type HookData } from "./schema.ts";
import { type HookPoint } from "../config/plugin-entry.ts";
import type { World } from "../world.ts";
import { findStatePlace, ledgerPath } from "../ledger/state-place.ts";
import { callPlugin, type PluginAnswer } from "./call-plugin.ts";
import { findPlugin } from "./find-plugin.ts";
import { addTime } from "./plugin-times.ts";

/** What a hook point knows of where it is; a workspace is one. */
export interface HookSetting {
  readonly cwd: string;
  readonly root: Root;
  readonly key: ContextKey;
  readonly layers: readonly Layer[];
  readonly places: UserPlaces;
}

/** What becomes of the data that a plugin gave back: the new state of things, or why it is nonsense. */
type Accept<Point extends HookPoint, State> = (
  data: HookData[Point],
  placed: PlacedPlugin,
) => { readonly state: State } | { readonly reason: string };

/**
 * Has every plugin of a hook point say its word, one after the other, each about what the one before made of it.
 *
 * @input  state: how things stand; show: as data for a plugin; accept: asked with data that keeps to the schema
 * @output the state as the last of them left it; one that fails in any way changes nothing
 * @effect processes; the time they took, in the user's state directory; a warning for each that failed
 * @error  none
 */
export function runHook<Point extends HookPoint, State>(
  world: World,
  setting: HookSetting,
  point: Point,
  state: State,
  show: (state: State) => HookData[Point],
  accept: Accept<Point, State>,
): State {
  let current = state;
  for (const placed of placedPlugins(setting.layers)) {
    if (!placed.plugin.hooks.includes(point)) continue;
    const start = world.ticks();
    const answer = ask(world, setting, point, placed, show(current));
    const judged = answer.kind === "changed" ? judge(point, answer.data, placed, accept) : answer;
    const tookMs = Math.round((world.ticks() - start) * 1000) / 1000;
    const failure = "reason" in judged ? judged.reason : undefined;
    if (failure !== undefined) world.warn(`plugin '${placed.name}' is skipped at '${point}': ${failure}`);
    else if ("state" in judged) current = judged.state;
    addTime(world, setting.places, placed, point, tookMs, failure);
    world.trace("plugin", { plugin: placed.name, hook: point, tookMs, failure });
  }
  return current;
}

function ask(
  world: World,
  { cwd, root, key, places }: HookSetting,
  hook: HookPoint,
  placed: PlacedPlugin,
  data: unknown,
): PluginAnswer {
  const found = findPlugin(world, places, root.directory, placed);
  if (found.kind === "unusable") return { kind: "failed", reason: found.reason };
  const context = {
    plugin: placed.name,
    cwd,
    root: root.directory,
    session: key.session,
    agent: key.context,
    ledger: ledgerPath(findStatePlace(root.directory, places, world.home)),
  };
  return callPlugin(world, found, { version: 1, hook, context, data });
}

function judge<Point extends HookPoint, State>(
  point: Point,
  data: unknown,
  placed: PlacedPlugin,
  accept: Accept<Point, State>,
): ReturnType<Accept<Point, State>> {
  const parsed = HOOK_DATA[point].safeParse(data);
  if (parsed.success) return accept(parsed.data as HookData[Point], placed);
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "the whole" : `'${issue.path.join(".")}'`;
  return {
    reason: `what it gave back does not keep to the schema 'plugin-${point.replace(":", "-")}': ${where}: ${issue?.message}`,
  };
}
