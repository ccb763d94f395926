import type { EventKind, Client } from "../clients/client.ts";
import { userDirectoriesOf } from "../config/user-directories.ts";
import { readGuidedPointer } from "../agent/run/guided-pointer.ts";
import type { World } from "../world.ts";

/**
 * In a session guided through an agent definition, answers the end of a turn with the next step. In any other session
 * it only checks whether one file exists; it does not even read the config.
 */
export async function tellStop(
  world: World,
  client: Client,
  session: string,
  what: Extract<EventKind, { kind: "stop" }>,
): Promise<void> {
  const { continuation } = client;
  if (continuation === undefined) return;
  const userDirectories = userDirectoriesOf(world.env, world.home);
  const pointer = readGuidedPointer(userDirectories, session);
  if (pointer === undefined) return;
  const { answerStop } = await import("../agent/run/guide.ts");
  return answerStop(world, userDirectories, { ...client, continuation }, pointer, what);
}
