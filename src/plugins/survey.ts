import { join } from "node:path";
import { loadLayer, projectSource } from "../config/files.ts";
import type { ExtensionPoint } from "../config/schema.ts";
import type { UserDirectories } from "../config/user-directories.ts";
import { visible } from "../lib/escape.ts";
import { isSameFile } from "../lib/path-facts.ts";
import { counted } from "../lib/words.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { configuredPlugins, findPlugin, type ConfiguredPlugin, type FoundPlugin } from "./configured.ts";
import { readTimes } from "./run.ts";
import type { PluginTimes } from "./schema.ts";

interface SurveyedPlugin {
  readonly name: string;
  /** `plugins[0]` */
  readonly key: string;
  /** The config file. */
  readonly source: string;
  readonly scope: "user" | "project";
  readonly isTrusted: boolean;
  /** Why it is not run. */
  readonly problem: string | null;
  /** The module, or the program with its arguments. */
  readonly runs: readonly string[];
  readonly hooks: readonly SurveyedPoint[];
}

type SurveyedPoint = { readonly point: ExtensionPoint } & NonNullable<PluginTimes["hooks"][ExtensionPoint]>;

/** Every plugin configured here, including those that wait for trust, with statistics of their calls. Runs nothing. */
export async function surveyPlugins(world: World, workspace: Workspace): Promise<SurveyedPlugin[]> {
  const { layers, userDirectories, root } = workspace;
  const found = configuredPlugins(layers).map((plugin) =>
    survey(userDirectories, plugin, findPlugin(world, userDirectories, root.directory, plugin)),
  );
  const waiting = (await waitingPlugins(world, workspace)).map((plugin) =>
    survey(userDirectories, plugin, NOT_TRUSTED),
  );
  return [...found, ...waiting];
}

/**
 * The plugins of a project's config that the user does not trust in its present form: they are not among the layers.
 */
async function waitingPlugins(world: World, { layers, userDirectories, root }: Workspace): Promise<ConfiguredPlugin[]> {
  if (
    layers.some(({ isProject, config }) => isProject && config.plugins) ||
    isSameFile(join(root.directory, ".codelia"), userDirectories.global)
  )
    return [];
  const { path, asked } = await loadLayer(world, projectSource(root.directory, userDirectories));
  return path && asked ? configuredPlugins([{ source: path, config: asked.config, isProject: true }]) : [];
}

const NOT_TRUSTED = {
  kind: "unusable",
  reason: "you do not trust this config file as it is; run 'codelia trust' to review it",
} as const;

const NO_CALLS = { calls: 0, totalMs: 0, longestMs: 0, failures: 0 };

function survey(userDirectories: UserDirectories, plugin: ConfiguredPlugin, found: FoundPlugin): SurveyedPlugin {
  const { name, key, source, isProject, entry } = plugin;
  const times = readTimes(userDirectories, plugin).hooks;
  return {
    name,
    key,
    source,
    scope: isProject ? "project" : "user",
    isTrusted: !isProject || found.kind !== "unusable",
    problem: found.kind === "unusable" ? found.reason : null,
    runs: found.kind === "unusable" ? [] : found.kind === "module" ? [found.file] : found.words,
    hooks: entry.hooks.map((point) => Object.assign({ point }, times[point] ?? NO_CALLS)),
  };
}

/** For each plugin, what is run, then a line for each of its extension points. */
export function renderPlugins(plugins: readonly SurveyedPlugin[]): string {
  return plugins
    .flatMap((plugin) => [
      `${visible(plugin.name)}  (${trustOf(plugin)}, ${plugin.key} in ${visible(plugin.source)})`,
      plugin.problem === null ? `  runs ${visible(plugin.runs.join(" "))}` : `  not run: ${visible(plugin.problem)}`,
      ...plugin.hooks.map(renderPoint),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function trustOf({ scope, isTrusted }: SurveyedPlugin): string {
  if (scope === "user") return "your own";
  return isTrusted ? "the project's, trusted" : "the project's, not trusted";
}

function renderPoint({ point, calls, totalMs, longestMs, failures, lastFailure }: SurveyedPoint): string {
  if (calls === 0) return `  ${point}: not called yet`;
  const times = `${counted(calls, "call")}, ${(totalMs / calls).toFixed(1)} ms each, ${longestMs.toFixed(1)} ms at most`;
  const failed = failures === 0 ? "" : `; ${failures} failed, last: ${visible(lastFailure?.reason ?? "")}`;
  return `  ${point}: ${times}${failed}`;
}
