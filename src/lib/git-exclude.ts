import { join } from "node:path";
import type { World } from "../world.ts";
import type { Git } from "./git.ts";
import { isPipe } from "./git-repository.ts";
import { readText } from "./read-file.ts";
import { isLinked } from "./same-place.ts";
import { writeWhole } from "./write-file.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Keeps a directory out of `git status` by the clone's own list, which no commit carries.
 *
 * @input  pattern: of a directory, from the tree's root: `/name/`
 * @effect a line at the end of `info/exclude`, unless the directory is ignored already; none where it can't be written or is a link,
 *         because it costs no more than an untracked directory to be seen
 * @error  none
 */
export function excludeFromStatus(
  world: World,
  git: Git,
  { tree, pattern }: { readonly tree: string; readonly pattern: string },
): void {
  const isReadable = !isPipe(join(tree, ".gitignore"));
  if (isReadable && git.ask(["check-ignore", "--quiet", `.${pattern}`], { cwd: tree }).kind === "ok") return;
  const path = join(git.commonDirectory, "info", "exclude");
  // A link may lead to any file of the user's.
  if (isLinked(path)) return;
  const read = readText(path, MAX_BYTES);
  if (read.kind !== "text" && read.kind !== "absent") return;
  const before = read.kind === "text" ? read.text : "";
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  writeWhole(world, path, `${before}${gap}${pattern}\n`);
}
