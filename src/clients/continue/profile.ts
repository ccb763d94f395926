import { basename, extname, join } from "node:path";
import { namedDirectory } from "../../lib/paths.ts";
import { lossyText } from "../../lib/text.ts";
import type { NativeClient, Part, TreeFacts, UserEnvironment } from "../client.ts";
import { headerOf, withoutHeader } from "../front-matter.ts";
import { nearestWith } from "../loading-rules.ts";
import { sizeOf } from "../reached.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";

/** The first that is there counts, and no other. */
const NAMES = ["AGENTS.md", "AGENT.md", "CLAUDE.md", "CODEX.md"];
const OWN_SKILLS = [".continue/skills", ".claude/skills"];
const MAX_RULE_LEVELS = 8;
const RULES: SlotRules = { countsBlank: true };

/**
 * Continue's command-line program, as of 1.5. It reads one file of the working directory and no other, then rules of the
 * project and of the user that are not for some files only, and nothing later.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: NAMES,
  ownSkills: OWN_SKILLS,
  moreNames: () => [],
  reach(cwd, user, facts) {
    const present = NAMES.map((name) => join(cwd, name)).filter((path) => isThere(path, facts));
    // What can't be read ends its search.
    const isReadable = present[0] !== undefined && facts.at(present[0])?.kind === "file";
    const slots: Slot[] = [
      { paths: isReadable ? present : present.slice(0, 1), origin: "project", takes: "first" },
      { paths: rulesIn(join(cwd, ".continue", "rules"), facts), origin: "project", takes: "all" },
      { paths: rulesIn(join(continueHome(user), "rules"), facts), origin: "home", takes: "all" },
    ];
    const root = nearestWith(cwd, [".git"], facts) ?? null;
    return { cwd, root, budget: null, files: reachSlots(slots, RULES, facts) };
  },
  onTouch: () => [],
  skillDirectories: (cwd, user) => [...OWN_SKILLS.map((name) => join(cwd, name)), join(continueHome(user), "skills")],
  /** It reads no skills of `.agents`. */
  skillListing: () => undefined,
  text: (reach, facts) =>
    textsOf(reach, RULES, facts)
      .map(({ path, text }) => (NAMES.includes(basename(path)) ? text : withoutHeader(text)))
      .join("\n\n"),
};

function isThere(path: string, facts: TreeFacts): boolean {
  const what = facts.at(path);
  return what !== undefined && what.kind !== "loop" && !(what.kind === "unusable" && what.reason === "dangling-link");
}

function rulesIn(directory: string, facts: TreeFacts, level = 0): string[] {
  return facts.list(directory).flatMap((name) => {
    const path = join(directory, name);
    const what = facts.at(path);
    if (what?.kind === "directory") return level < MAX_RULE_LEVELS ? rulesIn(path, facts, level + 1) : [];
    if (what?.kind !== "file" || extname(name) !== ".md") return [];
    return isForAll(lossyText(facts.start(path, sizeOf(what)))) ? [path] : [];
  });
}

function isForAll(text: string): boolean {
  const header = headerOf(text);
  if (/^invokable:[ \t]*true\b/m.test(header) || withoutHeader(text).trim() === "") return false;
  return /^alwaysApply:[ \t]*true\b/m.test(header) || !/^(?:alwaysApply|globs|regex):/m.test(header);
}

function continueHome({ home, env }: UserEnvironment): string {
  return namedDirectory(env["CONTINUE_GLOBAL_DIR"], join(home, ".continue"));
}
