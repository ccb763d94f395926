import { dirname, join, relative } from "node:path";
import { ladder, wholeLadder } from "../../lib/paths.ts";
import { lastValue } from "../../lib/table.ts";
import type { NativeClient, Part, TreeFacts, UserEnvironment } from "../client.ts";
import { inlineImports } from "../inline-imports.ts";
import { fileNames, nearestWith } from "../loading-rules.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";

const NAMES = ["QWEN.md", "AGENTS.md"];
const LOCAL_NAME = join(".qwen", "QWEN.local.md");
const OWN_SKILLS = [".qwen/skills"];
const SKILLS = [...OWN_SKILLS, ".agents/skills"];

const RULES: SlotRules = {
  textOf: (whole) => whole.trim(),
  readsOnce: true,
  importsOf: (text, path, facts) => inlineImports(text, path, facts).imports,
};

/**
 * Qwen Code, as of 0.24.4. It reads name by name: in the user's directory, then from one directory above the
 * repository's root down to the working directory; without a repository from the file system's root. It reads nothing
 * further down.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: NAMES,
  ownNames: NAMES.slice(0, 1),
  ownSkills: OWN_SKILLS,
  moreNames: (cwd, user, facts) => namesFor(cwd, user, facts).filter((name) => !NAMES.includes(name)),
  reach(cwd, user, facts) {
    const root = nearestWith(cwd, [".git"], facts);
    const rungs = root === undefined ? wholeLadder(cwd).slice(1) : ladder(dirname(root), cwd);
    const slots = namesFor(cwd, user, facts).flatMap((name): Slot[] => [
      { paths: [join(user.home, ".qwen", name)], origin: "home", takes: "all" },
      { paths: rungs.map((directory) => join(directory, name)), origin: "project", takes: "all" },
    ]);
    const local: Slot[] =
      root === undefined ? [] : [{ paths: [join(root, LOCAL_NAME)], origin: "project", takes: "all" }];
    return { cwd, root: root ?? null, budget: null, files: reachSlots([...slots, ...local], RULES, facts) };
  },
  onTouch: () => [],
  skillDirectories: (cwd, { home }) => [cwd, home].flatMap((directory) => SKILLS.map((name) => join(directory, name))),
  skillListing(cwd, user, facts) {
    if (lastValue(settingsOf(cwd, user, facts), ["skills"]) !== undefined) return undefined;
    const directories = [cwd, user.home].map((directory) => join(directory, ".agents", "skills"));
    return { directories, levels: 1, isByName: true, skips: ["user-only"] };
  },
  text(reach, facts) {
    return textsOf(reach, RULES, facts)
      .map(({ path, text }) => {
        const name = relative(reach.cwd, path);
        return `--- Context from: ${name} ---\n${inlineImports(text, path, facts).text.trim()}\n--- End of Context from: ${name} ---`;
      })
      .join("\n\n");
  },
};

function settingsOf(cwd: string, { home }: UserEnvironment, facts: TreeFacts): unknown[] {
  return [home, cwd].map((directory) => facts.data(join(directory, ".qwen", "settings.json")));
}

function namesFor(cwd: string, user: UserEnvironment, facts: TreeFacts): readonly string[] {
  return fileNames(lastValue(settingsOf(cwd, user, facts), ["context", "fileName"]), NAMES);
}
