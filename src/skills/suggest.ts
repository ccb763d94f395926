import { framed } from "../instructions/elements.ts";
import { knownSkills } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import { escapeText } from "../lib/escape.ts";
import { quoteForShell } from "../lib/shell-quote.ts";
import { withoutEnd } from "../lib/text.ts";
import { pathsOfPrompt } from "../touched/prompt.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { disabledNames } from "./disabled.ts";
import { discoverSkills, type Discovery } from "./discover.ts";
import { judgeSkill, permissionRules, type PlacedRule } from "./permissions.ts";
import { MAX_QUERY, rankSkills } from "./rank.ts";
import { renderSkillEntry, type ShownSkill } from "./render.ts";
import { mentionsIn, selectSkill, findNamedPath } from "./select.ts";
import type { Skill } from "./skill.ts";

/**
 * Where the skills are that a prompt names, by `$name` or path; and, where the settings want it, those that fit it best.
 *
 * @output none where there is nothing to say
 * @effect looks at the skills, where there is need
 * @error  none
 */
export async function skillsOfPrompt(world: World, workspace: Workspace, prompt: string): Promise<PromptSkills> {
  const { enabled, suggest, disabled } = workspace.settings.skills;
  const names = mentionsIn(prompt);
  const paths = skillPathsIn(prompt, workspace.cwd, world.home).filter((path) => isSkillPlace(workspace, path));
  const isAsked = names.length > 0 || paths.length > 0 || (suggest > 0 && prompt.trim() !== "");
  if (!isAsked || !enabled || workspace.userConfigLost) return NO_SKILLS;
  const found = await discoverSkills(world, workspace);
  const rules = permissionRules(workspace.layers);
  const isDisabled = disabledNames(disabled);
  const isAllowed = (skill: Skill) => isLoadable(rules, skill) && !isDisabled(skill.name);
  const pointers = [...namedByPath(workspace, found, paths), ...namedByName(found, names)]
    .map(({ name, skills }) => ({ name, paths: skills.filter(isAllowed).map(({ path }) => path) }))
    .filter(({ paths: places }) => places.length > 0);
  const unique = distinct(pointers);
  const known = new Set([...unique.flatMap((pointer) => pointer.paths), ...loadedSkills(world, workspace)]);
  const isWanted = (skill: Skill) => !known.has(skill.path) && isAllowed(skill);
  const suggested =
    suggest > 0
      ? rankSkills(found.book, { text: prompt.slice(0, MAX_QUERY), path: undefined }, suggest, isWanted).results
      : [];
  return { named: unique, suggested: suggested.map(({ skill }) => skill) };
}

interface Named {
  readonly name: string;
  readonly skills: readonly Skill[];
}

function namedByName({ book, errors }: Discovery, names: readonly string[]): Named[] {
  const skills = book.all();
  return names.map((name) => {
    const selection = selectSkill({ skills, errors }, { text: name, path: undefined, typedPath: name });
    if (selection.kind === "found") return { name, skills: [selection.skill] };
    return { name, skills: selection.kind === "ambiguous" ? selection.candidates : [] };
  });
}

/** A path is of one skill, however many have its name. */
function namedByPath({ cwd }: Workspace, { book }: Discovery, paths: readonly string[]): Named[] {
  return paths.flatMap((typed) => {
    const path = findNamedPath(cwd, typed);
    const skill = book.all().find((candidate) => candidate.path === path || candidate.dir === path);
    return skill === undefined ? [] : [{ name: skill.name, skills: [skill] }];
  });
}

/** Only what is there is worth a look at the skills: prompts are full of slashes. */
function isSkillPlace({ cwd }: Workspace, typed: string): boolean {
  const path = findNamedPath(cwd, typed);
  if (path === undefined) return false;
  return path.toLowerCase().endsWith("/skill.md") || findNamedPath(path, "SKILL.md") !== undefined;
}

function isLoadable(rules: readonly PlacedRule[], skill: Skill): boolean {
  return judgeSkill(rules, skill).decision !== "deny";
}

