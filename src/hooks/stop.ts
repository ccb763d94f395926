import type { EventKind, Client } from "../clients/client.ts";
import { userPlaces } from "../config/user-places.ts";
import { readGuidedPointer } from "../agent/run/guided-pointer.ts";
import type { World } from "../world.ts";

/**
 * Where the session is guided through an agent definition, judges what its model has come to, and has it go on. Otherwise
 * this is one look for a file: not even the config is read.
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
