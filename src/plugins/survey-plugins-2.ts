import type { SurveyedHook, SurveyedPlugin } from "./survey-plugins.ts";
import { visible } from "../lib/escape.ts";

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