/** What is named by path needs no second line by name. */
function distinct(pointers: readonly SkillPointer[]): SkillPointer[] {
  const seen = new Set<string>();
  return pointers.filter(({ paths }) => {
    const isNew = !paths.every((path) => seen.has(path));
    for (const path of paths) seen.add(path);
    return isNew;
  });
}

function loadedSkills(world: World, { root, key, places }: Workspace): string[] {
  const { session } = viewSession(root.directory, key.session, places, world.home);
  return Object.entries(knownSkills(session, key.context))
    .filter(([, { n }]) => n > 0)
    .map(([path]) => path);
}

const MAX_PROMPT = 256 * 1024;

const MAX_PATHS = 32;

/** The paths in a prompt that may be a skill's: those it mentions with `@`, and words with a slash in them. */
export function skillPathsIn(text: string, cwd: string, home: string): string[] {
  const prompt = text.slice(0, MAX_PROMPT);
  const paths = new Set(pathsOfPrompt(prompt, cwd, home).map(({ path }) => path));
  for (const [word] of prompt.matchAll(/[^\s"'`<>()[\]{},;，、。「」（）]+/g)) {
    if (paths.size >= MAX_PATHS) break;
    if (!word.includes("/")) continue;
    const path = withoutEnd(word.replace(/^[@$]/, ""), ".:!?");
    if (!path.includes("/") || path.includes("://") || path.length > 4096) continue;
    paths.add(path.startsWith("~/") ? home + path.slice(1) : path);
  }
  return [...paths].slice(0, MAX_PATHS);
}

/** The skills that a prompt names, and those that may help with it, the best first. */
export interface PromptSkills {
  readonly named: readonly SkillPointer[];
  readonly suggested: readonly ShownSkill[];
}

export const NO_SKILLS: PromptSkills = { named: [], suggested: [] };

/** The skills named, then ever fewer of them with how many more there are, at last nothing. */
export function fewerNamed({ named }: PromptSkills): string[] {
  const texts = named.map((_, dropped) => {
    const shown = named.slice(0, named.length - dropped);
    return renderSkillPointers(shown) + renderRest(dropped);
  });
  return named.length === 0 ? [""] : [...texts, renderRest(named.length), ""];
}

/** As many of the skills suggested as fit, if any. */
export function fittingSuggestions({ suggested }: PromptSkills, fits: (text: string) => boolean): string {
  for (let shown = suggested.length; shown > 0; shown--) {
    const text = renderSkillSuggestions(suggested.slice(0, shown));
    if (fits(text)) return text;
  }
  return "";
}

function renderRest(count: number): string {
  if (count === 0) return "";
  const skills = count === 1 ? "skill" : "skills";
  const sentence = `${count} more ${skills} that the user names did not fit here`;
  return framed("skills_named", `${sentence}: codelia skills search &lt;name&gt; finds each.\n`);
}

/** A skill that was named, and where those of the name are. */
export interface SkillPointer {
  readonly name: string;
  readonly paths: readonly string[];
}

/** Where the skills are that a prompt names; "" where it names none. */
export function renderSkillPointers(pointers: readonly SkillPointer[]): string {
  if (pointers.length === 0) return "";
  const lines = pointers.map(({ name, paths }) => {
    const words = paths.map((path) => escapeText(quoteForShell(path)));
    return words.length === 1
      ? `- ${escapeText(name)}: codelia skills load ${words.join("")}\n`
      : `- ${escapeText(name)} is the name of ${words.length} skills; ask which, then load one of them: ${words.join(", ")}\n`;
  });
  const request = "The user names skills. Load each before you begin, unless you have its text:\n";
  return framed("skills_named", request + lines.join(""));
}

/** Skills that may help with a prompt; "" where there are none. */
export function renderSkillSuggestions(skills: readonly ShownSkill[]): string {
  if (skills.length === 0) return "";
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  const offer =
    "These skills may fit. Load one with codelia skills load &lt;path&gt;, only if the task calls for it:\n";
  return framed("skills_suggested", offer + entries);
}
