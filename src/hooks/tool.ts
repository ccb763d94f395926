import type { Client, ClientEvent } from "../clients/client.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import type { Pending } from "../instructions/pending.ts";
import { reminderText, sayReminder, tellPaths, type Said } from "../instructions/tell.ts";
import type { TouchedPath } from "../touched/touched.ts";
import { plainlyShown, touchedPaths, touchOf, type ToolUse } from "./tool-paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * Keeps a tool from loading a skill that the rules forbid; else tells what applies to the paths that it is about to
 * touch, not what the tool itself, or the client with it, shows.
 *
 * @effect prints; the ledger
 * @error  none
 */
export function tellTool(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  use: ToolUse,
): unknown {
  if (mayForbidSkills(workspace)) return tellUnlessRefused(world, workspace, client, event, use);
  return tellUse(world, workspace, client, event, use);
}

async function tellUnlessRefused(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  use: ToolUse,
): Promise<void> {
  const { refuseSkill } = await import("./skill.ts");
  if (!(await refuseSkill(world, workspace, client, event, use))) await tellUse(world, workspace, client, event, use);
}

/** A promise only where there is something to wait for: each costs a call of a hook more than most functions. */
function tellUse(world: World, workspace: Workspace, client: Client, event: ClientEvent, use: ToolUse): unknown {
  const { enabled, resolver } = workspace.settings.agents;
  if (!enabled || !resolver.enabled) return undefined;
  const found = touchedPaths(world, workspace, use);
  return found instanceof Promise ? found.then(tellTouched) : tellTouched(found);

  function tellTouched(touched: readonly TouchedPath[]): unknown {
    if (touched.length === 0) return undefined;
    const paths: string[] = [];
    for (const { path } of touched) paths.push(path);
    const unseen = {
      closed: undefined,
      // What is read is known by what it says; what is written by whoever writes it.
      known: plainlyShown(use, touched),
      find: (files: readonly InstructionFile[]) => findUnseen(touched, files),
    };
    if (resolver.delivery === "paths" && resolver.gate === "off") {
      return tellPaths(world, workspace, paths, byName, unseen);
    }
    return import("./news.ts").then(({ fullManner }) => {
      const written = touched.filter(({ access }) => access === "write").map(({ path }) => path);
      const { say, closed } = fullManner(world, workspace, client, event, written);
      return tellPaths(world, workspace, paths, say, { ...unseen, closed });
    });
  }

  async function findUnseen(
    touched: readonly TouchedPath[],
    files: readonly InstructionFile[],
  ): Promise<ReadonlySet<string>> {
    const { nativelyLoaded } = await import("../clients/native-load.ts");
    const { filesShown } = await import("./shown.ts");
    const native = await nativelyLoaded(world, workspace, client, files, touchOf(use, touched));
    return new Set([...native, ...filesShown(world, workspace, use, touched, files)]);
  }

  function byName(pending: Pending): Said | undefined {
    const text = reminderText(client.element, pending);
    // Not even an empty answer: it would be an empty message.
    if (text === "") return { text };
    return sayReminder("agents.resolve.paths", text, (whole) => {
      const answer = client.tell(event, whole);
      return client.fits(answer) ? answer : undefined;
    });
  }
}

/** Without a rule it costs nothing; a config that can't be used may hold one. */
function mayForbidSkills({ layers, userConfigLost }: Workspace): boolean {
  if (userConfigLost) return true;
  for (const { config } of layers) if (config.permissions !== undefined) return true;
  return false;
}
