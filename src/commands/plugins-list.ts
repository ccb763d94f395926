import type { Command, Outcome } from "../command.ts";
import { placedPlugins, type PlacedPlugin } from "../core/plugins.ts";
import type { FoundPlugin } from "../io/plugins/find-plugin.ts";
import type { Workspace } from "../io/workspace.ts";
import { renderPlugins, type PluginView } from "../render/plugins.ts";
import type { World } from "../world.ts";
import { COMMON_ARGS, inWorkspace } from "./common.ts";

/**
 * @output every plugin: what is run, where it is configured, whether it is trusted, and how its calls went
 * @effect reads a project's plugins; nothing is run
 */
export const command: Command = {
  meta: {
    name: "list",
    description: "List the plugins: what is run, where it is configured, whether it is trusted, how its calls went.",
  },
  args: COMMON_ARGS,
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const plugins = await viewPlugins(world, workspace);
      world.write(invocation.flags["json"] === true ? `${JSON.stringify({ plugins })}\n` : renderPlugins(plugins));
      return "ok";
    });
  },
};

async function viewPlugins(world: World, { layers, notGranted, places, root }: Workspace): Promise<PluginView[]> {
  const granted = placedPlugins(layers);
  const waiting = placedPlugins(notGranted === undefined ? [] : [notGranted]);
  if (granted.length + waiting.length === 0) return [];
  const { findPlugin } = await import("../io/plugins/find-plugin.ts");
  const { readTimes } = await import("../io/plugins/plugin-times.ts");
  const view = (placed: PlacedPlugin, found: FoundPlugin): PluginView => {
    const { name, key, source, isProject, plugin } = placed;
    const { hooks } = readTimes(places, placed);
    return {
      name,
      key,
      source,
      scope: isProject ? "project" : "user",
      isTrusted: !isProject || found.kind !== "unusable",
      problem: found.kind === "unusable" ? found.reason : null,
      runs: found.kind === "unusable" ? [] : found.kind === "module" ? [found.file] : found.words,
      hooks: plugin.hooks.map((point) => Object.assign({ point }, hooks[point] ?? NO_CALLS)),
    };
  };
  return [
    ...granted.map((placed) => view(placed, findPlugin(world, places, root.directory, placed))),
    ...waiting.map((placed) => view(placed, NOT_GRANTED)),
  ];
}

const NO_CALLS = { calls: 0, totalMs: 0, longestMs: 0, failures: 0 };
const NOT_GRANTED = {
  kind: "unusable",
  reason: "you do not trust this config file as it is; see 'codelia trust'",
} as const;
