import { join } from "node:path";
import { namedDirectory } from "../../lib/paths.ts";
import type { UserEnvironment } from "../client.ts";

// Where the client's files are.

/** In a project's root. */
export const OWN_SKILLS = [".kimi-code/skills"];
export const SKILLS = [...OWN_SKILLS, ".agents/skills"];

export function kimiHome({ home, env }: UserEnvironment): string {
  return namedDirectory(env["KIMI_CODE_HOME"], join(home, ".kimi-code"));
}

export function userSkills(user: UserEnvironment): string[] {
  return [join(kimiHome(user), "skills"), join(user.home, ".agents", "skills")];
}
