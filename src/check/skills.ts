import { basename, dirname, join, resolve, sep } from "node:path";
import { ownSkillDirectories, skillHolders } from "../clients/own-names.ts";
import { loadProfiles } from "../clients/registry.ts";
import { isInside, ladder } from "../lib/paths.ts";
import { linkFollower } from "../lib/links.ts";
import { shortHash } from "../lib/hash.ts";
import { groupBy } from "../lib/sorting.ts";
import { textWithin } from "../lib/read-file.ts";
import { ignoredNames } from "../skills/scopes.ts";
import { isLinked, isThere, realPathOf } from "../lib/path-facts.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { duplicateNameFinding } from "./duplicate-names.ts";
import { enabledFindings } from "./disable-comments.ts";
import type { Finding } from "./findings.ts";
import { atLevels, checkLevels, isIgnoredByCheck } from "./levels.ts";
import { MAX_TEXT_BYTES } from "./instruction-files.ts";
import { finding, SKILL_RULES } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";
import { furtherSkills } from "./further-skills.ts";
import { collectedSkills, installedSkills } from "./installed-skills.ts";
import { misplacedSkills } from "./misplaced-skills.ts";
import { packageFiles } from "./mention-lookup.ts";
import { collectionsIn } from "./other-projects.ts";
import { readSkillFacts, type SkillProject } from "./skill-facts.ts";
import { surveyFrom, surveySkills, type Surveyed } from "./skill-survey.ts";
import { skillsNotLinked } from "./linked-skills.ts";
import { checkSkillPages } from "./skill-pages.ts";
import { checkSkill } from "./skill.ts";
import { danglesOutside, leadsIntoAbsentSubmodule, walkRepository } from "./walk.ts";

export type SkillsCheck =
  | { readonly kind: "checked"; readonly findings: readonly Finding[]; readonly checked: number }
  | { readonly kind: "no-skill"; readonly word: string };

/**
 * Checks the skills of the working directory and of the user, or those named by the words: a directory stands for the
 * skills in it, a file for the skill that it belongs to.
 *
 * @param words paths, relative to the working directory
 */
export async function checkSkills(world: World, workspace: Workspace, words: readonly string[]): Promise<SkillsCheck> {
  const own = ownSkillDirectories(await loadProfiles(), workspace);
  const { surveyed: told, cut } = await surveySkills(world, workspace, words);
  const places = words.map((word) => realPathOf(resolve(workspace.cwd, word)) ?? "");
  const isSkillIn = (among: readonly Surveyed[]) => (place: string) => among.some(({ path }) => isMeantBy(place, path));
  // The whole repository is looked through only for what was not found otherwise.
  const surveyed = places.every(isSkillIn(told)) ? told : [...told, ...(await unlisted(world, workspace, own, told))];
  const lost = places.findIndex((place) => place === "" || !isSkillIn(surveyed)(place));
  if (lost !== -1) return { kind: "no-skill", word: words[lost] ?? "" };
  const asked = surveyed.filter(({ path }) => words.length === 0 || places.some((place) => isMeantBy(place, path)));
  const message = "it has too many files and directories to search all of them for skills";
  const findings = cut.map((path) => finding("skill-limit", { path, message }));
  const ignored = ignoredNames(workspace);
  const { directory: root } = workspace.root;
  const levels = checkLevels(workspace.layers);
  const meant = asked.filter(({ path }) => !isIgnoredByCheck(levels, path, root));
  for (const each of meant) findings.push(...checkSurveyed(each, ignored, { root }));
  const paths = meant.map(({ path }) => path);
  const real = realPathOf(root) ?? root;
  findings.push(...skillsNotLinked(real).filter(({ path }) => paths.includes(path)));
  if (words.length === 0) {
    const directories = ladder(root, workspace.cwd)
      .flatMap((directory) => own.map((name) => join(directory, name)))
      .filter(isThere);
    findings.push(...misplacedSkills(real, directories, []));
  }
  const enabled = enabledFindings(findings, paths, SKILL_RULES);
  return { kind: "checked", findings: atLevels(enabled, levels, root), checked: meant.length };
}

