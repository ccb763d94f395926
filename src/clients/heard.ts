import { join } from "node:path";
import type { UserDirectories } from "../config/user-directories.ts";
import { isTable } from "../lib/table.ts";
import { readText } from "../lib/read-file.ts";
import { writeWhole } from "../lib/write-file.ts";
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
  writeWhole(world, placeOf(directories, client), `${JSON.stringify(heard)}\n`, {
    directoryMode: 0o700,
    fileMode: 0o600,
  });
}

export function readHeard(directories: UserDirectories, client: string): Heard | undefined {
  const read = readText(placeOf(directories, client), MAX_BYTES);
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

function placeOf({ state }: UserDirectories, client: string): string {
  return join(state, "heard", `${client}.json`);
}
