import { dirname, join } from "node:path";
import { isInside, ladder } from "../../lib/paths.ts";
import { lastValue } from "../../lib/table.ts";
import type { NativeClient, Part, TreeFacts, UserEnvironment } from "../client.ts";
import { inlineImports } from "../inline-imports.ts";
import { fileNames, nearestWith } from "../loading-rules.ts";
import { reachSlots, textsOf, type Slot, type SlotRules } from "../slots.ts";

const OWN_NAME = "GEMINI.md";
const OWN_SKILLS = [".gemini/skills"];
const SKILLS = [...OWN_SKILLS, ".agents/skills"];
/** The tools whose result comes with the instruction files above the file. */
const LOADING_TOOLS: ReadonlySet<string> = new Set([
  "read_file",
  "replace",
  "write_file",
  "read_many_files",
  "list_directory",
]);

const RULES: SlotRules = {
  textOf: (whole) => whole.trim(),
  readsOnce: true,
  importsOf: (text, path, facts) => inlineImports(text, path, facts).imports,
};

/**
 * Gemini CLI, as of 0.61. It reads files with the names of its setting `context.fileName`, which by default is its own
 * name alone, in the user's directory and from the repository's root down to the working directory, and further down
 * with the tools that name a file.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: [OWN_NAME],
  ownNames: [OWN_NAME],
  ownSkills: OWN_SKILLS,
  moreNames: (cwd, user, facts) => namesFor(cwd, user, facts).filter((name) => name !== OWN_NAME),
  reach(cwd, user, facts) {
    const top = topOf(cwd, facts);
    return { cwd, root: top, budget: null, files: reachSlots(slotsIn(cwd, user, facts), RULES, facts) };
  },
  onTouch(cwd, { tool, path }, user, facts) {
    const top = topOf(cwd, facts);
    if (!LOADING_TOOLS.has(tool) || !isInside(cwd, path)) return [];
    const known = slotsIn(cwd, user, facts);
    const before = reachSlots(known, RULES, facts).length;
    return reachSlots([...known, filesFrom(top, dirname(path), namesFor(cwd, user, facts))], RULES, facts).slice(
      before,
    );
  },
  skillDirectories: (cwd, { home }) => [cwd, home].flatMap((directory) => SKILLS.map((name) => join(directory, name))),
  skillListing(cwd, user, facts) {
    const settings = settingsOf(cwd, user, facts);
    const isTrustAsked = lastValue(settings, ["security", "folderTrust", "enabled"]) === true;
    if (isTrustAsked || lastValue(settings, ["skills"]) !== undefined) return undefined;
    const directories = [cwd, user.home].map((directory) => join(directory, ".agents", "skills"));
    return { directories, levels: 1, isByName: true, skips: ["dotted", "marked"] };
  },
  text(reach, facts) {
    const blocks = textsOf(reach, RULES, facts).map(({ path, origin, text }) => ({
      origin,
      text: blockOf(path, text, facts),
    }));
    const of = (wanted: "home" | "project") =>
      blocks
        .filter(({ origin }) => origin === wanted)
        .map(({ text }) => text)
        .join("\n\n");
    // The user's are in the system's words, the project's in the first of the user's.
    const [home, project] = [of("home"), of("project")];
    return [
      ...(home === "" ? [] : [`<loaded_context>\n${home}\n</loaded_context>`]),
      ...(project === ""
        ? []
        : [`<loaded_context>\n<project_context>\n${project}\n</project_context>\n</loaded_context>`]),
    ].join("\n\n");
  },
};

function blockOf(path: string, text: string, facts: TreeFacts): string {
  return `--- Context from: ${path} ---\n${inlineImports(text, path, facts).text.trim()}\n--- End of Context from: ${path} ---`;
}

function settingsOf(cwd: string, { home }: UserEnvironment, facts: TreeFacts): unknown[] {
  return [home, cwd].map((directory) => facts.data(join(directory, ".gemini", "settings.json")));
}

function namesFor(cwd: string, user: UserEnvironment, facts: TreeFacts): readonly string[] {
  return fileNames(lastValue(settingsOf(cwd, user, facts), ["context", "fileName"]), [OWN_NAME]);
}

function topOf(cwd: string, facts: TreeFacts): string {
  return nearestWith(cwd, [".git"], facts) ?? cwd;
}

function slotsIn(cwd: string, user: UserEnvironment, facts: TreeFacts): Slot[] {
  const names = namesFor(cwd, user, facts);
  const own = names.map((name) => join(user.home, ".gemini", name));
  return [{ paths: own, origin: "home", takes: "all" }, filesFrom(topOf(cwd, facts), cwd, names)];
}

/** It sorts them by their paths. */
function filesFrom(top: string, directory: string, names: readonly string[]): Slot {
  const paths = ladder(top, directory).flatMap((rung) => names.map((name) => join(rung, name)));
  return { paths: paths.toSorted((one, other) => (one < other ? -1 : 1)), origin: "project", takes: "all" };
}
