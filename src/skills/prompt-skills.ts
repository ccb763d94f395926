import { knownSkills } from "../ledger/known-skills.ts";
import { judgeSkill, permissionRules, type PlacedRule } from "./permissions.ts";
import { disabledNames } from "./disabled.ts";
import { mentionsIn } from "./mention.ts";
import { skillPathsIn } from "./suggest-prompt-skills.ts";
import { MAX_QUERY, rankSkills } from "./rank.ts";
import { selectSkill } from "./select-skill.ts";
import type { Skill } from "./skill.ts";
import { discoverSkills, type Discovery } from "./discover.ts";
import { findNamedPath } from "./named-path.ts";
import { viewSession } from "../ledger/ledger-read.ts";
import type { Workspace } from "../workspace.ts";
import { NO_SKILLS, type PromptSkills } from "./suggest-prompt-skills-2.ts";
import type { SkillPointer } from "./skill-pointers.ts";
import type { World } from "../world.ts";

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
