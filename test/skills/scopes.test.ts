import { expect, test } from "bun:test";
import { directoriesWithSkills } from "../../src/skills/scopes.ts";
import { dir, tempTree } from "../support/temp-tree.ts";

test("directoriesWithSkills() finds what discovery would start from, from the top down", () => {
  using tree = tempTree({
    ".agents/skills/x/.agents/": dir,
    "a/b/.agents": { link: "../../.agents" },
    "c/.agents/": dir,
    "node_modules/d/.agents/": dir,
    link: { link: "c" },
    loop: { link: "." },
  });
  expect(directoriesWithSkills(tree.root, new Set(["node_modules"]))).toEqual({
    places: [tree.root, tree.path("c"), tree.path("a/b")],
    isCut: false,
  });
});

test("directoriesWithSkills() says that it did not go to the end", () => {
  using tree = tempTree({ [`${"d/".repeat(40)}.agents/`]: dir, ".agents/": dir });
  expect(directoriesWithSkills(tree.root, new Set())).toEqual({ places: [tree.root], isCut: true });
});

test("directoriesWithSkills() finds nothing where nothing is", () => {
  using tree = tempTree();
  expect(directoriesWithSkills(tree.path("gone"), new Set())).toEqual({ places: [], isCut: false });
});
