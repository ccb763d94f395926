import { basename, dirname, join, resolve } from "node:path";
import type { TreeFacts } from "./client-profile.ts";
import { lossyText } from "./lossy-text.ts";

const MAX_BYTES = 4096;

/** Where git keeps what belongs to a working tree whose `.git` is a file; undefined for any other. */
export function linkedGitDirectory(tree: string, facts: TreeFacts): string | undefined {
  if (facts.at(join(tree, ".git"))?.kind !== "file") return undefined;
  const named = /^gitdir:(.*)/.exec(firstLineOf(join(tree, ".git"), facts))?.[1]?.trim();
  return named === undefined || named === "" ? undefined : resolve(tree, named);
}

/** The working tree that a linked one was made from, by the names of git's directories. */
export function treeOfLinked(gitDirectory: string, facts: TreeFacts): string | undefined {
  const real = facts.realPath(gitDirectory);
  const parent = real === undefined ? "" : dirname(real);
  return basename(parent) === "worktrees" ? dirname(dirname(parent)) : undefined;
}

export function firstLineOf(path: string, facts: TreeFacts): string {
  return lossyText(facts.start(path, MAX_BYTES)).split("\n", 1)[0]?.trim() ?? "";
}
