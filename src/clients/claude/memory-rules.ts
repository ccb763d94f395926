import { join } from "node:path";
import { isInside } from "../../lib/paths.ts";
import type { ReachedFile } from "../../report/reach.ts";
import type { TreeFacts } from "../client-profile.ts";
import type { MemoryStep } from "./memory-reader.ts";

const MAX_DEPTH = 16;
const MAX_FILES = 1000;

/**
 * The Markdown files in a directory of rules and below, in the order in which the file system lists them. A link is
 * named by what it leads to, and must lead into a directory.
 */
export function rulesIn(
  directory: string,
  isWithin: (realPath: string) => boolean,
  origin: ReachedFile["origin"],
  facts: TreeFacts,
): MemoryStep[] {
  const steps: MemoryStep[] = [];
  const visited = new Set<string>();

  function walk(place: string, depth: number): void {
    const real = facts.realPath(place);
    if (real === undefined || visited.has(real) || depth > MAX_DEPTH) return;
    visited.add(real);
    for (const name of facts.list(place)) {
      const path = join(real, name);
      const what = facts.at(path);
      if (what?.kind === "directory") walk(path, depth + 1);
      else if (what?.kind === "file" && name.endsWith(".md") && steps.length < MAX_FILES) {
        // What is not below the directory itself was reached by a link.
        const isOut = !isInside(directory, what.realPath) && !isWithin(what.realPath);
        const refused = isOut && origin !== "home" ? { reason: "outside-root" as const } : undefined;
        steps.push({ path: what.realPath, origin, isFree: origin === "home", isRule: true, refused });
      }
    }
  }

  walk(directory, 0);
  return steps;
}
