import { join, resolve } from "node:path";
import { framed } from "../instructions/elements.ts";
import { knownSkills } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { escapeText } from "../lib/escape.ts";
import { quoteForShell } from "../lib/shell-quote.ts";
import { withoutEnd } from "../lib/text.ts";
import { pathsOfPrompt } from "../touched/prompt.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { disabledNames, decidePermission, permissionRules } from "./permissions.ts";
import { discoverSkills, type Discovery } from "./discover.ts";
import { MAX_QUERY, rankSkills } from "./rank.ts";
import { renderSkillEntry, type ShownSkill } from "./render.ts";
import { mentionedName, selectSkill } from "./select.ts";
import { SKILL_FILE, type Skill } from "./skill.ts";

/** What a prompt has to do with skills: those that it names by `$name` or path, and those that may help, best first. */
export interface PromptSkills {
  readonly named: readonly SkillPointer[];
  readonly suggested: readonly ShownSkill[];
}

export const NO_SKILLS: PromptSkills = { named: [], suggested: [] };

/** A skill that was named, and where those of the name are. */
export interface SkillPointer {
  readonly name: string;
  readonly paths: readonly string[];
}

/** Looks at the skills only if the prompt names one, or the settings want suggestions. */
export async function skillsOfPrompt(world: World, workspace: Workspace, prompt: string): Promise<PromptSkills> {
  const { enabled, suggest, disabled } = workspace.settings.skills;
  const names = mentionsIn(prompt);
  const paths = skillPathsIn(prompt, workspace.cwd, world.home).filter((path) => isSkill(workspace, path));
  const isConcerned = names.length > 0 || paths.length > 0 || (suggest > 0 && prompt.trim() !== "");
  if (!isConcerned || !enabled || workspace.userConfigLost) return NO_SKILLS;
  const found = await discoverSkills(world, workspace);
  const rules = permissionRules(workspace.layers);
  const isDisabled = disabledNames(disabled);
  const isAllowed = (skill: Skill) => decidePermission(rules, skill).decision !== "deny" && !isDisabled(skill.name);
  const pointers = [...namedByPath(workspace, found, paths), ...namedByName(found, names)]
    .map(({ name, skills }) => ({ name, paths: skills.filter(isAllowed).map(({ path }) => path) }))
    .filter((pointer) => pointer.paths.length > 0);
  const named = distinct(pointers);
  if (suggest === 0) return { named, suggested: [] };
  const known = new Set([...named.flatMap((pointer) => pointer.paths), ...loadedSkills(world, workspace)]);
  const isNew = (skill: Skill) => !known.has(skill.path) && isAllowed(skill);
  const { results } = rankSkills(found.book, { text: prompt.slice(0, MAX_QUERY), path: undefined }, suggest, isNew);
  return { named, suggested: results.map(({ skill }) => skill) };
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

/** A path means one skill, however many have its name. */
function namedByPath({ cwd }: Workspace, { book }: Discovery, paths: readonly string[]): Named[] {
  return paths.flatMap((typed) => {
    const path = realPathOf(resolve(cwd, typed));
    const skill = book.all().find((candidate) => candidate.path === path || candidate.dir === path);
    return skill === undefined ? [] : [{ name: skill.name, skills: [skill] }];
  });
}

/** Prompts are full of slashes: only if a skill is there, all skills are looked at. */
function isSkill({ cwd }: Workspace, typed: string): boolean {
  const path = realPathOf(resolve(cwd, typed));
  if (path === undefined) return false;
  return path.toLowerCase().endsWith("/skill.md") || realPathOf(join(path, SKILL_FILE)) !== undefined;
}

/** Without names whose skills were all named by path before. */
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
const MAX_MENTIONS = 8;
const MAX_PATHS = 32;

const MENTION = /\$([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)/g;
/** These beside a mention make it something else. */
const NOT_BEFORE = /[\w$\\]/;
const NOT_BEHIND = /[\w-]/;

/** The names that a text mentions as `$name`, each once. A shell's variables look the same, but no skill has their name. */
export function mentionsIn(text: string): string[] {
  const names = new Set<string>();
  const prompt = text.slice(0, MAX_PROMPT);
  for (const { 0: whole, 1: name = "", index } of prompt.matchAll(MENTION)) {
    if (NOT_BEFORE.test(prompt[index - 1] ?? "") || NOT_BEHIND.test(prompt[index + whole.length] ?? "")) continue;
    names.add(mentionedName(name));
    if (names.size === MAX_MENTIONS) break;
  }
  return [...names];
}

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

/** Renders the named skills; then fewer and fewer of them, with the number of the others; at last nothing. */
export function fewerNamed({ named }: PromptSkills): string[] {
  const texts = named.map((_, dropped) => {
    const shown = named.slice(0, named.length - dropped);
    return renderSkillPointers(shown) + renderRest(dropped);
  });
  return named.length === 0 ? [""] : [...texts, renderRest(named.length), ""];
}

/** Renders as many of the suggested skills as fit, if any. */
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

/** "" if there are none. */
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

/** "" if there are none. */
export function renderSkillSuggestions(skills: readonly ShownSkill[]): string {
  if (skills.length === 0) return "";
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  const offer =
    "These skills may fit. Load one with codelia skills load &lt;path&gt;, only if the task calls for it:\n";
  return framed("skills_suggested", offer + entries);
}
