import { join } from "node:path";
import type { PlacedPlugin } from "./plugins.ts";
import { placeOfRoot, type UserPlaces } from "../config/user-places.ts";
import { PluginTimesSchema, type PluginTimes } from "./schema.ts";
import { type HookPoint } from "../config/plugin-entry.ts";
import type { World } from "../world.ts";
import { readText } from "../lib/read-file.ts";
import { writeWhole } from "../lib/write-file.ts";

const MAX_BYTES = 64 * 1024;

/**
 * How the calls of a plugin went so far.
 *
 * @effect none
 * @error  none
 */
export function readTimes(places: UserPlaces, { name, source }: PlacedPlugin): PluginTimes {
  const none: PluginTimes = { version: 1, name, source, hooks: {} };
  const read = readText(fileOf(places, name, source), MAX_BYTES);
  if (read.kind !== "text") return none;
  try {
    const parsed = PluginTimesSchema.safeParse(JSON.parse(read.text));
    return parsed.success && parsed.data.name === name && parsed.data.source === source ? parsed.data : none;
  } catch {
    return none;
  }
}

/**
 * Adds a call. Of two at the same moment one may be lost: they are figures for a person.
 *
 * @input  failure: why it failed; undefined where it did not
 * @effect a file in the user's state directory, where one can be written
 * @error  none
 */
export function addTime(
  world: World,
  places: UserPlaces,
  placed: PlacedPlugin,
  point: HookPoint,
  tookMs: number,
  failure: string | undefined,
): void {
  const times = readTimes(places, placed);
  const before = times.hooks[point];
  const hook = {
    calls: (before?.calls ?? 0) + 1,
    totalMs: (before?.totalMs ?? 0) + tookMs,
    longestMs: Math.max(before?.longestMs ?? 0, tookMs),
    failures: (before?.failures ?? 0) + (failure === undefined ? 0 : 1),
    lastFailure: failure === undefined ? before?.lastFailure : { at: world.now(), reason: failure },
  };
  const text = `${JSON.stringify({ ...times, hooks: { ...times.hooks, [point]: hook } })}\n`;
  writeWhole(world, fileOf(places, placed.name, placed.source), text, { directoryMode: 0o700, fileMode: 0o600 });
}

function fileOf(places: UserPlaces, name: string, source: string): string {
  return `${placeOfRoot(join(places.state, "plugins"), `${name}\0${source}`)}.json`;
}
