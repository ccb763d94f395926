import type { ExitName } from "../errors.ts";
import { renderOverview } from "../render/help.ts";
import type { World } from "../world.ts";

/**
 * The overview of the program or of a group of verbs.
 *
 * @input  isAsked: asked for, help is data; forced on someone who named no verb, it is chatter
 * @effect prints
 */
export function printOverview(
  world: World,
  name: string,
  verbs: Readonly<Record<string, { summary: string }>>,
  isAsked: boolean,
): ExitName {
  const text = renderOverview(name, verbs);
  if (isAsked) world.write(text);
  else world.complain(text);
  return isAsked ? "ok" : "usage";
}
