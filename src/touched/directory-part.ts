import { sep } from "node:path";

/** What a path says before its last name, or before the one at `end`, with the separator; empty where it says nothing. */
export function directoryPart(path: string, end = path.length): string {
  const slash = path.lastIndexOf("/", end);
  return path.slice(0, (sep === "/" ? slash : Math.max(slash, path.lastIndexOf(sep, end))) + 1);
}
