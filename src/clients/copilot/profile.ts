import { basename, dirname, join, resolve } from "node:path";
import { readMemory } from "../../instructions/memory-text.ts";
import { isInside, ladder } from "../../lib/paths.ts";
import { lossyText } from "../../lib/text.ts";
import type { NativeClient, Part, TreeFacts, UserEnvironment } from "../client.ts";
import { nearestWith } from "../loading-rules.ts";
import { sizeOf } from "../reached.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";

const OWN_NAME = join(".github", "copilot-instructions.md");
const NAMES = [OWN_NAME, "AGENTS.md", "CLAUDE.md", "GEMINI.md"];
/** The only tool whose result comes with the instruction files above the file that it shows. */
const LOADING_TOOL = "view";
const OWN_SKILLS = [".claude/skills", ".github/skills"];
const SKILLS = [".agents/skills", ...OWN_SKILLS];
const MAX_SKILL_LEVELS = 2;
/** Its listing has 15,000 characters, of which an entry takes up to 50 more than is counted here. */
const LISTING_ROOM = 9000;
const RULES: SlotRules = {
  readsOnce: true,
  importsOf: (text, path, facts) => importsIn(text, path, facts).map(({ target }) => ({ path: target, by: path })),
};

/**
 * Copilot CLI, as of 1.0.102. It reads one file of the user's, then all names in the repository's root, in the working
 * directory, and in those between; with a file that it shows, those of the directories down to it.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: NAMES,
  ownNames: [OWN_NAME],
  ownSkills: OWN_SKILLS,
  moreNames: () => [],
  loadsOnce: true,
  reach(cwd, user, facts) {
    const root = nearestWith(cwd, [".git"], facts);
    return { cwd, root: root ?? null, budget: null, files: reachSlots(slotsIn(cwd, user, facts), RULES, facts) };
  },
  onTouch(cwd, { tool, path }, user, facts) {
    const top = nearestWith(cwd, [".git"], facts) ?? cwd;
    if (tool !== LOADING_TOOL || !isInside(top, path)) return [];
    const known = slotsIn(cwd, user, facts);
    const before = reachSlots(known, RULES, facts).length;
    return reachSlots(
      [...known, ...ladder(top, dirname(path)).map((directory) => allIn(directory, facts))],
      RULES,
      facts,
    ).slice(before);
  },
  skillDirectories(cwd, { home }, facts) {
    const top = nearestWith(cwd, [".git"], facts) ?? cwd;
    const project = ladder(top, cwd).flatMap((directory) => SKILLS.map((name) => join(directory, name)));
    return [...project, join(home, ".agents", "skills"), join(home, ".copilot", "skills")];
  },
  skillListing(cwd, user, facts) {
    return {
      directories: profile.skillDirectories(cwd, user, facts),
      levels: MAX_SKILL_LEVELS,
      isByName: true,
      skips: ["dotted", "user-only-loosely"],
      room: LISTING_ROOM,
      over: "drops",
    };
  },
  text: (reach, facts) =>
    textsOf(reach, RULES, facts)
      .map(({ path, text }) => `<custom_instruction>\n${withImports(text, path, facts)}\n</custom_instruction>`)
      .join("\n\n"),
};

interface WrittenImport {
  readonly name: string;
  readonly target: string;
}

function importsIn(text: string, path: string, facts: TreeFacts): WrittenImport[] {
  const top = nearestWith(dirname(path), [".git"], facts) ?? dirname(path);
  return [...new Set(readMemory(text).imports)]
    .map((name) => ({ name, target: resolve(dirname(path), name) }))
    .filter(({ target }) => isInside(top, target) && facts.at(target)?.kind === "file");
}

/** Each imported text stands behind its name. */
function withImports(text: string, path: string, facts: TreeFacts): string {
  return importsIn(text, path, facts).reduce((whole, { name, target }) => {
    const imported = lossyText(facts.start(target, sizeOf(facts.at(target)))).trimEnd();
    const element = `<imported_custom_instruction source="${target}">\n${imported}\n</imported_custom_instruction>`;
    return whole.replace(`@${name}`, () => `@${name}\n\n${element}`);
  }, text);
}

function slotsIn(cwd: string, { home }: UserEnvironment, facts: TreeFacts): Slot[] {
  const top = nearestWith(cwd, [".git"], facts) ?? cwd;
  const between = ladder(top, cwd).slice(1, -1);
  const own: Slot = { paths: [join(home, ".copilot", "copilot-instructions.md")], origin: "home", takes: "all" };
  return [own, ...[...new Set([top, cwd]), ...between].map((directory) => allIn(directory, facts))];
}

/** In any letter case. */
function allIn(directory: string, facts: TreeFacts): Slot {
  const paths = NAMES.flatMap((name) => {
    const place = join(directory, dirname(name));
    const wanted = basename(name).toLowerCase();
    return facts
      .list(place)
      .filter((entry) => entry.toLowerCase() === wanted)
      .map((entry) => join(place, entry));
  });
  return { paths, origin: "project", takes: "all" };
}
