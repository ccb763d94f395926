import { hasPlugin } from "../config/settings.ts";
import { nameInShell } from "../lib/programs.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { discoverSkills } from "./discover.ts";
import { withoutDisabled } from "./permissions.ts";
import { renderSkillEntry } from "./render.ts";
import { ENTRY_FORMS, FORMS, inForm, listLines, type Form } from "./listing.ts";
import { bySignificance, skillsOrDirectories, type Skill, type SkillProblem } from "./skill.ts";

/** The skills that a context is told of when it begins. */
export interface Catalogue {
  readonly skills: readonly Skill[];
  /** Some skills are not shown. */
  readonly truncated: boolean;
  /** Some descriptions are shortened. */
  readonly isShortened: boolean;
  /** There is room for them only if the directory of those that are side by side is given once. */
  readonly isGrouped?: boolean;
  readonly figures: CatalogueFigures;
  /** A limit ended the search, so there may be further skills. */
  readonly unsearched: readonly string[];
  /** How a shell calls codelia. */
  readonly program: string;
}

/** Of all skills that could be shown. */
export interface CatalogueFigures {
  readonly named: number;
  /** Named without their whole description. */
  readonly shortened: number;
  readonly leftOut: number;
}

/** The most limits that are named. */
const MAX_LIMITS = 3;

export interface CatalogueOptions {
  /** Finds the paths of skills that the context knows of without it. */
  readonly known?: (skills: readonly Skill[]) => Promise<ReadonlySet<string>>;
  /** Whether skills may lose their own path, and in the end their description, so that none is left out. */
  readonly mayGroup?: boolean;
}

/** Warns of broken skills, and of limits. */
export async function gatherCatalogue(
  world: World,
  workspace: Workspace,
  { known, mayGroup }: CatalogueOptions = {},
): Promise<Catalogue> {
  const { book, errors: found, warnings } = await discoverSkills(world, workspace);
  const limits = found.filter(({ rule }) => rule === "skill-limit").slice(0, MAX_LIMITS);
  for (const { path, message } of limits) world.warn(`'${path}': ${message}`);
  const errors = found.filter(({ rule, severity }) => rule !== "skill-limit" && severity !== "note");
  warnOf(world, errors, "can't be used; 'codelia skills list' says why");
  warnOf(world, warnings, "should be repaired; 'codelia skills check' says how");
  const { disabled, initial } = workspace.settings.skills;
  const skills = await extendSkills(world, workspace, bySignificance(withoutDisabled(book.all(), disabled)));
  const listed = await known?.(skills);
  const unknown = listed ? skills.filter(({ path }) => !listed.has(path)) : skills;
  const chosen = chooseCatalogue(unknown, initial, mayGroup);
  return { ...chosen, unsearched: limits.map(({ path }) => path), program: nameInShell(world, "codelia") };
}

function warnOf(world: World, problems: readonly SkillProblem[], rest: string): void {
  const count = new Set(problems.map(({ path }) => path)).size;
  if (count > 0) world.warn(`${skillsOrDirectories(count)} ${rest}`);
}

/** The skills to show, after plugins have changed them. */
export async function extendSkills(
  world: World,
  workspace: Workspace,
  skills: readonly Skill[],
): Promise<readonly Skill[]> {
  if (!hasPlugin(workspace.layers, world.env, "skills:catalog")) return skills;
  const { extendCatalog } = await world.extensions();
  return extendCatalog(world, workspace, skills);
}

export interface CatalogueLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/**
 * The skills that fit. Descriptions are shortened, all to the same length, before a skill is left out; then the first
 * that does not fit ends the catalogue: whether a skill is shown must not depend on the descriptions after it.
 *
 * @param skills the most significant first
 * @param mayGroup whether further forms come before leaving skills out: the directory given once, then names alone
 */
export function chooseCatalogue(
  skills: readonly Skill[],
  { maxEntries, maxBytes }: CatalogueLimits,
  mayGroup = false,
): Omit<Catalogue, "unsearched" | "program"> {
  const most = skills.slice(0, maxEntries);
  let shown: readonly Skill[] = [];
  let isGrouped = false;
  for (const form of mayGroup ? FORMS : ENTRY_FORMS) {
    const all = inForm(most, form);
    ({ isGrouped } = form);
    shown = all.slice(0, fittingCount(all, form, maxBytes));
    if (shown.length === most.length) break;
  }
  const shortened = shown.filter(({ description }, index) => description !== skills[index]?.description).length;
  const leftOut = skills.length - shown.length;
  return {
    skills: shown,
    truncated: leftOut > 0,
    isShortened: shortened > 0,
    ...(isGrouped && { isGrouped }),
    figures: { named: shown.length, shortened, leftOut },
  };
}

function fittingCount(skills: readonly Skill[], form: Form, maxBytes: number): number {
  if (form.isGrouped) return fittingGrouped(skills, form, maxBytes);
  let room = maxBytes;
  const end = skills.findIndex((skill) => (room -= Buffer.byteLength(renderSkillEntry(skill))) < 0);
  return end < 0 ? skills.length : end;
}

/** What a skill takes depends on those before it. */
function fittingGrouped(skills: readonly Skill[], form: Form, maxBytes: number): number {
  let [fits, tooMany] = [0, skills.length + 1];
  for (let count = skills.length; tooMany - fits > 1; count = Math.floor((fits + tooMany) / 2)) {
    const lines = listLines(skills.slice(0, count), form, skills.length);
    if (Buffer.byteLength(lines.join("")) <= maxBytes) fits = count;
    else tooMany = count;
  }
  return fits;
}
