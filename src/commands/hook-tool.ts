import type { Host, HostEvent } from "../core/hooks/host.ts";
import type { Workspace } from "../io/workspace.ts";
import type { World } from "../world.ts";
import { sayPaths, tellPaths } from "./tell-paths.ts";
import { shownPaths, touchedPaths, touchOf, type ToolUse } from "./tool-paths.ts";

/**
 * Tells what applies to the paths that a tool is about to touch; not what the tool itself, or the client with it, shows.
 *
 * @effect prints; the ledger
 * @error  none
 */
export async function tellTool(
  world: World,
  workspace: Workspace,
  host: Host,
  event: HostEvent,
  use: ToolUse,
): Promise<void> {
  const { agents } = workspace.settings;
  if (!agents.enabled || !agents.resolver.enabled) return;
  const touched = await touchedPaths(world, workspace, use);
  if (touched.length === 0) return;
  const paths = touched.map(({ path }) => path);
  await tellPaths(
    world,
    workspace,
    paths,
    (pending) =>
      sayPaths(host.element, pending, (text) => {
        const answer = host.tell(event, text);
        return host.fits(answer) ? answer : undefined;
      }),
    {
      // What is read is known by what it says; what is written by whoever writes it.
      known: shownPaths(use, touched),
      async find(files) {
        const { nativelyLoaded } = await import("./native-load.ts");
        return nativelyLoaded(world, workspace, host, files, touchOf(workspace, use, touched));
      },
    },
  );
}
