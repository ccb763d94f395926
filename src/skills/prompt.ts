import { join, resolve } from "node:path";
import { framed } from "../instructions/elements.ts";
import { knownSkills } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { escapeText } from "../lib/escape.ts";
import { nameInShell } from "../lib/programs.ts";
import { quoteForShell } from "../lib/shell-quote.ts";
import { withoutEnd } from "../lib/text.ts";
import { pathsOfPrompt } from "../touched/prompt.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { disabledNames, decidePermission, permissionRules } from "./permissions.ts";
import { discoverSkills, type Discovery } from "./discover.ts";
import { MAX_QUERY, rankSkills } from "./rank.ts";
import { calling, renderSkillEntry, type ShownSkill } from "./render.ts";
import { mentionedName, selectSkill } from "./select.ts";
import { SKILL_FILE, type Skill } from "./skill.ts";

/** The skills that concern a prompt: those that it names by `$name` or path, and others that may help, best first. */
export interface PromptSkills {
  readonly named: readonly SkillPointer[];
  readonly suggested: readonly ShownSkill[];
  /** How a shell calls codelia, if not by its name. */
  readonly program?: string;
}

export const NO_SKILLS: PromptSkills = { named: [], suggested: [] };

/** A named skill, and the paths of all skills with that name. */
export interface SkillPointer {
  readonly name: string;
  readonly paths: readonly string[];
}

/** Looks for skills only if the prompt names one, or if suggestions are on. */
export async function skillsOfPrompt(world: World, workspace: Workspace, prompt: string): Promise<PromptSkills> {
  const { enabled, suggest, disabled } = workspace.settings.skills;
  const names = mentionsIn(prompt);
  const paths = skillPathsIn(prompt, workspace.cwd, world.home).filter((path) => isSkill(workspace, path));
  const isConcerned = names.length > 0 || paths.length > 0 || (suggest > 0 && prompt.trim() !== "");
  if (!isConcerned || !enabled || workspace.lostConfig !== undefined) return NO_SKILLS;
  const found = await discoverSkills(world, workspace);
  const rules = permissionRules(workspace.layers);
  const isDisabled = disabledNames(disabled);
  const isAllowed = (skill: Skill) => decidePermission(rules, skill).decision !== "deny" && !isDisabled(skill.name);
  const pointers = [...namedByPath(workspace, found, paths), ...namedByName(found, names)]
    .map(({ name, skills }) => ({ name, paths: skills.filter(isAllowed).map(({ path }) => path) }))
    .filter((pointer) => pointer.paths.length > 0);
  const named = distinct(pointers);
  const program = nameInShell(world, "codelia");
  if (suggest === 0) return { named, suggested: [], program };
  const known = new Set([...named.flatMap((pointer) => pointer.paths), ...loadedSkills(world, workspace)]);
  const isNew = (skill: Skill) => !known.has(skill.path) && isAllowed(skill);
  const { results } = rankSkills(found.book, { text: prompt.slice(0, MAX_QUERY), path: undefined }, suggest, isNew);
  return { named, suggested: results.map(({ skill }) => skill), program };
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

/** A path selects one skill, however many share its name. */
function namedByPath({ cwd }: Workspace, { book }: Discovery, paths: readonly string[]): Named[] {
  return paths.flatMap((typed) => {
    const path = realPathOf(resolve(cwd, typed));
    const skill = book.all().find((candidate) => candidate.path === path || candidate.dir === path);
    return skill === undefined ? [] : [{ name: skill.name, skills: [skill] }];
  });
}

/** Prompts are full of slashes: all skills are searched only if one of the paths is a skill's. */
function isSkill({ cwd }: Workspace, typed: string): boolean {
  const path = realPathOf(resolve(cwd, typed));
  if (path === undefined) return false;
  return path.toLowerCase().endsWith("/skill.md") || realPathOf(join(path, SKILL_FILE)) !== undefined;
}

/** Drops names whose skills were all named by path before. */
function distinct(pointers: readonly SkillPointer[]): SkillPointer[] {
  const seen = new Set<string>();
  return pointers.filter(({ paths }) => {
    const isNew = !paths.every((path) => seen.has(path));
    for (const path of paths) seen.add(path);
    return isNew;
  });
}

function loadedSkills(world: World, { root, key, userDirectories }: Workspace): string[] {
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  return Object.entries(knownSkills(session, key.context))
    .filter(([, { n }]) => n > 0)
    .map(([path]) => path);
}

const MAX_PROMPT = 256 * 1024;
const MAX_MENTIONS = 8;
const MAX_PATHS = 32;

const MENTION = /\$([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)/g;
/** These characters next to a mention make it something else. */
const NOT_BEFORE = /[\w$\\]/;
const NOT_BEHIND = /[\w-]/;

/** The names that a text mentions as `$name`, each once. Shell variables look the same, but no skill has their name. */
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

/** Paths in a prompt that may be a skill's: those mentioned with `@`, and words that contain a slash. */
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
export function fewerNamed({ named, program }: PromptSkills): string[] {
  const texts = named.map((_, dropped) => {
    const shown = named.slice(0, named.length - dropped);
    return renderSkillPointers(shown, program) + renderRest(dropped, program);
  });
  return named.length === 0 ? [""] : [...texts, renderRest(named.length, program), ""];
}

/** Renders as many of the suggested skills as fit, if any. */
export function fittingSuggestions({ suggested, program }: PromptSkills, fits: (text: string) => boolean): string {
  for (let shown = suggested.length; shown > 0; shown--) {
    const text = renderSkillSuggestions(suggested.slice(0, shown), program);
    if (fits(text)) return text;
  }
  return "";
}

function renderRest(count: number, program?: string): string {
  if (count === 0) return "";
  const skills = count === 1 ? "skill" : "skills";
  const sentence = `${count} more ${skills} that the user names did not fit here`;
  return framed("skills_named", `${sentence}: ${calling(program, "codelia skills search &lt;name&gt;")} finds each.\n`);
}

/** "" if there are none. */
export function renderSkillPointers(pointers: readonly SkillPointer[], program?: string): string {
  if (pointers.length === 0) return "";
  const lines = pointers.map(({ name, paths }) => {
    const words = paths.map((path) => escapeText(quoteForShell(path)));
    return words.length === 1
      ? `- ${escapeText(name)}: ${calling(program, "codelia skills load")} ${words.join("")}\n`
      : `- ${escapeText(name)} is the name of ${words.length} skills; ask which, then load one of them: ${words.join(", ")}\n`;
  });
  const request = "The user names skills. Load each before you begin, unless you have its text:\n";
  return framed("skills_named", request + lines.join(""));
}

/** "" if there are none. */
export function renderSkillSuggestions(skills: readonly ShownSkill[], program?: string): string {
  if (skills.length === 0) return "";
  const entries = skills.map((skill) => renderSkillEntry(skill)).join("");
  const offer =
    "These skills may fit. Load one with codelia skills load &lt;path&gt;, only if the task calls for it:\n";
  return framed("skills_suggested", calling(program, offer) + entries);
}
