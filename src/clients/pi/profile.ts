import { join } from "node:path";
import { ladder, namedDirectory, wholeLadder } from "../../lib/paths.ts";
import { withoutBom } from "../../lib/text.ts";
import type { NativeClient, Part, UserEnvironment } from "../client.ts";
import { nearestWith } from "../loading-rules.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";

const NAMES = ["AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"];
const OWN_SKILLS = [".pi/skills"];
const MAX_SKILL_LEVELS = 6;
const RULES: SlotRules = { textOf: withoutBom, countsBlank: true };

/**
 * pi, as of 0.87. It reads one file in the user's directory, then one in each directory from the file system's root down
 * to the working directory, and nothing later. A blank file is used as any other.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: NAMES.filter((name) => name.endsWith(".md")),
  ownSkills: OWN_SKILLS,
  moreNames: () => [],
  reach(cwd, user, facts) {
    const slots = [piHome(user), ...wholeLadder(cwd)].map((directory, index): Slot => ({
      paths: NAMES.map((name) => join(directory, name)),
      origin: index === 0 ? "home" : "project",
      takes: "first",
    }));
    return { cwd, root: null, budget: null, files: reachSlots(slots, RULES, facts) };
  },
  onTouch: () => [],
  skillDirectories(cwd, user, facts) {
    const top = nearestWith(cwd, [".git"], facts);
    const project = (top === undefined ? wholeLadder(cwd) : ladder(top, cwd)).map((directory) =>
      join(directory, ".agents", "skills"),
    );
    const own = OWN_SKILLS.map((name) => join(cwd, name));
    return [...own, ...project, join(piHome(user), "skills"), join(user.home, ".agents", "skills")];
  },
  skillListing(cwd, user, facts) {
    return {
      directories: profile.skillDirectories(cwd, user, facts),
      levels: MAX_SKILL_LEVELS,
      isByName: true,
      skips: ["dotted", "user-only"],
    };
  },
  text: (reach, facts) =>
    textsOf(reach, RULES, facts)
      .map(({ path, text }) => `<project_instructions path="${path}">\n${text}\n</project_instructions>`)
      .join("\n\n"),
};

export function piHome({ home, env }: UserEnvironment): string {
  return namedDirectory(env["PI_CODING_AGENT_DIR"], join(home, ".pi", "agent"));
}
