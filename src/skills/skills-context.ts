import { escapeText } from "../lib/escape.ts";
import { framed } from "../instructions/framed.ts";
import { renderSkillEntry, type ShownSkill } from "./skill-entry.ts";

export interface ShownCatalogue {
  readonly skills: readonly ShownSkill[];
  readonly truncated: boolean;
}

const RULES = [
  "Each skill below is a set of instructions for one kind of task. Only its name and description are given here, not its text.",
  "Load a skill before you begin a task that its description fits, or when the user names it (as $name): codelia skills load &lt;name&gt;. Where several have one name, load by path.",
  "Load a skill once; its text stays in the conversation. Load none that the task does not call for.",
  "Relative paths in a skill start from the base directory that comes with its text. Read its other files only when it tells you to.",
];
const LOADED =
  "These skills were loaded earlier in this session. When you need one whose text you no longer have, load it again by its path.\n";
const SEARCH_RULE =
  "This catalogue is truncated: there are more skills. Find them by what they are for: codelia skills search &lt;query&gt;.";

/**
 * The skills of the initial context, without their texts.
 *
 * @param loaded paths of skills whose text the context had before it was compacted; `unnamed`: how many more
 * @output "" where there is nothing to tell
 */
export function renderSkillsContext(catalogue: ShownCatalogue, loaded: readonly string[] = [], unnamed = 0): string {
  const { skills, truncated } = catalogue;
  if (skills.length === 0 && loaded.length + unnamed === 0 && !truncated) return "";
  const rules = truncated ? [...RULES, SEARCH_RULE] : RULES;
  const usage = framed("skills_usage", rules.map((rule) => `  <rule>${rule}</rule>\n`).join(""));
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  const catalog = framed("skills_catalog", entries, ` scope="initial" truncated="${truncated}"`);
  return framed("skills_context", usage + catalog + renderLoaded(loaded, unnamed));
}

function renderLoaded(loaded: readonly string[], unnamed: number): string {
  if (loaded.length + unnamed === 0) return "";
  const rest =
    unnamed === 0 ? "" : `${unnamed} of them are not named here: codelia skills search &lt;query&gt; finds each.\n`;
  const paths = loaded.map((path) => `  <path>${escapeText(path)}</path>\n`).join("");
  return framed("skills_loaded", LOADED + paths + rest);
}
