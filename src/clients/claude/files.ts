import { join, sep } from "node:path";
import { namedDirectory } from "../../lib/paths.ts";
import type { TreeFacts, UserEnvironment } from "../client.ts";

/** The built-in plugin that loads AGENTS.md, and the names under which it has options. */
export const LOADER_PLUGIN = "cc-plugin-agents-md@builtin";
export const LOADER_NAMES = ["agents-md@builtin", LOADER_PLUGIN];

/** Its own instruction files in a directory of a project: the shared ones, and the user's own. */
export const MEMORIES = ["CLAUDE.md", join(".claude", "CLAUDE.md")];
export const LOCAL_MEMORY = "CLAUDE.local.md";

/** The directory for rules, which may be for some files only. */
export const RULES = join(".claude", "rules");

/** The directory for skills, which may be for some files only, too; with `/` on every system. */
export const SKILLS = ".claude/skills";

/** The directory of the user's own settings, instructions and skills. */
export function configDirectory({ home, env }: UserEnvironment): string {
  return namedDirectory(env["CLAUDE_CONFIG_DIR"], join(home, ".claude"));
}

const MANAGED_ON_MACOS = "/Library/Application Support";

/** The administrator's directory. */
export function managedDirectory(facts: Pick<TreeFacts, "realPath">): string {
  if (sep !== "/") return String.raw`C:\Program Files\ClaudeCode`;
  return facts.realPath(MANAGED_ON_MACOS) === undefined ? "/etc/claude-code" : join(MANAGED_ON_MACOS, "ClaudeCode");
}

/** Where it keeps the user's answers to its questions. */
export function stateFile({ home, env }: UserEnvironment): string {
  return join(namedDirectory(env["CLAUDE_CONFIG_DIR"], home), ".claude.json");
}
