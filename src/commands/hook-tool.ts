import type { Host, HostEvent } from "../core/hooks/host.ts";
import type { Pending } from "../core/pending.ts";
import type { Workspace } from "../io/workspace.ts";
import type { World } from "../world.ts";
import { reminderText, sayReminder, tellPaths, type Said } from "./tell-paths.ts";
import { plainlyShown, touchedPaths, touchOf, type ToolUse } from "./tool-paths.ts";

/**
 * Keeps a tool from loading a skill that the rules forbid; else tells what applies to the paths that it is about to
 * touch, not what the tool itself, or the client with it, shows.
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
  if (mayForbidSkills(workspace)) {
    const { refuseSkill } = await import("./hook-skill.ts");
    if (await refuseSkill(world, workspace, host, event, use)) return;
  }
  if (!agents.enabled || !agents.resolver.enabled) return;
  const touched = await touchedPaths(world, workspace, use);
  if (touched.length === 0) return;
  const paths: string[] = [];
  for (const { path } of touched) paths.push(path);
  const { delivery, gate } = agents.resolver;
  const isPlain = delivery === "paths" && gate === "off";
  const manner = isPlain ? { say: byName, closed: undefined } : await inFull();
  await tellPaths(world, workspace, paths, manner.say, {
    closed: manner.closed,
    // What is read is known by what it says; what is written by whoever writes it.
    known: plainlyShown(use, touched),
    async find(files) {
      const { nativelyLoaded } = await import("./native-load.ts");
      const { filesShown } = await import("./shown-paths.ts");
      const native = await nativelyLoaded(world, workspace, host, files, touchOf(use, touched));
      return new Set([...native, ...filesShown(world, workspace, use, touched, files)]);
    },
  });

  function byName(pending: Pending): Said | undefined {
    const text = reminderText(host.element, pending);
    // Not even an empty answer: it would be an empty message.
    if (text === "") return { text };
    return sayReminder("agents.resolve.paths", text, (whole) => {
      const answer = host.tell(event, whole);
      return host.fits(answer) ? answer : undefined;
    });
  }

  async function inFull() {
    const { fullManner } = await import("./hook-news.ts");
    const written = touched.filter(({ access }) => access === "write").map(({ path }) => path);
    return fullManner(world, workspace, host, event, written);
  }
}

/** Without a rule it costs nothing; a config that can't be used may hold one. */
function mayForbidSkills({ layers, userConfigLost }: Workspace): boolean {
  if (userConfigLost) return true;
  for (const { config } of layers) if (config.permissions !== undefined) return true;
  return false;
}
