import { expect, test } from "bun:test";
import { foundIn } from "../support/check-project.ts";
import { branched, git } from "../support/git-repository.ts";

// `codelia check`: what git tracks although its ignore files name it.

const SKILL = "---\nname: other\ndescription: Review a change\n---\nBegin.\n";

test.each([2, 3])("reads what was added by force, and nothing else of an ignored directory (index %d)", (version) => {
  using tree = branched({
    ".gitignore": ".claude/\nCLAUDE.md\n",
    ".claude/skills/one/SKILL.md": SKILL,
    ".claude/skills/two/SKILL.md": "No header.\n",
    "a/CLAUDE.md": "See [it](gone.md).\n",
    "b/CLAUDE.md": "See [it](gone.md).\n",
    "docs/.claude/skills/three/SKILL.md": "No header.\n",
  });
  expect(foundIn(tree)).toEqual([]);
  git(tree, "add", "--force", ".claude/skills/two/SKILL.md", "a/CLAUDE.md");
  // A file that is only meant to be added makes git write the third version.
  if (version === 3) git(tree, "add", "--force", "--intent-to-add", "b/CLAUDE.md");
  expect(foundIn(tree)).toEqual([
    ".claude/skills/two/SKILL.md:1 skill-header",
    "a/CLAUDE.md:1 instructions-missing-path",
    ...(version === 3 ? ["b/CLAUDE.md:1 instructions-missing-path"] : []),
  ]);
});
