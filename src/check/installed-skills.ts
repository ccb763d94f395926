import { join, posix, sep } from "node:path";
import { textWithin } from "../lib/read-file.ts";
import { isTable, valueAt } from "../lib/table.ts";

/** Where an installer of skills notes which ones it copied, and from where. */
const LOCKFILE = "skills-lock.json";
const MAX_BYTES = 1024 * 1024;

/**
 * Whether a skill is a copy that an installer brought from another repository: it is mended there, and a change here is
 * lost with the next update.
 *
 * @param root canonical
 */
export function installedSkills(root: string): (path: string) => boolean {
  const names = namesIn(textWithin(root, join(root, LOCKFILE), MAX_BYTES));
  return (path) => {
    const way = path.slice(root.length).split(sep);
    return way.some((name, index) => names.has(name) && way[index - 1] === "skills");
  };
}

/** Nobody writes so many in one place, or mends them. */
const MANY = 500;

/** Whether a skill is in a directory with so many that they were gathered from elsewhere. */
export function collectedSkills(paths: readonly string[]): (path: string) => boolean {
  const placeOf = (path: string) => path.slice(0, path.indexOf(`${sep}skills${sep}`) + 1);
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(placeOf(path), (counts.get(placeOf(path)) ?? 0) + 1);
  return (path) => (counts.get(placeOf(path)) ?? 0) > MANY;
}

function namesIn(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set();
  try {
    const skills = valueAt(JSON.parse(text), "skills");
    const copied = Object.entries(isTable(skills) ? skills : {}).filter(([, entry]) => !isLocal(entry));
    return new Set(copied.flatMap(([name, entry]) => [name, directoryIn(entry)]));
  } catch {
    return new Set();
  }
}

/** A skill with a title for a name is in a directory like that where it comes from. */
function directoryIn(entry: unknown): string {
  const path = valueAt(entry, "skillPath");
  return typeof path === "string" ? posix.basename(posix.dirname(path)) : "";
}

/** One that comes from this machine is the project's own. */
function isLocal(entry: unknown): boolean {
  return valueAt(entry, "sourceType") === "local";
}
