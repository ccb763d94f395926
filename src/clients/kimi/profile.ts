import { dirname, join } from "node:path";
import { isTable } from "../../lib/table.ts";
import { lossyText } from "../../lib/text.ts";
import { ladder } from "../../lib/paths.ts";
import type { NativeClient, Part } from "../client.ts";
import { nearestWith } from "../loading-rules.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";
import { kimiHome, OWN_SKILLS, SKILLS, userSkills } from "./files.ts";

const OWN_NAME = join(".kimi-code", "AGENTS.md");
const NAMES = ["AGENTS.md", "agents.md"];
const RULES: SlotRules = { textOf: (whole) => whole.trim() };
/** After these it names the files for the path, and after a shell command that lists directories those for them. */
const FILE_TOOLS: ReadonlySet<string> = new Set(["Read", "Edit", "Write"]);
const SEARCH_TOOLS: ReadonlySet<string> = new Set(["Glob", "Grep"]);
const MAX_SKILL_LEVELS = 9;
/** It cuts a description that is longer. */
const LONGEST_DESCRIPTION = 250;

/**
 * Kimi Code, as of 2.1. It reads two files of the user's, then from the repository's root down to the working directory
 * its own and one of the common names in each directory. Of files further down it names the paths, after a tool has
 * used a file there.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: [OWN_NAME, "AGENTS.md"],
  ownSkills: OWN_SKILLS,
  moreNames: () => [],
  reach(cwd, user, facts) {
    const root = nearestWith(cwd, [".git"], facts);
    const home: Slot[] = [
      { paths: [join(kimiHome(user), "AGENTS.md")], origin: "home", takes: "all" },
      { paths: NAMES.map((name) => join(user.home, ".agents", name)), origin: "home", takes: "first" },
    ];
    const slots = [...home, ...slotsBetween(root ?? cwd, cwd)];
    return { cwd, root: root ?? null, budget: null, files: reachSlots(slots, RULES, facts) };
  },
  onTouch: () => [],
  namesOn(_, { tool, path, how }, __, facts) {
    const isDirectory = SEARCH_TOOLS.has(tool) || how === "listing";
    if (!isDirectory && !FILE_TOOLS.has(tool)) return [];
    const directory = facts.at(path)?.kind === "directory" && isDirectory ? path : dirname(path);
    const root = nearestWith(directory, [".git"], facts) ?? directory;
    return reachSlots(slotsBetween(root, directory), RULES, facts).flatMap(({ path: file, status }) =>
      status === "loaded" ? file : [],
    );
  },
  tellsChanges: true,
  skillDirectories(cwd, user, facts) {
    const root = nearestWith(cwd, [".git"], facts) ?? cwd;
    return [...SKILLS.map((name) => join(root, name)), ...userSkills(user)];
  },
  skillListing(cwd, user, facts) {
    const config = facts.data(join(kimiHome(user), "config.toml"));
    if (isTable(config) && Object.keys(config).some((key) => key.includes("skill"))) return undefined;
    return {
      directories: profile.skillDirectories(cwd, user, facts),
      levels: MAX_SKILL_LEVELS,
      isByName: true,
      skips: ["dotted", "user-only"],
      isSkipped: ({ start }) => !/^name:[ \t]*\S/m.test(lossyText(start())),
      longest: LONGEST_DESCRIPTION,
    };
  },
  text: (reach, facts) =>
    textsOf(reach, RULES, facts)
      .map(({ path, text }) => `<!-- From: ${path} -->\n${text}`)
      .join("\n\n"),
};

function slotsBetween(top: string, directory: string): Slot[] {
  return ladder(top, directory).flatMap((rung): Slot[] => [
    { paths: [join(rung, OWN_NAME)], origin: "project", takes: "all" },
    { paths: NAMES.map((name) => join(rung, name)), origin: "project", takes: "first" },
  ]);
}
