import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { DEFAULT_SETTINGS } from "../../src/config/settings.ts";
import type { Validation } from "../../src/skills/header-rules.ts";
import { rankSkills } from "../../src/skills/rank.ts";
import { discoverSkills, type Discovery } from "../../src/skills/discover.ts";
import type { Workspace } from "../../src/workspace.ts";
import type { World } from "../../src/world.ts";
import {
  largeCollection,
  linkedCollection,
  messyCollection,
  treeOf,
  type Table,
} from "../support/skill-collections.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const linked = linkedCollection(20);
const COLLECTIONS: Readonly<Record<string, Table>> = {
  large: treeOf(largeCollection(300)),
  messy: treeOf(messyCollection(2)),
  linked: treeOf(linked.samples, linked.links),
};
const QUERIES = ["請求書", "审查代码", "회의록", "Use when: LATE", "review", "inv", "🚀 flag", "x"];

/** Long after everything in the tree was made, so that it is old enough to be remembered. */
function discover(tree: TempTree, validation: Validation, trace: string[], isReread = false): Promise<Discovery> {
  const world = {
    home: tree.path("home"),
    trace: (stage: string, facts: { remembered?: boolean }) => trace.push(`${stage} ${facts.remembered ?? ""}`.trim()),
    now: () => Date.now() + 60_000,
    processorTime: () => 0,
    random: () => "r",
  } as unknown as World;
  const workspace = {
    root: { directory: tree.path("repo"), reason: "flag" },
    cwd: tree.path("repo"),
    settings: { ...DEFAULT_SETTINGS, skills: { ...DEFAULT_SETTINGS.skills, validation } },
    userDirectories: { cache: tree.path("cache") },
  } as unknown as Workspace;
  return discoverSkills(world, workspace, isReread);
}

/** All that anyone can see of it. */
function plain({ book, errors, warnings, truncated }: Discovery): unknown {
  const skills = book.all().toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const found = QUERIES.map((text) => rankSkills(book, { text, path: undefined }, 1000));
  return { size: book.size, skills, errors, warnings, truncated, found };
}

for (const [name, table] of Object.entries(COLLECTIONS)) {
  for (const validation of ["strict", "lenient"] as const) {
    test(`what is remembered of the ${name} collection (${validation}) is what a walk finds`, async () => {
      using tree = tempTree(table);
      const trace: string[] = [];
      const walked = plain(await discover(tree, validation, trace));
      const remembered = plain(await discover(tree, validation, trace));
      expect(trace).toEqual(["skills-remembered", "skills false", "skills true"]);
      expect(remembered).toEqual(walked);
      expect(plain(await discover(tree, validation, trace, true))).toEqual(walked);
      expect(readdirSync(tree.path("cache"))).toHaveLength(1);
    });
  }
}
