import { basename, dirname, isAbsolute, sep } from "node:path";
import type { Finding } from "./findings.ts";
import { isInside, wholeLadder } from "../lib/paths.ts";

/** A skill is its whole directory. */
const WHOLE_DIRECTORY = "SKILL.md";
const OF_SKILLS = "skill-";

export interface ChangeFacts {
  /** What changed. */
  readonly files: ReadonlySet<string>;
  /** That, and the directories that changed with what is in them. */
  readonly places: ReadonlySet<string>;
  /** Where links lead that changed. */
  readonly linked: readonly string[];
  /** A path, and what it becomes with each link on its way. */
  readonly wayTo: (path: string) => readonly string[];
}

export function changedPlaces(files: Iterable<string>): Set<string> {
  const places = new Set<string>();
  for (const file of files) {
    for (let place = file; !places.has(place); place = dirname(place)) places.add(place);
  }
  return places;
}

/** Whether what was found may be there because of a change: of its file, or of one that it depends on. */
export function concernsChange({ rule, path, concerns = [] }: Finding, changes: ChangeFacts): boolean {
  const { places, linked, wayTo } = changes;
  // A skill is found by way of a link, and named by where it really is.
  if (rule.startsWith(OF_SKILLS) && linked.some((place) => isInside(place, path))) return true;
  const whole = basename(path) === WHOLE_DIRECTORY ? [dirname(path)] : [];
  return [path, ...whole, ...concerns].some((concern) =>
    isAbsolute(concern) ? wayTo(concern).some((place) => isChanged(place, changes)) : endsAny(places, concern),
  );
}

/** A link on the way is a file to git, and may be gone. */
function isChanged(path: string, { files, places }: ChangeFacts): boolean {
  return places.has(path) || wholeLadder(path).some((place) => files.has(place));
}

function endsAny(places: ReadonlySet<string>, end: string): boolean {
  for (const place of places) if (place.endsWith(sep + end)) return true;
  return false;
}