/** The skills of a project that discovery does not look for. */
async function unlisted(
  world: World,
  workspace: Workspace,
  ownSkills: readonly string[],
  told: readonly Surveyed[],
): Promise<readonly Surveyed[]> {
  const root = realPathOf(workspace.root.directory) ?? workspace.root.directory;
  const holders = skillHolders(ownSkills, workspace);
  const walked = walkRepository(root, { names: [], ignored: ignoredNames(workspace), root, holders });
  const inRoot = { ...workspace, root: { ...workspace.root, directory: root } };
  const { surveyed } = await furtherSkills(world, inRoot, walked, ownSkills);
  return surveyed.filter(({ path }) => !walked.isIgnored(path) && !told.some((each) => each.path === path));
}

/** Checks one skill, by its text and by what discovery found. */
function checkSurveyed(surveyed: Surveyed, ignored: ReadonlySet<string>, project: SkillProject): Finding[] {
  const { path, description, hasText, problems, duplicate } = surveyed;
  const inProject = isInside(project.root, path) ? project : undefined;
  const read = hasText ? readSkillFacts(path, ignored, inProject) : undefined;
  const text = read?.kind === "read" ? read.facts.text : undefined;
  const findings = [...problems, ...(duplicate === undefined ? [] : [duplicateNameFinding(duplicate, text)])];
  if (read?.kind === "unusable") findings.push(finding("skill-unreadable", { path, message: read.reason }));
  if (read?.kind !== "read") return findings;
  return [
    ...findings,
    ...checkSkill({ ...read.facts, description }),
    ...checkSkillPages(path, ignored, inProject?.root),
  ];
}

/** Whether a path is a skill's file, a directory above it, or something in the skill's directory. */
function isMeantBy(place: string, path: string): boolean {
  return isInside(place, path) || (basename(path) === SKILL_FILE && isInside(dirname(path), place));
}

