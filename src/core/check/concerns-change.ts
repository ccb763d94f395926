import { basename, dirname } from "node:path";
import type { Finding } from "../findings.ts";

/** A skill is its whole directory. */
const WHOLE_DIRECTORY = "SKILL.md";

/** What changed, and the directories that changed with what is in them. */
export function changedPlaces(files: Iterable<string>): Set<string> {
  const places = new Set<string>();
  for (const file of files) {
    for (let place = file; !places.has(place); place = dirname(place)) places.add(place);
  }
  return places;
}

/** Whether what was found may be there because of a change: of its file, or of one that it depends on. */
export function concernsChange({ path, concerns = [] }: Finding, changed: ReadonlySet<string>): boolean {
  const isOfSkill = basename(path) === WHOLE_DIRECTORY;
  return changed.has(path) || (isOfSkill && changed.has(dirname(path))) || concerns.some((place) => changed.has(place));
}
