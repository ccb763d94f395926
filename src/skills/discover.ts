import { dirname } from "node:path";
import type { SkillScope } from "../config/schema.ts";
import { compareText } from "../lib/compare.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { addFile, bookOfColumns, pathsIn, type FileColumns, type SkillBook, type SkillColumns } from "./columns.ts";
import { acceptSkill, type Validation } from "./header-rules.ts";
import { yamlHeaderReader } from "./read-header.ts";
import { findScopes, ignoredNames, type Scope } from "./scopes.ts";
import { joinTexts } from "./search-texts.ts";
import type { SkillProblem } from "./skill.ts";
import { recallSnapshot, saveSnapshot, snapshotPlace, type SnapshotPlace } from "./snapshot.ts";
import { foundFiles, type Start, type Trail, type UnsettledFile, type WalkFindings } from "./walk-findings.ts";
import { walkSkills } from "./walk.ts";

export interface Discovery {
  readonly book: SkillBook;
  /** What is broken, leads out of bounds or lies beyond a limit, by path. */
  readonly errors: readonly SkillProblem[];
  /** What is wrong with skills that are in the book all the same; none in strict validation. */
  readonly warnings: readonly SkillProblem[];
  /** A limit was reached: there may be more. */
  readonly truncated: boolean;
}

/** What decides which skills there are, beside the files themselves. */
export interface SkillSearch {
  readonly scopes: readonly Scope[];
  readonly ignored: ReadonlySet<string>;
  readonly validation: Validation;
}

/**
 * Every skill of the working directory: in `.agents/skills` of each directory from the root down to it, and of the
 * user's home. What was found is remembered in a snapshot, which is believed while no file has changed.
 *
 * @param isReread what is remembered of earlier calls is not believed
 */
export async function discoverSkills(world: World, workspace: Workspace, isReread = false): Promise<Discovery> {
  const outer: SkillProblem[] = [];
  const scopes = findScopes(world, workspace, outer);
  const { validation } = workspace.settings.skills;
  const search = { scopes, ignored: ignoredNames(workspace), validation };
  const place = snapshotPlace(workspace, search);
  const known = isReread ? undefined : recallSnapshot(world, place, scopes);
  const found = known ?? (await readEverything(world, search, place));
  world.trace("skills", { skills: found.book.size, errors: found.errors.length, remembered: known !== undefined });
  return { ...found, errors: byPath([...outer, ...found.errors]), warnings: byPath(found.warnings) };
}

function byPath(problems: readonly SkillProblem[]): SkillProblem[] {
  return problems.toSorted((left, right) => compareText(left.path, right.path) || (left.line ?? 0) - (right.line ?? 0));
}

/** Headers that need the YAML parser are read up to so many marks: that many take it some seconds. */
export const MAX_YAML_MARKS = 500_000;
const BEYOND_BUDGET = `headers that need the YAML parser are read up to ${MAX_YAML_MARKS} marks in all, and this one exceeds that; write its lines as 'key: text' without quotes and marks`;

/** Walks through the scopes, reads the header of every SKILL.md, and saves a snapshot if the result can be repeated. */
async function readEverything(world: World, search: SkillSearch, place: SnapshotPlace): Promise<Discovery> {
  const errors: SkillProblem[] = [];
  const warnings: SkillProblem[] = [];
  const trail: Trail = { entered: [], enteredStamps: [], links: [], targets: [], isUnrepeatable: false };
  const skills: SkillColumns = { directories: [], stamps: [], starts: [], words: [] };
  const refused: FileColumns = { directories: [], stamps: [], starts: [] };
  const unsettled: UnsettledFile[] = [];
  const begunAt = world.now();
  const found = foundFiles(skills, unsettled, pathsIn(skills, search.scopes));
  const isCut = walkAll(world, search, { found, skills, unsettled, errors, trail });

  // Each scope has its own limits: what a clone holds must not hide the user's own skills.
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
      const message = `its header is not read: ${facts.reason}`;
      errors.push({ path, message, rule: "skill-limit", severity: "warning" });
      truncated = true;
      continue;
    }
    const accepted = acceptSkill(path, facts, directoryNames, search.validation);
    addFile(accepted.kind === "skill" ? skills : refused, dirname(path), header.stats, start.index);
    if (accepted.kind === "refused") {
      errors.push(...accepted.errors);
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

/** The parser's time depends on these; what is in a header beside them costs nearly nothing. */
const MARKS = /[\n:,\-?&*!"'[\]{}#]/g;

/**
 * The paths of the headers that are not parsed because all of them together would take minutes. Which ones does not
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
