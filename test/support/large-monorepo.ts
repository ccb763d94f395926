import type { Entry } from "./temp-tree.ts";

/** How much of an instruction file fits into a budget, for a session that begins in its directory. */
interface SharedFile {
  readonly path: string;
  readonly bytes: number;
  readonly shown: number;
}

const GROUPS = 6;
const LINE = "Prefer small functions, and say in the message why the change is needed.\n";

/**
 * A tree like that of a large monorepo: source files and 110 instruction files, with chains of six that are longer than
 * `limit` bytes together. The shares follow from the sizes alone, root first.
 */
export function largeMonorepo(limit: number): { files: Record<string, Entry>; shares: SharedFile[] } {
  const files: Record<string, Entry> = {};
  const shares: SharedFile[] = [];

  function add(directory: string, bytes: number, above: number): number {
    const path = `${directory}AGENTS.md`;
    files[path] = `# ${directory || "Root"}\n`.padEnd(bytes, LINE);
    files[`${directory}main.ts`] = "";
    shares.push({ path, bytes, shown: Math.max(0, Math.min(bytes, limit - above)) });
    return above + bytes;
  }

  const root = add("", 4_000, 0);
  for (let group = 0; group < GROUPS; group++) {
    const inGroup = add(`group-${group}/`, 3_000 + group * 1_100, root);
    for (let team = 0; shares.length < Math.round((109 * (group + 1)) / GROUPS) - 3; team++) {
      let directory = `group-${group}/team-${team}/`;
      let above = inGroup;
      // Every other team has a chain to the sixth level.
      for (let level = 2; level < (team % 2 === 0 ? 6 : 3); level++) {
        above = add(directory, 5_400 + ((team * 7 + level * 13 + group) % 5) * 1_000, above);
        directory += `level-${level}/`;
      }
    }
  }
  while (shares.length < 110) add(`tools/tool-${shares.length}/`, 2_000, root);
  return { files, shares };
}
