import { expect, test } from "bun:test";
import { findSkillPlaces } from "../../src/skills/scopes.ts";
import { dir, tempTree } from "../support/temp-tree.ts";

test("findSkillPlaces() finds what discovery would start from, from the top down", () => {
  using tree = tempTree({
    ".agents/skills/x/.agents/": dir,
    "a/b/.agents": { link: "../../.agents" },
    "c/.agents/": dir,
    "node_modules/d/.agents/": dir,
    link: { link: "c" },
    loop: { link: "." },
  });
  expect(findSkillPlaces(tree.root, new Set(["node_modules"]))).toEqual({
    places: [tree.root, tree.path("c"), tree.path("a/b")],
    isCut: false,
  });
});

test("findSkillPlaces() says that it did not go to the end", () => {
  using tree = tempTree({ [`${"d/".repeat(40)}.agents/`]: dir, ".agents/": dir });
  expect(findSkillPlaces(tree.root, new Set())).toEqual({ places: [tree.root], isCut: true });
});

test("findSkillPlaces() finds nothing where nothing is", () => {
  using tree = tempTree();
  expect(findSkillPlaces(tree.path("gone"), new Set())).toEqual({ places: [], isCut: false });
});
