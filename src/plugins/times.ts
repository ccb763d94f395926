import { join } from "node:path";
import type { ExtensionPoint } from "../config/schema.ts";
import { placeOfRoot, type UserPlaces } from "../config/user-places.ts";
import { readText } from "../lib/read-file.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import type { ConfiguredPlugin } from "./find.ts";
import { PluginTimesSchema, type PluginTimes } from "./schema.ts";

const MAX_BYTES = 64 * 1024;

/** How the calls of a plugin have gone so far: kept in the user's state directory for `codelia plugins`. */
export function readTimes(places: UserPlaces, plugin: ConfiguredPlugin): PluginTimes {
  const { name, source } = plugin;
  const none: PluginTimes = { version: 1, name, source, hooks: {} };
  const read = readText(timesPath(places, plugin), MAX_BYTES);
  if (read.kind !== "text") return none;
  try {
    const parsed = PluginTimesSchema.safeParse(JSON.parse(read.text));
    return parsed.success && parsed.data.name === name && parsed.data.source === source ? parsed.data : none;
  } catch {
    return none;
  }
}

/** Adds a call. When two processes write at once, one call may be lost: the figures are for people. */
export function addTime(
  world: World,
  places: UserPlaces,
  plugin: ConfiguredPlugin,
  point: ExtensionPoint,
  tookMs: number,
  failure: string | undefined,
): void {
  const times = readTimes(places, plugin);
  const before = times.hooks[point];
  const calls = {
    calls: (before?.calls ?? 0) + 1,
    totalMs: (before?.totalMs ?? 0) + tookMs,
    longestMs: Math.max(before?.longestMs ?? 0, tookMs),
    failures: (before?.failures ?? 0) + (failure === undefined ? 0 : 1),
    lastFailure: failure === undefined ? before?.lastFailure : { at: world.now(), reason: failure },
  };
  const text = `${JSON.stringify({ ...times, hooks: { ...times.hooks, [point]: calls } })}\n`;
  writeWhole(world, timesPath(places, plugin), text, { directoryMode: 0o700, fileMode: 0o600 });
}

function timesPath(places: UserPlaces, { name, source }: ConfiguredPlugin): string {
  return `${placeOfRoot(join(places.state, "plugins"), `${name}\0${source}`)}.json`;
}
