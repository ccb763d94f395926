import type { EventKind, Client } from "../clients/client.ts";
import { userPlaces } from "../config/user-places.ts";
import { readGuidedPointer } from "../agent/run/guided-pointer.ts";
import type { World } from "../world.ts";

/**
 * In a session that is guided through an agent definition, answers the end of a turn with the next step. In any other
 * session this only looks for one file; not even the config is read.
 */
export async function tellStop(
  world: World,
  client: Client,
  session: string,
  what: Extract<EventKind, { kind: "stop" }>,
): Promise<void> {
  const { continuation } = client;
  if (continuation === undefined) return;
  const places = userPlaces(world.env, world.home);
  const pointer = readGuidedPointer(places, session);
  if (pointer === undefined) return;
  const { answerStop } = await import("../agent/run/guide.ts");
  return answerStop(world, places, { ...client, continuation }, pointer, what);
}
