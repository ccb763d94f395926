import { dirname } from "node:path";
import type { SkillScope } from "../config/schema.ts";
import { compareText } from "../lib/sorting.ts";
import type { World } from "../world.ts";
import { addFile, bookOfColumns, pathsIn, type FileColumns, type SkillColumns } from "./columns.ts";
import type { Discovery, SkillSearch } from "./discover.ts";
import { acceptSkill } from "./header-rules.ts";
import { unparsedHeader, yamlHeaderReader } from "./read-header.ts";
import { joinTexts } from "./search-texts.ts";
import type { SkillProblem } from "./skill.ts";
import { saveSnapshot, type SnapshotFile } from "./snapshot.ts";
import { foundFiles, type Start, type Trail, type UnsettledFile, type WalkFindings } from "./walk-findings.ts";
import { walkSkills } from "./walk.ts";

/** Headers that need the YAML parser are read up to this many marks, which takes some seconds. */
export const MAX_YAML_MARKS = 500_000;
const BEYOND_BUDGET = `headers that need the YAML parser are read up to ${MAX_YAML_MARKS} marks in all, and this one exceeds that; write its lines as 'key: text' without quotes and marks`;

/** Walks the scopes, reads the header of every SKILL.md, and saves a snapshot if the result can be reproduced. */
export async function collectSkills(world: World, search: SkillSearch, place: SnapshotFile): Promise<Discovery> {
  const errors: SkillProblem[] = [];
  const warnings: SkillProblem[] = [];
  const trail: Trail = { entered: [], enteredStamps: [], links: [], targets: [], isUnrepeatable: false };
  const skills: SkillColumns = { directories: [], stamps: [], starts: [], leaves: [], words: [] };
  const refused: FileColumns = { directories: [], stamps: [], starts: [], leaves: [] };
  const unsettled: UnsettledFile[] = [];
  const begunAt = world.now();
  const found = foundFiles(skills, unsettled, pathsIn(skills, search.scopes));
  const isCut = walkAll(world, search, { found, skills, unsettled, errors, trail });

  // Each scope has its own limits: a clone must not be able to hide the user's own skills.
  const scopeOfStart = search.scopes.flatMap(({ scope, starts }) => starts.map(() => scope));
  const scopeOf = ({ start }: UnsettledFile) => scopeOfStart[start.index] as SkillScope;
  const readYaml = { repo: yamlHeaderReader(world), user: yamlHeaderReader(world) };
  const beyond = new Set(
    (["repo", "user"] as const).flatMap((scope) =>
      beyondYamlBudget(unsettled.filter((file) => scopeOf(file) === scope).flatMap(yamlOf)),
    ),
  );
  let truncated = isCut || beyond.size > 0;
  for (const file of unsettled) {
    const { path, header, start, directoryNames } = file;
    if (beyond.has(path)) {
      errors.push({ path, message: BEYOND_BUDGET, rule: "skill-limit", severity: "warning" });
      continue;
    }
    if (header.kind === "unusable") {
      errors.push({ path, message: header.reason, rule: "skill-unreadable", severity: "error" });
      continue;
    }
    const facts = header.kind === "facts" ? header.facts : await readYaml[scopeOf(file)](header.header);
    if ("reason" in facts) {
      errors.push(unparsedHeader(path, facts.reason));
      truncated = true;
      continue;
    }
    const accepted = acceptSkill(path, facts, directoryNames, search.validation);
    addFile(accepted.kind === "skill" ? skills : refused, dirname(path), header.stats, start.index);
    if (accepted.kind === "refused") {
      // A link to it would have said that it is a skill.
      const isPart = file.inSkill && directoryNames.length === 1;
      errors.push(...(isPart ? accepted.errors.map(asPart) : accepted.errors));
      continue;
    }
    warnings.push(...accepted.warnings);
    skills.words.push(accepted.name, accepted.description);
  }
  const texts = joinTexts(skills.words);
  if (!truncated && !trail.isUnrepeatable && texts.isExact) {
    saveSnapshot(world, place, begunAt, { skills, texts, refused, trail, errors, warnings });
  }
  return { book: bookOfColumns(skills, texts, search.scopes), errors, warnings, truncated };
}

/** A template or an example is no mistake. */
function asPart(problem: SkillProblem): SkillProblem {
  const message = `it is part of the skill around it, and no skill itself: ${problem.message}`;
  return { ...problem, message, rule: "skill-nested", severity: "note" };
}

/** @returns whether a limit ended a walk early */
function walkAll(world: World, { scopes, ignored }: SkillSearch, findings: WalkFindings): boolean {
  let isCut = false;
  let index = 0;
  for (const { boundary, boundaryName, starts: own } of scopes) {
    const starts: Start[] = own.map(({ directory }) => ({ directory, index: index++ }));
    isCut = walkSkills({ world, boundary, boundaryName, ignored, ...findings }, starts) || isCut;
  }
  return isCut;
}

/** A header that needs the YAML parser. */
export interface YamlHeader {
  readonly path: string;
  readonly header: string;
}

function yamlOf({ path, header }: UnsettledFile): YamlHeader[] {
  return header.kind === "yaml" ? [{ path, header: header.header }] : [];
}

/** Parsing time depends on these; the rest of a header costs almost nothing. */
const MARKS = /[\n:,\-?&*!"'[\]{}#]/g;

/**
 * The paths of the headers that are not parsed, because parsing all of them would take minutes. The choice does not
 * depend on the order in which they were found.
 */
export function beyondYamlBudget(headers: readonly YamlHeader[]): readonly string[] {
  const costs = headers.map(({ path, header }) => ({ path, cost: header.match(MARKS)?.length ?? 0 }));
  if (costs.reduce((sum, { cost }) => sum + cost, 0) <= MAX_YAML_MARKS) return [];
  let room = MAX_YAML_MARKS;
  return costs
    .toSorted((left, right) => compareText(left.path, right.path))
    .filter(({ cost }) => (room -= cost) < 0)
    .map(({ path }) => path);
}
