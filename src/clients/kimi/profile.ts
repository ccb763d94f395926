import { join } from "node:path";
import { ladder, namedDirectory } from "../../lib/paths.ts";
import type { NativeClient, Part, UserEnvironment } from "../client.ts";
import { nearestWith } from "../loading-rules.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";

const OWN_NAME = join(".kimi-code", "AGENTS.md");
const NAMES = ["AGENTS.md", "agents.md"];
const SKILLS = [join(".kimi-code", "skills"), join(".agents", "skills")];
const RULES: SlotRules = { textOf: (whole) => whole.trim() };

/**
 * Kimi Code, as of 2.1. It reads two files of the user's, then from the repository's root down to the working directory
 * its own and one of the common names in each directory. Of files further down it names the paths, after a tool has
 * used a file there.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: [OWN_NAME, "AGENTS.md"],
  moreNames: () => [],
  reach(cwd, user, facts) {
    const root = nearestWith(cwd, [".git"], facts);
    const home: Slot[] = [
      { paths: [join(kimiHome(user), "AGENTS.md")], origin: "home", takes: "all" },
      { paths: NAMES.map((name) => join(user.home, ".agents", name)), origin: "home", takes: "first" },
    ];
    const project = ladder(root ?? cwd, cwd).flatMap((directory): Slot[] => [
      { paths: [join(directory, OWN_NAME)], origin: "project", takes: "all" },
      { paths: NAMES.map((name) => join(directory, name)), origin: "project", takes: "first" },
    ]);
    return { cwd, root: root ?? null, budget: null, files: reachSlots([...home, ...project], RULES, facts) };
  },
  onTouch: () => [],
  skillDirectories(cwd, user, facts) {
    const root = nearestWith(cwd, [".git"], facts) ?? cwd;
    const own = [join(kimiHome(user), "skills"), join(user.home, ".agents", "skills")];
    return [...SKILLS.map((name) => join(root, name)), ...own];
  },
  /** It cuts descriptions in its listing. */
  skillListing: () => undefined,
  text: (reach, facts) =>
    textsOf(reach, RULES, facts)
      .map(({ path, text }) => `<!-- From: ${path} -->\n${text}`)
      .join("\n\n"),
};

export function kimiHome({ home, env }: UserEnvironment): string {
  return namedDirectory(env["KIMI_CODE_HOME"], join(home, ".kimi-code"));
}
