import { join } from "node:path";
import { namedDirectory } from "../../lib/paths.ts";
import type { ProfilePlace } from "../client.ts";

/** The directory of the user's own config, instructions and hooks. */
export function codexHome({ home, env }: ProfilePlace): string {
  return namedDirectory(env["CODEX_HOME"], join(home, ".codex"));
}
