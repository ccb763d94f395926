import { dirname, join } from "node:path";
import type { OwnNames } from "../clients/client.ts";
import { isKnown, isTold } from "../instructions/pending.ts";
import type { Context, Session } from "../ledger/schema.ts";
import { versionOf } from "../lib/fs.ts";
import { entriesOf, isThere, realPathOf, statOf } from "../lib/path-facts.ts";
import { isInside, ladder } from "../lib/paths.ts";
import { readStart } from "../lib/read-file.ts";
import { lossyText } from "../lib/text.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** The conditions of a rule or a skill stand at its beginning. */
const HEADER_BYTES = 16 * 1024;
const MAX_DEPTH = 16;
const MAX_FILES = 1000;
/** Stands for the files of a directory that is touched itself. */
export const ANY_FILE = "_";

/**
 * Whether a closer look may find own files of the client that a context has to be told of. Nearly always there are only
 * rules and skills for other files, and this sees that in half the time.
 *
 * @input  isOpen: whether more of a directory may be told; isNews: whether a context doesn't know a file as it is
 * @effect reads the beginnings of rules and skills that the context does not know
 */
export async function mayFindOwn(
  world: World,
  { cwd, root }: Workspace,
  own: OwnNames,
  paths: readonly string[],
  session: Session | undefined,
  context: Context,
  { isOpen, isNews }: Readonly<Record<"isOpen" | "isNews", (path: string, context: Context) => boolean>>,
): Promise<boolean> {
  const start = session?.cwd ?? cwd;
  const realRoot = realPathOf(root.directory) ?? root.directory;
  const { pathsOf, matchesRule } = await own.conditions();
  const touched = paths.flatMap((path) => [path, join(path, ANY_FILE)]);

  /** Undefined: nothing in it is for some files only. */
  function holdsNews(directory: string, base: string, isBelow: boolean): boolean | undefined {
    let isConditional = false;
    for (const path of filesIn(directory, realRoot)) {
      const stats = statOf(path);
      if (stats?.isFile() !== true) continue;
      if (isKnown(context, path)) {
        if (!isTold(context, path, versionOf(stats))) return true;
        isConditional = true;
        continue;
      }
      const read = readStart(path, HEADER_BYTES);
      const patterns = read.kind === "read" ? pathsOf(lossyText(read.bytes)) : [];
      if (patterns.length === 0 ? isBelow : touched.some((each) => matchesRule(patterns, base, each))) return true;
      isConditional ||= patterns.length > 0;
    }
    return isConditional ? false : undefined;
  }

  function isWorth(directory: string, base: string, isBelow: boolean): boolean {
    // Where there are no conditions, the closer look records that.
    return isOpen(directory, context) && holdsNews(directory, base, isBelow) !== false;
  }

  for (const [path, { own: isOwn }] of Object.entries(context.loadedVersions)) {
    if (isOwn === true && !isThere(path)) return true;
  }
  const home = own.homeRules(world);
  // Elsewhere the user's files are not read.
  if (isOpen(home, context) && !isInside(dirname(dirname(home)), realRoot)) return true;
  if (isWorth(home, start, false)) return true;
  const places = new Set(paths.flatMap((path) => ladder(root.directory, path)));
  const [rules = "", skills = ""] = own.directories;
  return [...places].some((place) => {
    const isBelow = place !== start && isInside(start, place);
    return (
      isWorth(`${place}/${rules}`, place, isBelow) ||
      // Further down the client lists all of them with some touches, and none with others.
      (isBelow ? isOpen(`${place}/${skills}`, context) : isWorth(`${place}/${skills}`, start, false)) ||
      (isBelow && own.names.some((name) => isNews(`${place}/${name}`, context)))
    );
  });
}

/** The Markdown files of rules, and those of skills; none outside the root. */
function filesIn(directory: string, root: string): readonly string[] {
  const files: string[] = [];

  function walk(place: string, depth: number): void {
    for (const entry of entriesOf(place)) {
      if (files.length >= MAX_FILES || depth > MAX_DEPTH) return;
      const path = join(place, entry.name);
      if (entry.isSymbolicLink() && !isInside(root, realPathOf(path) ?? path)) continue;
      if (statOf(path)?.isDirectory() !== true) {
        if (entry.name.endsWith(".md")) files.push(path);
      } else if (isThere(join(path, SKILL_FILE))) files.push(join(path, SKILL_FILE));
      else walk(path, depth + 1);
    }
  }

  walk(directory, 0);
  return files;
}
