import { basename, dirname, resolve } from "node:path";
import type { Finding } from "../core/findings.ts";
import { isInside } from "../core/paths.ts";
import { finding } from "../core/rules.ts";
import { checkSkill } from "../core/skills/check-skill.ts";
import { discoveryFinding, ruleOfProblem, type DiscoveryProblem } from "../core/skills/discovery-findings.ts";
import { findDuplicateNames, duplicateNameFinding, type DuplicateName } from "../core/skills/duplicate-names.ts";
import { isDirectory } from "../io/find-root.ts";
import { discoverSkills, ignoredNames } from "../io/skills/discover.ts";
import { gatherFacts } from "../io/skills/gather-facts.ts";
import { findNamedPath } from "../io/skills/named-path.ts";
import { findSkillPlaces } from "../io/skills/skill-places.ts";
import type { Workspace } from "../io/workspace.ts";
import { findFrameTags } from "../render/body.ts";
import type { SkillCatalog } from "../schema/skills.ts";
import type { World } from "../world.ts";

export type SkillsCheck =
  | { readonly kind: "checked"; readonly findings: readonly Finding[]; readonly checked: number }
  | { readonly kind: "no-skill"; readonly word: string };

/** All that discovery says, from one working directory or several. */
interface Discovered {
  /** The descriptions of skills, by the path of the file; of one with a broken header there is none. */
  readonly files: Map<string, string | undefined>;
  readonly problems: { readonly problem: DiscoveryProblem; readonly severity?: "warning" }[];
  readonly duplicates: DuplicateName[];
  /** Directories that were not looked through to their ends. */
  readonly cut: string[];
}

/**
 * Checks the skills of the working directory and of the user, or those that the words name: a directory stands for
 * the skills in it, a file for the skill that it belongs to.
 *
 * @input  words: paths, relative to the working directory
 * @output what was found; or a word that names no skill
 * @effect reads
 * @error  none
 */
export async function checkSkills(world: World, workspace: Workspace, words: readonly string[]): Promise<SkillsCheck> {
  const { files, problems, duplicates, cut } = await discoverAll(world, workspace, words);
  const known = [...files.keys(), ...problems.map(({ problem }) => problem.path)];
  const places: string[] = [];
  for (const word of words) {
    const place = findNamedPath(workspace.cwd, word);
    if (place === undefined || !known.some((path) => isMeantBy(place, path))) return { kind: "no-skill", word };
    places.push(place);
  }
  const isAsked = (path: string) => words.length === 0 || places.some((place) => isMeantBy(place, path));
  const findings = cut.map((path) => finding("skill-limit", { path, line: 1, message: CUT_MESSAGE }));
  const texts = new Map<string, string>();
  const ignored = ignoredNames(workspace);
  for (const [path, description] of files) {
    if (!isAsked(path)) continue;
    const read = await gatherFacts(path, ignored);
    if (read.kind === "unusable") {
      findings.push(finding("skill-unreadable", { path, line: 1, message: read.reason }));
      continue;
    }
    const { text } = read.facts;
    texts.set(path, text);
    findings.push(...checkSkill({ ...read.facts, description, frameTags: findFrameTags(text) }));
  }
  for (const { problem, severity } of problems) {
    if (isAsked(problem.path)) findings.push(discoveryFinding(problem, texts.get(problem.path), severity));
  }
  for (const duplicate of duplicates) {
    if (isAsked(duplicate.path)) findings.push(duplicateNameFinding(duplicate, texts.get(duplicate.path)));
  }
  return { kind: "checked", findings, checked: new Set(known.filter(isAsked)).size };
}

const CUT_MESSAGE = "it holds too many files and directories to look for skills in all of them";

/** Skills are looked for from the working directory up, and from each place below a directory that was named. */
async function discoverAll(world: World, workspace: Workspace, words: readonly string[]): Promise<Discovered> {
  const all: Discovered = { files: new Map(), problems: [], duplicates: [], cut: [] };
  const starts = new Set([workspace.cwd]);
  for (const word of words) {
    const path = resolve(workspace.cwd, word);
    if (!isDirectory(path)) starts.add(dirname(path));
    else {
      const { places, isCut } = findSkillPlaces(path, ignoredNames(workspace));
      for (const place of [path, ...places]) starts.add(place);
      if (isCut) all.cut.push(path);
    }
  }
  for (const cwd of starts) {
    const catalog: Catalog = await discoverSkills(world, { ...workspace, cwd });
    for (const { path, description } of catalog.skills) all.files.set(path, description);
    for (const problem of catalog.errors) {
      all.problems.push({ problem });
      // A header that can't be used says nothing against the text.
      if (isAboutHeader(problem)) all.files.set(problem.path, undefined);
    }
    for (const problem of catalog.warnings ?? []) all.problems.push({ problem, severity: "warning" });
    all.duplicates.push(...findDuplicateNames(catalog.skills));
  }
  return all;
}

interface Catalog extends Pick<SkillCatalog, "skills"> {
  readonly errors: readonly DiscoveryProblem[];
  readonly warnings?: readonly DiscoveryProblem[];
}

function isAboutHeader(problem: DiscoveryProblem): boolean {
  const rule = ruleOfProblem(problem);
  return rule !== "skill-unreadable" && rule !== "skill-limit";
}

/** Whether a place is a skill's file, a directory above it, or something in the skill's directory. */
function isMeantBy(place: string, path: string): boolean {
  return isInside(place, path) || (basename(path) === "SKILL.md" && isInside(dirname(path), place));
}
