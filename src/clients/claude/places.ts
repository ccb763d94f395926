import { join } from "node:path";
import { namedDirectory } from "../../lib/paths.ts";
import type { ProfilePlace } from "../client.ts";

/** The built-in plugin that loads AGENTS.md. */
export const LOADER_PLUGIN = "cc-plugin-agents-md@builtin";

/** Its own instruction files in a directory of a project: the shared ones, and the user's own. */
export const MEMORIES = ["CLAUDE.md", join(".claude", "CLAUDE.md")];
export const LOCAL_MEMORY = "CLAUDE.local.md";

/** The directory of the user's own settings, instructions and skills. */
export function configDirectory({ home, env }: ProfilePlace): string {
  return namedDirectory(env["CLAUDE_CONFIG_DIR"], join(home, ".claude"));
}

/** Where it keeps what the user has answered to its questions. */
export function stateFile({ home, env }: ProfilePlace): string {
  return join(namedDirectory(env["CLAUDE_CONFIG_DIR"], home), ".claude.json");
}
