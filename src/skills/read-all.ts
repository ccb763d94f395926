import { dirname } from "node:path";
import type { SkillScope } from "../config/schema.ts";
import type { LimitedParse, Unparsed } from "../lib/parse-limit.ts";
import type { World } from "../world.ts";
import { addFile, bookOfColumns, pathsIn, type FileColumns, type SkillColumns } from "./columns.ts";
import type { Discovery } from "./discover.ts";
import {
  acceptSkill,
  factsOfYaml,
  beyondYamlBudget,
  MAX_YAML_MARKS,
  type Validation,
  type YamlHeader,
} from "./read-header.ts";
import type { Scope } from "./scopes.ts";
import type { HeaderFacts, SkillProblem } from "./skill.ts";
import type { SnapshotPlace } from "./snapshot.ts";
import { joinTexts } from "./texts.ts";
import type { Start, Trail, UnsettledFile, WalkFindings } from "./walk-findings.ts";
import { walkSkills } from "./walk.ts";

const BEYOND_BUDGET = `headers that are not plain are read until they hold ${MAX_YAML_MARKS} marks together, and this one comes after those; write its lines as 'key: text' without quotes and marks`;

/** What decides which skills there are, beside the files themselves. */
export interface SkillSearch {
  readonly scopes: readonly Scope[];
  readonly ignored: ReadonlySet<string>;
  readonly validation: Validation;
}

/**
 * Walks through the scopes, and reads the header of every SKILL.md.
 *
 * @effect reads; remembers at `place` what it found, where another walk would find the same
 * @error  none
 */
export async function readEverything(world: World, search: SkillSearch, place: SnapshotPlace): Promise<Discovery> {
  const errors: SkillProblem[] = [];
  const warnings: SkillProblem[] = [];
  const trail: Trail = { entered: [], enteredStamps: [], links: [], targets: [], isUnrepeatable: false };
  const skills: SkillColumns = { directories: [], stamps: [], starts: [], words: [] };
  const refused: FileColumns = { directories: [], stamps: [], starts: [] };
  const unsettled: UnsettledFile[] = [];
  const begunAt = world.now();
  const found = foundFiles(skills, unsettled, pathsIn(skills, search.scopes));
  const isCut = walkAll(world, search, { found, skills, unsettled, errors, trail });
  const scopeOf = scopeOfStarts(search.scopes);
  const beyond = tooCostly(unsettled, scopeOf);
  const limits: ParseLimits = new Map();
  let truncated = isCut || beyond.size > 0;
  for (const { path, header, start, directoryNames } of unsettled) {
    if (beyond.has(path)) {
      errors.push({ path, message: BEYOND_BUDGET, rule: "skill-limit" });
      continue;
    }
    if (header.kind === "unusable") {
      errors.push({ path, message: header.reason, rule: "skill-unreadable" });
      continue;
    }
    const facts =
      header.kind === "facts" ? header.facts : await parseRest(world, header.header, limits, scopeOf(start));
    if ("reason" in facts) {
      errors.push({ path, message: `its header is not read: ${facts.reason}`, rule: "skill-limit" });
      truncated = true;
      continue;
    }
    const accepted = acceptSkill(path, facts, directoryNames, search.validation);
    addFile(accepted.kind === "skill" ? skills : refused, dirname(path), header.stats, start.index);
    if (accepted.kind === "refused") {
      errors.push(...accepted.errors);
      continue;
    }
    if (accepted.warnings.length > 0) warnings.push(...accepted.warnings);
    skills.words.push(accepted.name, accepted.description);
  }
  const texts = joinTexts(skills.words);
  if (!truncated && !trail.isUnrepeatable && texts.isExact) {
    const { saveSnapshot } = await import("./snapshot-save.ts");
    saveSnapshot(world, place, begunAt, { skills, texts, refused, trail, errors, warnings });
  }
  return { book: bookOfColumns(skills, texts, search.scopes), errors, warnings, truncated };
}

function walkAll(world: World, { scopes, ignored }: SkillSearch, findings: WalkFindings): boolean {
  let isCut = false;
  let index = 0;
  for (const { boundary, boundaryName, starts: own } of scopes) {
    const starts: Start[] = [];
    for (const { directory } of own) starts.push({ directory, index: index++ });
    isCut = walkSkills({ world, boundary, boundaryName, ignored, ...findings }, starts) || isCut;
  }
  return isCut;
}

function scopeOfStarts(scopes: readonly Scope[]): (start: Start) => SkillScope {
  const scopeOfStart = scopes.flatMap(({ scope, starts }) => starts.map(() => scope));
  return ({ index }) => scopeOfStart[index] as SkillScope;
}

/** For each scope by itself: what a clone holds must not hide the user's own. */
function tooCostly(unsettled: readonly UnsettledFile[], scopeOf: (start: Start) => SkillScope): ReadonlySet<string> {
  const headers = new Map<string, YamlHeader[]>();
  for (const { path, header, start } of unsettled) {
    if (header.kind !== "yaml") continue;
    const scope = scopeOf(start);
    const ofScope = headers.get(scope) ?? [];
    ofScope.push({ path, header: header.header });
    headers.set(scope, ofScope);
  }
  return new Set([...headers.values()].flatMap(beyondYamlBudget));
}

/** For each scope by itself as well. */
type ParseLimits = Map<SkillScope, LimitedParse>;

/** A header that is not plain: the parser is loaded for the first of them. */
async function parseRest(
  world: World,
  header: string,
  limits: ParseLimits,
  scope: SkillScope,
): Promise<HeaderFacts | Unparsed> {
  const { limitParsing } = await import("../lib/parse-limit.ts");
  const { parseYaml } = await import("../lib/yaml.ts");
  const limited = limits.get(scope) ?? limitParsing(world);
  limits.set(scope, limited);
  const parsed = limited(() => parseYaml(header));
  return parsed.kind === "unparsed" ? parsed : factsOfYaml(header, parsed);
}

/**
 * Which files walks have found. By their own names the directories of one start are entered once each, so what was
 * found is put in order by path only when somebody asks, and caught up with each time.
 */
export interface FoundFiles {
  /** Whether a file may be reached a second time, from another start or by a link; until then nobody needs to ask. */
  mayRepeat: boolean;
  /**
   * Whether a file was found before. If so, its directory has these names as well. All columns of what was found are
   * whole by then.
   */
  addNames(path: string, names: readonly string[]): boolean;
}

/** @param pathAt of `skills` */
export function foundFiles(
  { words }: SkillColumns,
  unsettled: readonly UnsettledFile[],
  pathAt: (index: number) => string,
): FoundFiles {
  const namesByPath = new Map<string, string[]>();
  let skillsSeen = 0;
  let unsettledSeen = 0;
  return {
    mayRepeat: false,
    addNames(path, names) {
      // What is settled is what it is by whatever other name.
      for (; 2 * skillsSeen < words.length; skillsSeen++) namesByPath.set(pathAt(skillsSeen), []);
      for (; unsettledSeen < unsettled.length; unsettledSeen++) {
        const { path: known, directoryNames } = unsettled[unsettledSeen] as UnsettledFile;
        namesByPath.set(known, directoryNames);
      }
      const known = namesByPath.get(path);
      known?.push(...names);
      return known !== undefined;
    },
  };
}
