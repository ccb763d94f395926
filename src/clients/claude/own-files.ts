import { dirname, join, sep } from "node:path";
import { readMemory } from "../../instructions/memory-text.ts";
import { isInside } from "../../lib/paths.ts";
import { lossyText } from "../../lib/text.ts";
import type { ReachedFile } from "../../report/schema.ts";
import type { OwnFiles, TreeFacts } from "../client.ts";
import { sizeOf } from "../reached.ts";
import { isUserOnly } from "../skill-listing.ts";
import { memoryAt, rulesIn, type MemoryRules } from "./memory.ts";
import { matchesRule } from "./rule-paths.ts";

export interface RulesPlace {
  readonly place: string;
  /** The directory that its patterns are relative to. */
  readonly ruleFor: string;
}

/**
 * Of the files that it reads with another, those that the model has to be told of if it doesn't.
 *
 * @param read what it reads with the file
 */
export function ownFiles(
  read: readonly ReachedFile[],
  places: readonly RulesPlace[],
  session: Pick<MemoryRules, "isWithin">,
  facts: TreeFacts,
): OwnFiles {
  const mere = new Set(read.flatMap((file) => (isMere(file, facts) ? file.path : [])));
  return {
    files: read.flatMap((file) => {
      const { path, status, reason, by } = file;
      // Who reads a file reads its imports with it, unless it is told of them alone.
      if (reason === "conditional" || (file.origin === "import" && !mere.has(by ?? ""))) return [];
      const isTold = (status === "loaded" && !mere.has(path)) || reason === "maybe-excluded";
      return [{ path, directory: scopeOf(path, places), saysNothing: !isTold }];
    }),
    settled: places.flatMap(({ place, ruleFor }) =>
      facts.at(place)?.kind !== "directory" || hasConditions(place, ruleFor, session, facts) ? [] : place,
    ),
  };
}

/** Directories with skills, in a clone. */
export interface SkillPlaces {
  readonly directories: readonly string[];
  /** The clone: links that lead out of it are not followed. */
  readonly tree: string;
}

/** The skills that are for a file, among others: their patterns are relative to where the session began. */
export function skillsFor(cwd: string, file: string, { directories, tree }: SkillPlaces, facts: TreeFacts): OwnFiles {
  const settled: string[] = [];
  const files = directories.flatMap((directory) => {
    const skills = skillsIn(directory, tree, facts).filter(({ paths }) => paths.length > 0);
    if (skills.length === 0 && facts.at(directory)?.kind === "directory") settled.push(directory);
    return skills
      .filter(({ paths }) => matchesRule(paths, cwd, file))
      .map(({ path, name }) => ({ path, directory: dirname(dirname(directory)), saysNothing: false, skill: name }));
  });
  return { files, settled };
}

/** A longer header is none. */
const HEADER_BYTES = 16 * 1024;
const MAX_SKILLS = 500;

/** The skills in a directory of a clone that the model may use unasked, with their patterns. */
export function skillsIn(
  directory: string,
  tree: string,
  facts: TreeFacts,
): { readonly path: string; readonly name: string; readonly paths: readonly string[] }[] {
  const realTree = facts.realPath(tree) ?? tree;
  if (!isInside(realTree, facts.realPath(directory) ?? sep)) return [];
  return facts
    .list(directory)
    .slice(0, MAX_SKILLS)
    .flatMap((name) => {
      const path = join(directory, name, "SKILL.md");
      const what = facts.at(path);
      if (what?.kind !== "file" || !isInside(realTree, what.realPath)) return [];
      const header = lossyText(facts.start(path, Math.min(sizeOf(what), HEADER_BYTES)));
      return isUserOnly(header) ? [] : [{ path, name, paths: readMemory(header).paths }];
    });
}

/** Whether a file consists of imports. */
function isMere({ path, status, bytesTotal }: ReachedFile, facts: TreeFacts): boolean {
  if (status !== "loaded") return false;
  const { text, imports } = memoryAt(path, bytesTotal, facts);
  return imports.length > 0 && text.split(/\s+/).every((word) => word.startsWith("@"));
}

/** The directory that a file is about: that of `.claude` for what is in there. */
function scopeOf(path: string, places: readonly RulesPlace[]): string {
  const rules = places.find(({ place }) => path.startsWith(place + sep));
  const directory = rules?.ruleFor ?? dirname(path);
  return directory.endsWith(`${sep}.claude`) ? dirname(directory) : directory;
}

function hasConditions(
  place: string,
  ruleFor: string,
  { isWithin }: Pick<MemoryRules, "isWithin">,
  facts: TreeFacts,
): boolean {
  return rulesIn(place, ruleFor, isWithin, "project", facts).some(
    ({ path }) => memoryAt(path, sizeOf(facts.at(path)), facts).paths.length > 0,
  );
}
