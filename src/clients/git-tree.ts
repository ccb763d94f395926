import { dirname, join, resolve } from "node:path";
import type { TreeFacts } from "./client-profile.ts";
import { lossyText } from "../lib/lossy-text.ts";

const MAX_BYTES = 4096;

/**
 * The working tree that a linked one was made from: `.git` is a file that names a directory of git's, and that directory
 * names it in turn. Of a submodule, and of any other tree, nothing.
 */
export function treeOfLinked(tree: string, facts: TreeFacts): string | undefined {
  const mark = join(tree, ".git");
  if (facts.at(mark)?.kind !== "file") return undefined;
  const named = /^gitdir:\s*(.+)/.exec(firstLineOf(mark, facts))?.[1];
  const directory = named === undefined ? undefined : facts.realPath(resolve(tree, named));
  if (directory === undefined) return undefined;
  const back = firstLineOf(join(directory, "gitdir"), facts);
  const common = firstLineOf(join(directory, "commondir"), facts);
  if (back === "" || common === "" || facts.realPath(resolve(directory, back)) !== facts.realPath(mark))
    return undefined;
  return dirname(resolve(directory, common));
}

function firstLineOf(path: string, facts: TreeFacts): string {
  return lossyText(facts.start(path, MAX_BYTES)).split("\n", 1)[0]?.trim() ?? "";
}
