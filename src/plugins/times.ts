import { join } from "node:path";
import type { ExtensionPoint } from "../config/schema.ts";
import { directoryOfRoot, type UserDirectories } from "../config/user-directories.ts";
import { readText } from "../lib/read-file.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import type { ConfiguredPlugin } from "./configured.ts";
import { PluginTimesSchema, type PluginTimes } from "./schema.ts";

const MAX_BYTES = 64 * 1024;

/** Statistics of a plugin's calls, kept in the user's state directory for `codelia plugins`. */
export function readTimes(userDirectories: UserDirectories, plugin: ConfiguredPlugin): PluginTimes {
  const { name, source } = plugin;
  const none: PluginTimes = { version: 1, name, source, hooks: {} };
  const read = readText(timesPath(userDirectories, plugin), MAX_BYTES);
  if (read.kind !== "text") return none;
  try {
    const parsed = PluginTimesSchema.safeParse(JSON.parse(read.text));
    return parsed.success && parsed.data.name === name && parsed.data.source === source ? parsed.data : none;
  } catch {
    return none;
  }
}

/** Adds a call. If two processes write at once, one call may be lost: the figures are for people. */
export function addTime(
  world: World,
  userDirectories: UserDirectories,
  plugin: ConfiguredPlugin,
  point: ExtensionPoint,
  tookMs: number,
  failure: string | undefined,
): void {
  const times = readTimes(userDirectories, plugin);
  const before = times.hooks[point];
  const calls = {
    calls: (before?.calls ?? 0) + 1,
    totalMs: (before?.totalMs ?? 0) + tookMs,
    longestMs: Math.max(before?.longestMs ?? 0, tookMs),
    failures: (before?.failures ?? 0) + (failure === undefined ? 0 : 1),
    lastFailure: failure === undefined ? before?.lastFailure : { at: world.now(), reason: failure },
  };
  const text = `${JSON.stringify({ ...times, hooks: { ...times.hooks, [point]: calls } })}\n`;
  writeWhole(world, timesPath(userDirectories, plugin), text, { directoryMode: 0o700, fileMode: 0o600 });
}

function timesPath(userDirectories: UserDirectories, { name, source }: ConfiguredPlugin): string {
  return `${directoryOfRoot(join(userDirectories.state, "plugins"), `${name}\0${source}`)}.json`;
}
