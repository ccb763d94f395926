import { dirname, join } from "node:path";
import { namedDirectory, ladder, wholeLadder } from "../../lib/paths.ts";
import { lastValue } from "../../lib/table.ts";
import type { NativeClient, Part, TreeFacts, UserEnvironment } from "../client.ts";
import { nearestWith } from "../loading-rules.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";

/** The first that is found anywhere counts, and no other. */
const NAMES = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];
const OWN_SKILLS = ["skill", "skills"];
const SKILLS = [
  ...[".agents", ".claude"].map((name) => join(name, "skills")),
  ...OWN_SKILLS.map((name) => join(".opencode", name)),
];
const MAX_SKILL_LEVELS = 6;
/** The tool whose result includes the instruction files for the file that it reads. */
const LOADING_TOOL = "read";
const RULES: SlotRules = { countsBlank: true };

/**
 * opencode, as of 1.18. It reads one file of the user's, then the files of one name from the working directory up to the
 * repository's root, without a repository up to the file system's root. With a file that it reads, it gives one file of
 * each directory down to it.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: NAMES.slice(0, 2),
  moreNames: () => [],
  reach(cwd, user, facts) {
    const files = reachSlots(slotsIn(cwd, user, facts), RULES, facts);
    return { cwd, root: nearestWith(cwd, [".git"], facts) ?? null, budget: null, files };
  },
  onTouch(cwd, { tool, path }, _, facts) {
    if (tool !== LOADING_TOOL) return [];
    const slots = ladder(cwd, dirname(path))
      .slice(1)
      .map((directory): Slot => ({
        paths: NAMES.map((name) => join(directory, name)),
        origin: "project",
        takes: "first",
      }));
    return reachSlots(slots, RULES, facts);
  },
  skillDirectories(cwd, { home, env }, facts) {
    const top = nearestWith(cwd, [".git"], facts) ?? cwd;
    const own = OWN_SKILLS.map((name) => join(configDirectory({ home, env }), name));
    return [...ladder(top, cwd), home].flatMap((directory) => SKILLS.map((name) => join(directory, name))).concat(own);
  },
  /** In a repository it searches for skills from the working directory up to the root. */
  skillListing(cwd, user, facts) {
    const settings = [join(configDirectory(user), "opencode.json"), join(cwd, "opencode.json")];
    const permission = lastValue(
      settings.map((path) => facts.data(path)),
      ["permission", "skill"],
    );
    if (permission !== undefined) return undefined;
    const top = nearestWith(cwd, [".git"], facts) ?? cwd;
    const directories = [...ladder(top, cwd), user.home].map((directory) => join(directory, ".agents", "skills"));
    return { directories, levels: MAX_SKILL_LEVELS, isByName: true, skips: [] };
  },
  text: (reach, facts) =>
    textsOf(reach, RULES, facts)
      .map(({ path, text }) => `Instructions from: ${path}\n${text}`)
      .join("\n"),
};

function configDirectory({ home, env }: UserEnvironment): string {
  return join(namedDirectory(env["XDG_CONFIG_HOME"], join(home, ".config")), "opencode");
}

function slotsIn(cwd: string, user: UserEnvironment, facts: TreeFacts): Slot[] {
  const root = nearestWith(cwd, [".git"], facts);
  const rungs = (root === undefined ? wholeLadder(cwd) : ladder(root, cwd)).toReversed();
  const found = NAMES.map((name) =>
    rungs.map((directory) => join(directory, name)).filter((path) => facts.at(path) !== undefined),
  );
  const first = found.find((paths) => paths.length > 0)?.[0];
  const home = [join(configDirectory(user), "AGENTS.md"), join(user.home, ".claude", "CLAUDE.md")];
  return [
    { paths: home, origin: "home", takes: "first" },
    ...found.map((paths): Slot => {
      const isChosen = first !== undefined && paths.includes(first);
      const slot = { paths, origin: "project", takes: "all" } as const;
      return first === undefined || isChosen ? slot : Object.assign(slot, { shadowedBy: first });
    }),
  ];
}
