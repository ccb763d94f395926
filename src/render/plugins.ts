import { visible } from "./escape.ts";

export interface PluginView {
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
  readonly hooks: readonly PluginHookView[];
}

interface PluginHookView {
  readonly point: string;
  readonly calls: number;
  readonly totalMs: number;
  readonly longestMs: number;
  readonly failures: number;
  readonly lastFailure?: { readonly reason: string } | undefined;
}

/** Each plugin with what is run for it, and how the calls of each of its hooks went. */
export function renderPlugins(plugins: readonly PluginView[]): string {
  return plugins
    .flatMap((plugin) => [
      `${visible(plugin.name)}  (${trustOf(plugin)}, ${plugin.key} in ${visible(plugin.source)})`,
      plugin.problem === null ? `  runs ${visible(plugin.runs.join(" "))}` : `  not run: ${visible(plugin.problem)}`,
      ...plugin.hooks.map(renderHook),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function trustOf({ scope, isTrusted }: PluginView): string {
  if (scope === "user") return "your own";
  return isTrusted ? "the project's, trusted" : "the project's, not trusted";
}

function renderHook({ point, calls, totalMs, longestMs, failures, lastFailure }: PluginHookView): string {
  if (calls === 0) return `  ${point}: not called yet`;
  const times = `${calls} ${calls === 1 ? "call" : "calls"}, ${(totalMs / calls).toFixed(1)} ms each, ${longestMs.toFixed(1)} ms at most`;
  const failed = failures === 0 ? "" : `; ${failures} failed, last: ${visible(lastFailure?.reason ?? "")}`;
  return `  ${point}: ${times}${failed}`;
}
