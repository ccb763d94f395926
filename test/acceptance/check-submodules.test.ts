import { expect, test } from "bun:test";
import { checkProject, runCheck } from "../support/check-project.ts";
import { dir, type Entry } from "../support/temp-tree.ts";

// `codelia check`: paths into submodules.

const PROJECT: Readonly<Record<string, Entry>> = {
  ".gitmodules": '[submodule "theirs"]\n\tpath = vendor/theirs\n\turl = ../theirs\n',
  "AGENTS.md": "Read `vendor/theirs/docs/a.md`, [it](vendor/theirs/b.md) and `vendor/gone.md`.\n",
};

function missingIn(more: Readonly<Record<string, Entry>>): string[] {
  using tree = checkProject({ ...PROJECT, ...more });
  return [...runCheck(tree).stdout.matchAll(/'(\S+)' does not exist/g)].map(([, path = ""]) => path);
}

test("what is in a submodule that is not checked out is unknown", () => {
  expect(missingIn({ "vendor/theirs/": dir })).toEqual(["vendor/gone.md"]);
});

test("what is not in one that is checked out is missing", () => {
  expect(missingIn({ "vendor/theirs/.git": "gitdir: elsewhere\n", "vendor/theirs/docs/a.md": "" })).toEqual([
    "vendor/theirs/b.md",
    "vendor/gone.md",
  ]);
});