/** Beginnings of the messages of two rules, with the name, and the name of the directory. */
const MISNAMED = /^'name' (?:can't be '([a-z0-9-]+(?::[a-z0-9-]+)+)'|is '([a-z0-9-]+)', but)/;

/** What many skills of a project have in common is one finding. */
function withCause(found: Finding): Finding {
  const { rule, path, message } = found;
  if (rule === "skill-name") return { ...found, cause: { key: rule, noun: "more skill" } };
  if (rule === "skill-header" && message.startsWith("it does not begin")) {
    return { ...found, cause: { key: rule, noun: "more skill" } };
  }
  if (rule === "skill-unreadable" && message.includes("leads nowhere")) {
    return { ...found, cause: { key: dirname(path), noun: "more link" } };
  }
  if (rule === "skill-page-link") return { ...found, cause: { key: dirname(path), noun: "more link" } };
  if (rule === "skill-missing-file") return { ...found, cause: { key: path, noun: "more file" } };
  return found;
}

/**
 * In a great collection, what is wrong in so many places is one finding for each rule. So many names that are there twice
 * are a choice: one skill for each of several roles.
 */
const MANY_OF_RULE = 20;

function joinedRules(findings: readonly Finding[]): Finding[] {
  const groups = groupBy(findings, ({ rule, severity }) => `${rule} ${severity}`);
  return [...groups.values()].flatMap((group) =>
    group.length <= MANY_OF_RULE
      ? group
      : group[0]?.rule === "skill-duplicate-name"
        ? []
        : group.map((found) => ({
            ...found,
            cause: { key: found.rule, noun: "more finding", where: " of this rule" },
          })),
  );
}

/** A name that its authors chose, with a namespace or a prefix, is a rule of its own. */
function asVariant(found: Finding): Finding {
  const [, spaced, plain] = found.rule.startsWith("skill-name") ? (MISNAMED.exec(found.message) ?? []) : [];
  const directory = basename(dirname(found.path));
  const isVariant =
    spaced?.split(":").slice(1).join("-") === directory ||
    (plain !== undefined &&
      (`-${plain}-`.includes(`-${directory}-`) ||
        directory.endsWith(`-${plain}`) ||
        plain.startsWith(`${directory.slice(directory.indexOf("-") + 1)}-`) ||
        directory.startsWith(`${plain}-`)));
  return isVariant ? { ...found, rule: "skill-name-variant", severity: "note" } : found;
}

/** Whether a finding is about a link from a skill to another file of its project. */
function isLinkWithin({ rule, path }: Finding, root: string): boolean {
  const end = rule === "skill-link-outside" && basename(path) !== SKILL_FILE ? realPathOf(path) : undefined;
  return end !== undefined && isInside(root, end);
}

/** A path without its client's directory. */
function withoutHolder(path: string): string {
  return path.replace(/[\\/]\.[a-z]+[\\/]/, "/");
}

/** Whether a package has its own form of a skill, in the same place. */
function isOfAnotherPackage(other: string, path: string): boolean {
  const [[top, tail], [otherTop, otherTail]] = [path, other].map((each) => {
    const at = each.search(/[\\/]\.[a-z]+[\\/]/);
    return [each.slice(0, at), each.slice(at)] as const;
  }) as [readonly [string, string], readonly [string, string]];
  return top !== otherTop && tail === otherTail;
}

/** Whether a skill has the name of others because it is the same: a copy for each client. */
function isCopy({ rule, path, concerns = [] }: Finding, root: string): boolean {
  if (rule !== "skill-duplicate-name") return false;
  const text = textWithin(root, path, MAX_TEXT_BYTES);
  const isForAnother = (other: string) =>
    (withoutHolder(other) === withoutHolder(path) && textWithin(root, other, MAX_TEXT_BYTES) === text) ||
    isOfAnotherPackage(other, path);
  return text !== undefined && concerns.every(isForAnother);
}

/**
 * What is wrong in the copies of a skill, one for each client or plugin, is told once. Only the copies of one text say the
 * same of the same place.
 */
function toldOnce(root: string, meant: readonly Surveyed[]): (found: Finding) => boolean {
  const skillAt = new Set(meant.map(({ path }) => path));
  const told = new Set<string>();
  return ({ rule, path, line, column, message }) => {
    if (!skillAt.has(path)) return true;
    const text = textWithin(root, path, MAX_TEXT_BYTES);
    const key = JSON.stringify([rule, basename(dirname(path)), line, column, message, text && shortHash(text)]);
    if (text !== undefined && told.has(key)) return false;
    told.add(key);
    return true;
  };
}

/** What matters in a copy, too. */
const DANGEROUS: ReadonlySet<Finding["rule"]> = new Set([
  "skill-unreadable",
  "skill-invisible-characters",
  "skill-forged-tag",
]);

/** "{{PR_NUMBER}}": a program fills it in, and gives the whole text to a model. */
const FILLED_IN = /\{\{[A-Z][A-Z0-9_]*\}\}/;

function isPrompt({ rule, path, message }: Finding, root: string): boolean {
  const isBare = rule === "skill-header" && message.startsWith("it does not begin");
  return isBare && FILLED_IN.test(textWithin(root, path, MAX_TEXT_BYTES) ?? "");
}

const OF_TESTS = /[\\/](?:fixtures?|__fixtures__|testdata)[\\/]/;
/** `_template/SKILL.md`, `_shared/SKILL.md`: a name that a skill can't have. */
const OF_TEMPLATES = /[\\/]_[^\\/]*[\\/]SKILL\.md$/;
const OF_PRODUCT = /[\\/](?:src|assets)[\\/]/;

/** Whether a skill is an example for tests, or part of the product: in its sources, and in no client's directory. */
function isNoClients(path: string, root: string, isInCollection: (path: string) => boolean): boolean {
  const below = path.slice(root.length);
  return (
    OF_TESTS.test(below) ||
    OF_TEMPLATES.test(below) ||
    isHiddenTwice(below) ||
    isInCollection(path) ||
    (!/[\\/]\./.test(below) && OF_PRODUCT.test(below))
  );
}

/** `.backup/2026/.claude/skills/one/SKILL.md`: in a hidden directory that is no client's. */
function isHiddenTwice(below: string): boolean {
  return below.split(sep).filter((name) => name.startsWith(".")).length > 1;
}

/** Whether a place is one that a package manager or git ignores. */
function isOfPackage(ignored: ReadonlySet<string>, isIgnored: (path: string) => boolean): (path: string) => boolean {
  return (path) => isIgnored(path) || path.split(sep).some((name) => ignored.has(name));
}

const SHARED = ".agents/skills";

export interface ProjectSkillsCheck extends FamilyCheck {
  /** The names of the project's skills whose headers can be read. */
  readonly names: readonly string[];
}

/** The rules about the skills of a repository, without the user's own skills. */
export async function checkProjectSkills(world: World, scene: CheckScene): Promise<ProjectSkillsCheck> {
  const { root, asked, walked } = scene;
  // The walk's paths are canonical, and so must be the root that they are in.
  const workspace = { ...scene.workspace, root: { ...scene.workspace.root, directory: root } };
  const places = walked.skillDirectories;
  const nobody = { ...world, home: "" };
  const surveyed = await surveyFrom(nobody, workspace, places);
  const known = new Set(surveyed.map(({ path }) => path));
  const further = await furtherSkills(world, workspace, walked, scene.ownSkills);
  surveyed.push(...further.surveyed.filter(({ path }) => !known.has(path)));
  const own = surveyed.filter(({ path }) => isInside(root, path) && !walked.isIgnored(path));
  const ignored = ignoredNames(workspace);
  const isInCollection = collectionsIn(root);
  // Of `.agents/skills` some clients read each page.
  const holders = workspace.settings.skills.directories.filter((name) => name !== SHARED);
  const configured = places.flatMap((place) => holders.map((name) => join(place, name)));
  const directories = [...new Set([...configured, ...further.directories])];
  const findings = [
    ...skillsNotLinked(root),
    ...misplacedSkills(root, directories, scene.instructions.texts).filter(
      ({ path }) => !walked.isIgnored(path) && !isNoClients(path, root, isInCollection),
    ),
  ];
  const meant = own.filter(
    ({ path }) => !isNoClients(path, root, isInCollection) && asked.some((place) => isMeantBy(place, path)),
  );
  const isListed = installedSkills(root);
  const isCollected = collectedSkills(own.map(({ path }) => path));
  const isInstalled = (path: string) => isListed(path) || isCollected(path);
  // What an installer brings back, git may leave out.
  const isLinkToInstalled = (path: string) => isListed(path) && isLinked(path) && realPathOf(path) === undefined;
  const isInSubmodule = leadsIntoAbsentSubmodule(root);
  const follow = linkFollower();
  // What a build or a package manager makes.
  const isMadeHere = (path: string) => follow(path).slice(1).some(isOfPackage(ignored, walked.isIgnored));
  const project = {
    root,
    hasElsewhere: packageFiles(walked.directories),
    published: new Set(further.published),
    isIgnored: (path: string) => walked.isIgnored(path) || isInSubmodule(path),
  };
  for (const each of meant) {
    findings.push(
      ...checkSurveyed(each, ignored, project)
        .filter((found) => !isCopy(found, root) && !isLinkWithin(found, root) && !isPrompt(found, root))
        .filter(
          ({ rule, path }) =>
            !(rule === "skill-unreadable" && (isInSubmodule(path) || isMadeHere(path) || danglesOutside(path, root))),
        )
        .filter(({ rule, path }) => (DANGEROUS.has(rule) ? !isLinkToInstalled(path) : !isInstalled(path)))
        .map(asVariant)
        .map(withCause),
    );
  }
  return {
    findings: joinedRules(findings.filter(toldOnce(root, meant))),
    checked: meant.map(({ path }) => path),
    names: own.flatMap(({ name }) => name ?? []),
  };
}
