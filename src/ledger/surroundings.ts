import type { Surroundings } from "./ledger.ts";
import type { Workspace } from "../workspace.ts";

/** What the ledger keeps of a workspace. */
export function surroundingsOf(workspace: Workspace): Surroundings {
  const { cwd, root, settings } = workspace;
  return { cwd, root: root.directory, markers: settings.agents.root.markers };
}
