import { basename, extname, join } from "node:path";
import type { NativeClient, Part, TreeFacts, UserEnvironment } from "../client.ts";
import { withoutHeader } from "../front-matter.ts";
import { nearestWith } from "../loading-rules.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";

const NAME = "AGENTS.md";
const RULE_DIRECTORIES = [".clinerules", join(".cline", "rules")];
const USER_RULES = join("Documents", "Cline", "Rules");
const RULE_ENDINGS: ReadonlySet<string> = new Set([".md", ".markdown", ".txt"]);
const RULES: SlotRules = { textOf: (whole) => withoutHeader(whole).trim() };

/**
 * Cline, as of its command-line program 3.0. It reads AGENTS.md of the working directory and no other, one of the
 * user's, and rules, which may be for some files only; all sorted by their titles.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: [NAME],
  moreNames: () => [],
  reach(cwd, user, facts) {
    const slots = sourcesIn(cwd, user, facts).map(({ path, origin }): Slot => ({
      paths: [path],
      origin,
      takes: "all",
    }));
    return {
      cwd,
      root: nearestWith(cwd, [".git"], facts) ?? null,
      budget: null,
      files: reachSlots(slots, RULES, facts),
    };
  },
  // It tells no hook that a session starts. By its first tool call it has loaded the files.
  onTouch: (cwd, _, user, facts) => profile.reach(cwd, user, facts).files,
  skillDirectories: (cwd, { home }) => [cwd, home].map((directory) => join(directory, ".agents", "skills")),
  /** It names them to its model, and does not say what they are for. */
  skillListing: () => undefined,
  text(reach, facts) {
    const texts = textsOf(reach, RULES, facts);
    if (texts.length === 0) return "";
    const isHome = ({ origin }: { origin: string }) => origin === "home";
    return `# Rules\n${texts.map((each) => `## ${titleOf(each.path, isHome(each))}\n${each.text}`).join("\n\n")}`;
  },
};

interface Source {
  readonly path: string;
  readonly origin: Slot["origin"];
}

function sourcesIn(cwd: string, { home }: UserEnvironment, facts: TreeFacts): Source[] {
  const sources: Source[] = [
    { path: join(cwd, NAME), origin: "project" },
    { path: join(home, ".agents", NAME), origin: "home" },
    // A directory of that name is one of rules.
    ...[NAME, ...RULE_DIRECTORIES].flatMap((name) => rulesIn(join(cwd, name), "project", facts)),
    ...rulesIn(join(home, USER_RULES), "home", facts),
  ];
  const titled = sources.map((source) => ({ source, title: titleOf(source.path, source.origin === "home") }));
  return titled.toSorted((one, other) => one.title.localeCompare(other.title)).map(({ source }) => source);
}

function rulesIn(directory: string, origin: Source["origin"], facts: TreeFacts): Source[] {
  const names = facts.list(directory).filter((name) => RULE_ENDINGS.has(extname(name)));
  return names.map((name) => ({ path: join(directory, name), origin }));
}

function titleOf(path: string, isHome: boolean): string {
  const isRule = [...RULE_DIRECTORIES, USER_RULES].some((directory) => path.endsWith(join(directory, basename(path))));
  if (isRule || basename(path) !== NAME) return basename(path, extname(path));
  return `${isHome ? "Global" : "Workspace"} ${NAME}`;
}
