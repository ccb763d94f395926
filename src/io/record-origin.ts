import { DEFAULT_SESSION } from "../core/session-name.ts";
import type { World } from "../world.ts";
import { pointerPath } from "./ledger-read.ts";
import type { StatePlace } from "./state-place.ts";
import type { Workspace } from "./workspace.ts";
import { writeWhole } from "./write-file.ts";

/**
 * With a session's first record: where it began, for calls from other roots.
 *
 * @effect a file with the user's own state
 * @error  none: a call from another root takes the session for a new one
 */
export function recordOrigin(world: World, { key, places }: Workspace, place: StatePlace): void {
  if (key.session === DEFAULT_SESSION) return;
  const text = `${JSON.stringify({ id: key.session, root: place.root })}\n`;
  writeWhole(world, pointerPath(places, key.session), text, { directoryMode: 0o700, fileMode: 0o600 });
}
