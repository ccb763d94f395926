import { basename, dirname } from "node:path";
import type { Finding } from "../findings.ts";
import { isInside } from "../paths.ts";

/** A skill is its whole directory. */
const WHOLE_DIRECTORY = "SKILL.md";

/** Whether what was found may be there because of a change: of its file, or of one that it depends on. */
export function concernsChange({ path, concerns = [] }: Finding, changed: ReadonlySet<string>): boolean {
  if (changed.has(path)) return true;
  const places = basename(path) === WHOLE_DIRECTORY ? [...concerns, dirname(path)] : concerns;
  if (places.some((place) => changed.has(place))) return true;
  // A directory changes with what is in it.
  return places.length > 0 && [...changed].some((file) => places.some((place) => isInside(place, file)));
}
