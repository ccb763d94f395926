import { dirname, sep } from "node:path";
import type { ReachedFile } from "../../report/schema.ts";
import type { OwnFiles, TreeFacts } from "../client.ts";
import { sizeOf } from "../reached.ts";
import { memoryAt, rulesIn, type MemoryRules } from "./memory.ts";

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
