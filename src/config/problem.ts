import type { Diagnostic } from "../lib/diagnostic.ts";

export type ConfigProblem = Diagnostic<"config-unusable" | "config-not-heeded">;

/** A larger config file is not used. */
export const MAX_CONFIG_BYTES = 64 * 1024;

/** A problem for which the whole file is ignored. */
export function unusableConfig(path: string, message: string, more?: { readonly line: number }): ConfigProblem {
  return { rule: "config-unusable", severity: "error", path, message, ...more };
}

/** A problem for which part of the file is ignored. */
export function unheededConfig(path: string, message: string): ConfigProblem {
  return { rule: "config-not-heeded", severity: "warning", path, message };
}
