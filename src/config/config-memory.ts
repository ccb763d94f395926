import type { ConfigFile, LoadedLayer } from "./config-layer.ts";
import { readText } from "../lib/read-file.ts";

export const MAX_CONFIG_BYTES = 64 * 1024;
/** Changes with everything that decides what is remembered; a test holds it equal to a hash of that. */
export const CONFIG_RULES_MARK = "bcd27a6535f10e9e";

/**
 * What this file says, as remembered by an earlier call of this very program: `rules` changes with what
 * decides about it, so that another version's memory is not believed.
 */
export function recall(memory: string, file: ConfigFile): LoadedLayer | undefined {
  const read = readText(memory, 8 * MAX_CONFIG_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const { rules, mark, layer } = JSON.parse(read.text);
    const fits = rules === CONFIG_RULES_MARK && mark === file.mark && layer.path === file.path;
    return fits ? layer : undefined;
  } catch {
    return undefined;
  }
}
