import { dirname, join } from "node:path";
import { ladder, wholeLadder } from "../../lib/paths.ts";
import { lastValue } from "../../lib/table.ts";
import type { NativeClient, Part, TreeFacts, UserEnvironment } from "../client.ts";
import { nearestWith } from "../loading-rules.ts";
import { configuredFiles } from "./configured.ts";
import type { SeenSkill } from "../skill-listing.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";

// What opencode and its fork read by themselves.

/** What one of them does in its own way. */
export interface Member {
  /** The user's directory for it. */
  configDirectory(user: UserEnvironment): string;
  /** The directories that it alone has, in a project and in the home. */
  readonly own: readonly string[];
  /** The names of its settings files, each after those over which it counts. */
  readonly settings: readonly string[];
  /** Those of them that it also reads in its own directories. */
  readonly ownSettings: readonly string[];
  /** Without a repository it reads settings of the working directory only. */
  readonly staysInside?: true;
  /** Files that it reads after the others. */
  more?(cwd: string, user: UserEnvironment, facts: TreeFacts): readonly Slot[];
  /** What it makes of a file's text. */
  textOf?(whole: string, path: string, facts: TreeFacts): string;
  /** @param top of the project */
  rulesFor?(top: string, facts: TreeFacts): SlotRules;
  /** Whether it lists a skill of a project to nobody. */
  hides?(skill: SeenSkill, top: string, facts: TreeFacts): boolean;
}

/** The first that is found anywhere counts, and no other. */
const NAMES = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];
/** In their own directories. */
const SKILLS = ["skill", "skills"];
const MAX_SKILL_LEVELS = 6;
/** The tool whose result includes the instruction files for the file that it reads. */
const LOADING_TOOL = "read";

/**
 * They read one file of the user's, then the files of one name from the working directory up to the repository's root,
 * without a repository up to the file system's root. With a file that they read, they give one file of each directory
 * down to it.
 */
export function profileOf({
  configDirectory,
  own,
  settings,
  ownSettings,
  staysInside,
  more = () => [],
  textOf = (whole) => whole,
  rulesFor = () => ({}),
  hides,
}: Member): Part<NativeClient> {
  const ownSkills = [".claude/skills", ...own.flatMap((name) => SKILLS.map((folder) => `${name}/${folder}`))];
  const skills = [".agents/skills", ...ownSkills];
  const configured = (cwd: string, user: UserEnvironment, facts: TreeFacts): Slot[] => {
    const above = rungsAbove(cwd, facts);
    const places = staysInside === true ? ladder(topOf(cwd, facts), cwd).toReversed() : above;
    const ownIn = (directory: string) => own.flatMap((name) => ownSettings.map((file) => join(directory, name, file)));
    const configs = {
      user: settings.map((name) => join(configDirectory(user), name)),
      project: [
        ...settings.flatMap((name) => places.toReversed().map((directory) => join(directory, name))),
        ...[...places, user.home].flatMap(ownIn),
      ],
    };
    return configuredFiles(configs, above, user, facts);
  };
  const rulesAt = (cwd: string, facts: TreeFacts): SlotRules => ({
    ...rulesFor(topOf(cwd, facts), facts),
    countsBlank: true,
  });
  return {
    goesByNames: false,
    names: NAMES.slice(0, 2),
    ownSkills,
    moreNames: () => [],
    reach(cwd, user, facts) {
      const first = [homeSlot(configDirectory(user), user), ...slotsAbove(cwd, facts), ...more(cwd, user, facts)];
      const files = reachSlots(first, rulesAt(cwd, facts), facts);
      const given = new Set(files.filter(({ status }) => status === "loaded").map((file) => file.path));
      const others = configured(cwd, user, facts).map((slot) =>
        Object.assign(slot, { paths: slot.paths.filter((path) => !given.has(path)) }),
      );
      const root = nearestWith(cwd, [".git"], facts) ?? null;
      return { cwd, root, budget: null, files: [...files, ...reachSlots(others, rulesAt(cwd, facts), facts)] };
    },
    onTouch(cwd, { tool, path }, user, facts) {
      // What a config names is in each request from the start.
      const named = reachSlots(configured(cwd, user, facts), rulesAt(cwd, facts), facts);
      if (tool !== LOADING_TOOL) return named;
      const given = new Set(named.map((file) => file.path));
      const slots = ladder(cwd, dirname(path))
        .slice(1)
        .map((directory): Slot => ({
          paths: NAMES.map((name) => join(directory, name)),
          origin: "project",
          takes: "first",
        }));
      const loaded = reachSlots(slots, rulesAt(cwd, facts), facts);
      return [...named, ...loaded.filter((file) => !given.has(file.path))];
    },
    skillDirectories: (cwd, user, facts) =>
      [...ladder(topOf(cwd, facts), cwd), user.home]
        .flatMap((directory) => skills.map((name) => join(directory, name)))
        .concat(SKILLS.map((folder) => join(configDirectory(user), folder))),
    /** In a repository they search for skills from the working directory up to the root. */
    skillListing(cwd, user, facts) {
      const places = [configDirectory(user), cwd].flatMap((directory) => settings.map((name) => join(directory, name)));
      const permission = lastValue(
        places.map((path) => facts.data(path)),
        ["permission", "skill"],
      );
      if (permission !== undefined) return undefined;
      const top = topOf(cwd, facts);
      const directories = [...ladder(top, cwd), user.home].map((directory) => join(directory, ".agents", "skills"));
      const isSkipped = hides && ((skill: SeenSkill) => hides(skill, top, facts));
      return { directories, levels: MAX_SKILL_LEVELS, isByName: true, skips: [], ...(isSkipped && { isSkipped }) };
    },
    text: (reach, facts) =>
      textsOf(reach, rulesAt(reach.cwd, facts), facts)
        .map(({ path, text }) => `Instructions from: ${path}\n${textOf(text, path, facts)}`)
        .join("\n"),
  };
}

function topOf(cwd: string, facts: TreeFacts): string {
  return nearestWith(cwd, [".git"], facts) ?? cwd;
}

/** Where files are looked for, the nearest first. */
function rungsAbove(cwd: string, facts: TreeFacts): string[] {
  const root = nearestWith(cwd, [".git"], facts);
  return (root === undefined ? wholeLadder(cwd) : ladder(root, cwd)).toReversed();
}

function homeSlot(config: string, { home }: UserEnvironment): Slot {
  return { paths: [join(config, "AGENTS.md"), join(home, ".claude", "CLAUDE.md")], origin: "home", takes: "first" };
}

function slotsAbove(cwd: string, facts: TreeFacts): Slot[] {
  const rungs = rungsAbove(cwd, facts);
  const found = NAMES.map((name) =>
    rungs.map((directory) => join(directory, name)).filter((path) => facts.at(path) !== undefined),
  );
  const first = found.find((paths) => paths.length > 0)?.[0];
  return found.map((paths): Slot => {
    const isChosen = first !== undefined && paths.includes(first);
    const slot = { paths, origin: "project", takes: "all" } as const;
    return first === undefined || isChosen ? slot : Object.assign(slot, { shadowedBy: first });
  });
}
