import { dirname, join } from "node:path";
import type { TreeFacts } from "./client-profile.ts";

/** The nearest directory upwards in which anything of one of these names stands. */
export function nearestWith(start: string, names: readonly string[], facts: TreeFacts): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    for (const name of names) if (isThere(facts, join(directory, name))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function isThere(facts: TreeFacts, path: string): boolean {
  const what = facts.at(path);
  return what !== undefined && what.kind !== "loop" && !(what.kind === "unusable" && what.reason === "dangling-link");
}
