import { join } from "node:path";
import type { UserDirectories } from "../config/user-directories.ts";
import { isTable } from "../lib/table.ts";
import { readText } from "../lib/read-file.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";

/** When a client's session last began with us, and through which channel. */
export interface Heard {
  readonly channel: "mod" | "mcp" | "command";
  readonly at: number;
}

const MAX_BYTES = 1024;

/** @effect a file in the user's state directory, if it can be written */
export function noteHeard(world: World, directories: UserDirectories, client: string, channel: Heard["channel"]): void {
  const heard: Heard = { channel, at: world.now() };
  writeWhole(world, placeOf(directories, `${client}.json`), `${JSON.stringify(heard)}\n`, {
    directoryMode: 0o700,
    fileMode: 0o600,
  });
}

export function readHeard(directories: UserDirectories, client: string): Heard | undefined {
  const read = readText(placeOf(directories, `${client}.json`), MAX_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const data: unknown = JSON.parse(read.text);
    if (!isTable(data)) return undefined;
    const { channel, at } = data;
    const isChannel = channel === "mod" || channel === "mcp" || channel === "command";
    return isChannel && typeof at === "number" ? { channel, at } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Remembers the session that a client has resumed until its next prompt. Of several at once only the last.
 *
 * @effect a file in the user's state directory, if it can be written
 */
export function noteResumed(world: World, directories: UserDirectories, client: string, session: string): void {
  writeWhole(world, placeOf(directories, `${client}-resumed`), session, { directoryMode: 0o700, fileMode: 0o600 });
}

/** Whether the session was resumed and has had no prompt since. @effect forgets it */
export function takeResumed(directories: UserDirectories, client: string, session: string): boolean {
  const place = placeOf(directories, `${client}-resumed`);
  const read = readText(place, MAX_BYTES);
  if (read.kind !== "text" || read.text !== session) return false;
  removeQuietly(place);
  return true;
}

function placeOf({ state }: UserDirectories, name: string): string {
  return join(state, "heard", name);
}
