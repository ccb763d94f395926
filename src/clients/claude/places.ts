import { join } from "node:path";
import { namedDirectory } from "../../lib/paths.ts";
import type { ProfilePlace } from "../client.ts";

/** What loads AGENTS.md in Claude Code, and can be switched off as a plugin. */
export const LOADER_PLUGIN = "cc-plugin-agents-md@builtin";

/** The names of its own instruction files in a directory of a project: those that are shared, and the user's. */
export const MEMORIES = ["CLAUDE.md", join(".claude", "CLAUDE.md")];
export const LOCAL_MEMORY = "CLAUDE.local.md";

/** The directory of the user's own settings, instructions and skills. */
export function configDirectory({ home, env }: ProfilePlace): string {
  return namedDirectory(env["CLAUDE_CONFIG_DIR"], join(home, ".claude"));
}

/** What the user was asked and has answered. */
export function stateFile({ home, env }: ProfilePlace): string {
  return join(namedDirectory(env["CLAUDE_CONFIG_DIR"], home), ".claude.json");
}
