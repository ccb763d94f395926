import type { Stats } from "node:fs";
import { acceptSkill, type Validation } from "../../core/skills/accept-skill.ts";
import type { HeaderFacts } from "../../core/skills/header-facts.ts";
import { factsOfYaml } from "../../core/skills/read-facts.ts";
import { bookOf } from "../../core/skills/skill-book.ts";
import type { Skill, SkillProblem } from "../../core/skills/skill.ts";
import { beyondYamlBudget, MAX_YAML_MARKS, type YamlHeader } from "../../core/skills/yaml-budget.ts";
import type { World } from "../../world.ts";
import { wholeMs } from "../disk.ts";
import type { Discovery } from "./discover.ts";
import type { Scope } from "./scopes.ts";
import type { FileColumns, SnapshotPlace } from "./snapshot.ts";
import { addStamp } from "./stamps.ts";
import { SKILL_FILE, walkSkills, type FoundSkillFile, type Start, type Trail } from "./walk.ts";

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
  const found = new Map<string, FoundSkillFile>();
  const errors: SkillProblem[] = [];
  const warnings: SkillProblem[] = [];
  const trail: Trail = { directories: [], directoryStamps: [], links: [], targets: [], isUnrepeatable: false };
  const isCut = walkAll(search, found, errors, trail);
  const skills: Skill[] = [];
  const good: FileColumns = { paths: [], stamps: [], starts: [] };
  const broken: FileColumns = { paths: [], stamps: [], starts: [] };
  const starts = search.scopes.flatMap(({ scope, starts: own }) => own.map(({ distance }) => ({ scope, distance })));
  const beyond = tooCostly(found, starts);
  for (const file of found.values()) {
    const { path, header, start } = file;
    if (beyond.has(path)) {
      errors.push({ path, message: BEYOND_BUDGET, rule: "skill-limit" });
      continue;
    }
    if (header.kind === "unusable") {
      errors.push({ path, message: header.reason, rule: "skill-unreadable" });
      continue;
    }
    const facts = header.kind === "facts" ? header.facts : await parseRest(header.header);
    const accepted = acceptSkill(path, facts, file.directoryNames, search.validation);
    const { stats } = header;
    addFile(accepted.kind === "skill" ? good : broken, file, stats);
    if (accepted.kind === "refused") {
      errors.push(...accepted.errors);
      continue;
    }
    if (accepted.warnings.length > 0) warnings.push(...accepted.warnings);
    const { name, description } = accepted;
    const { scope, distance } = starts[start.index] as (typeof starts)[number];
    const dir = path.slice(0, -1 - SKILL_FILE.length);
    skills.push({ name, description, path, dir, scope, mtimeMs: wholeMs(stats), distance, changedMs: stats.ctimeMs });
  }
  const truncated = isCut || beyond.size > 0;
  if (!truncated && !trail.isUnrepeatable) {
    const { saveSnapshot } = await import("./snapshot-save.ts");
    saveSnapshot(world, place, { skills, good, broken, trail, errors, warnings });
  }
  return { book: bookOf(skills), errors, warnings, truncated };
}

function walkAll(
  { scopes, ignored }: SkillSearch,
  found: Map<string, FoundSkillFile>,
  errors: SkillProblem[],
  trail: Trail,
): boolean {
  let isCut = false;
  let index = 0;
  for (const { boundary, boundaryName, starts: own } of scopes) {
    const starts: Start[] = [];
    for (const { directory } of own) starts.push({ directory, index: index++ });
    isCut = walkSkills({ boundary, boundaryName, ignored, found, errors, trail }, starts) || isCut;
  }
  return isCut;
}

/** For each scope by itself: what a clone holds must not hide the user's own. */
function tooCostly(
  found: ReadonlyMap<string, FoundSkillFile>,
  starts: readonly { readonly scope: string }[],
): ReadonlySet<string> {
  const headers = new Map<string, YamlHeader[]>();
  for (const { path, header, start } of found.values()) {
    if (header.kind !== "yaml") continue;
    const { scope } = starts[start.index] as (typeof starts)[number];
    const ofScope = headers.get(scope) ?? [];
    ofScope.push({ path, header: header.header });
    headers.set(scope, ofScope);
  }
  return new Set([...headers.values()].flatMap(beyondYamlBudget));
}

function addFile({ paths, stamps, starts }: FileColumns, { path, start }: FoundSkillFile, stats: Stats): void {
  paths.push(path);
  addStamp(stamps, stats);
  starts.push(start.index);
}

/** A header that is not plain: the parser is loaded for the first of them. */
async function parseRest(header: string): Promise<HeaderFacts> {
  const { parseYaml } = await import("../yaml.ts");
  return factsOfYaml(header, parseYaml(header));
}
