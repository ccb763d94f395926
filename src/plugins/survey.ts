import { join } from "node:path";
import { loadLayer } from "../config/files.ts";
import type { ExtensionPoint } from "../config/schema.ts";
import { visible } from "../lib/escape.ts";
import { isSamePlace } from "../lib/path-facts.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { placedPlugins, findPlugin, type PlacedPlugin, type FoundPlugin } from "./find.ts";
import { readTimes } from "./run.ts";

/** A plugin as a person asks about it. */
export interface SurveyedPlugin {
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
  readonly hooks: readonly SurveyedHook[];
}

export interface SurveyedHook {
  readonly point: ExtensionPoint;
  readonly calls: number;
  readonly totalMs: number;
  readonly longestMs: number;
  readonly failures: number;
  readonly lastFailure?: { readonly at: number; readonly reason: string } | undefined;
}

const NO_CALLS = { calls: 0, totalMs: 0, longestMs: 0, failures: 0 };

const NOT_GRANTED = {
  kind: "unusable",
  reason: "you do not trust this config file as it is; see 'codelia trust'",
} as const;

/**
 * Every plugin there is here, those that wait for trust included, and how their calls went.
 *
 * @effect reads a project's plugins; nothing is run
 * @error  none
 */
export async function surveyPlugins(world: World, workspace: Workspace): Promise<SurveyedPlugin[]> {
  const { layers, places, root } = workspace;
  const found = placedPlugins(layers).map((placed) => ({
    placed,
    run: findPlugin(world, places, root.directory, placed),
  }));
  const waiting = (await notGranted(world, workspace)).map((placed) => ({ placed, run: NOT_GRANTED }));
  return [...found, ...waiting].map(({ placed, run }) => describe(placed, run, readTimes(places, placed).hooks));
}

async function notGranted(world: World, { layers, places, root }: Workspace): Promise<PlacedPlugin[]> {
  const own = join(root.directory, ".codelia");
  if (layers.some(({ isProject, config }) => isProject && config.plugins) || isSamePlace(own, places.global)) return [];
  const place = { directories: [own], isProject: true, cache: places.cache, owner: root.directory };
  const { path, asked } = await loadLayer(world, place);
  return path && asked ? placedPlugins([{ source: path, config: asked.config, isProject: true }]) : [];
}

function describe(
  { name, key, source, isProject, plugin }: PlacedPlugin,
  run: FoundPlugin,
  hooks: ReturnType<typeof readTimes>["hooks"],
): SurveyedPlugin {
  return {
    name,
    key,
    source,
    scope: isProject ? "project" : "user",
    isTrusted: !isProject || run.kind !== "unusable",
    problem: run.kind === "unusable" ? run.reason : null,
    runs: run.kind === "unusable" ? [] : run.kind === "module" ? [run.file] : run.words,
    hooks: plugin.hooks.map((point) => Object.assign({ point }, hooks[point] ?? NO_CALLS)),
  };
}

/** Each plugin with what is run for it, and how the calls of each of its hooks went. */
export function renderPlugins(plugins: readonly SurveyedPlugin[]): string {
  return plugins
    .flatMap((plugin) => [
      `${visible(plugin.name)}  (${trustOf(plugin)}, ${plugin.key} in ${visible(plugin.source)})`,
      plugin.problem === null ? `  runs ${visible(plugin.runs.join(" "))}` : `  not run: ${visible(plugin.problem)}`,
      ...plugin.hooks.map(renderHook),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function trustOf({ scope, isTrusted }: SurveyedPlugin): string {
  if (scope === "user") return "your own";
  return isTrusted ? "the project's, trusted" : "the project's, not trusted";
}

function renderHook({ point, calls, totalMs, longestMs, failures, lastFailure }: SurveyedHook): string {
  if (calls === 0) return `  ${point}: not called yet`;
  const times = `${calls} ${calls === 1 ? "call" : "calls"}, ${(totalMs / calls).toFixed(1)} ms each, ${longestMs.toFixed(1)} ms at most`;
  const failed = failures === 0 ? "" : `; ${failures} failed, last: ${visible(lastFailure?.reason ?? "")}`;
  return `  ${point}: ${times}${failed}`;
}
