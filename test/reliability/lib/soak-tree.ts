import { join } from "node:path";
import { tempTree, type Entry, type TempTree } from "../../support/temp-tree.ts";

/** The shape of a monorepo: groups of packages, each with sources three levels deep. */
const GROUPS = ["apps", "libs", "services", "tools"];
const PACKAGES = 15;
const LEVELS = ["src", "src/ui", "src/ui/forms"];
const SOURCES = 4;
const OLD_MTIME = Date.UTC(2025, 0, 1);

export interface SoakTree {
  readonly tree: TempTree;
  readonly root: string;
  readonly home: string;
  readonly packages: readonly string[];
  /** Source files by package, absolute. */
  sourcesOf(pack: string): readonly string[];
  /** The instruction files that apply to a file, root first. */
  ladderOf(file: string): readonly string[];
  /** Every instruction file. */
  readonly rules: readonly string[];
  readonly firstMtimeMs: number;
}

/**
 * A root with the instruction files of both clients, and below it 60 packages: each has one of its own, every second one
 * another in its sources. CLAUDE.md at the root says something, so that Claude Code leaves AGENTS.md to us.
 */
export function openSoakTree(): SoakTree {
  const packages = GROUPS.flatMap((group) =>
    Array.from({ length: PACKAGES }, (_, index) => `${group}/package-${index}`),
  );
  const ruled = [
    "",
    ...GROUPS,
    ...packages,
    ...packages.filter((_, index) => index % 2 === 0).map((pack) => `${pack}/src/ui`),
  ];
  const rule = (directory: string): [string, Entry] => [
    join("repo", directory, "AGENTS.md"),
    { text: `Rules of '${directory}'.\n`, mtimeMs: OLD_MTIME },
  ];
  const sources = packages.flatMap((pack) =>
    LEVELS.flatMap((level) => Array.from({ length: SOURCES }, (_, index) => `${pack}/${level}/file-${index}.ts`)),
  );
  const tree = tempTree({
    "home/": { dir: true },
    "repo/.git/": { dir: true },
    "repo/CLAUDE.md": "Keep it short.\n",
    "repo/.agents/skills/release-notes/SKILL.md":
      "---\nname: release-notes\ndescription: Writes release notes\n---\nWrite.\n",
    ...Object.fromEntries(ruled.map(rule)),
    ...Object.fromEntries(sources.map((path) => [join("repo", path), "export {};\n"])),
  });
  const root = tree.path("repo");
  const rules = ruled.map((directory) => join(root, directory, "AGENTS.md"));
  return {
    tree,
    root,
    home: tree.path("home"),
    packages,
    sourcesOf: (pack) => sources.filter((path) => path.startsWith(`${pack}/`)).map((path) => join(root, path)),
    ladderOf: (file) => rules.filter((path) => file.startsWith(path.slice(0, -"AGENTS.md".length))),
    rules,
    firstMtimeMs: OLD_MTIME,
  };
}
