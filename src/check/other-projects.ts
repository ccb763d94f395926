import { dirname, join, sep } from "node:path";
import { remember } from "../clients/tree-facts.ts";
import { entriesOf, isThere, namesIn } from "../lib/path-facts.ts";
import { ladder } from "../lib/paths.ts";
import { SKILL_FILE } from "../skills/skill.ts";

/** Directories with the beginnings of other projects, examples, parts of the product, and what is kept for its history. */
const OTHER_PROJECTS =
  /[\\/](?:(?:[a-z]{1,20}[-_])?templates?|tpls?|archetype-resources|skeletons?|scaffold(?:s|ing)?|boilerplates?|starters?|examples?|fixtures?|__fixtures__|testdata|mock_[a-z_]{1,40}|resources|assets|legacy|deprecated|retired|historical|attic|\.(?:old|back)|\.?(?:bak|backups?|archived?))[\\/]/;

/** Directories with files for tests, which may be wrong on purpose. */
const FIXTURES = /[\\/](?:fixtures?|__fixtures__|testdata|mock_[a-z_]{1,40})[\\/]/;

/** A notice in the first lines that a program writes the file, which is therefore mended elsewhere. */
const GENERATED =
  /<!--[^>]{0,200}\b(?:do not (?:edit|modify)|auto-?generated|generated (?:by|from|with))\b|^[^\w\n]{0,8}(?:this file|auto-?generated|generated (?:by|from|with)|do not edit)[^\n]{0,80}\b(?:generated|do not edit)\b/im;
const MAX_NOTICE = 512;

export function isGenerated(text: string): boolean {
  return GENERATED.test(text.slice(0, MAX_NOTICE));
}

export function isFixture(path: string, root: string): boolean {
  return FIXTURES.test(path.slice(root.length));
}

/** Whether a directory below the root is, or is in, one of those with the beginnings of other projects and the like. */
export function isForOthers(directory: string, root: string): boolean {
  return OTHER_PROJECTS.test(directory.slice(root.length) + sep);
}

/**
 * Whether no session is meant to begin beside a file: it belongs to a skill, a template, a test, another project or a
 * personal agent. Each directory is looked at once.
 */
export function otherProjects(root: string): (path: string) => boolean {
  const isInCollection = collectionsIn(root);
  const isOthers = remember(
    (place) => isThere(join(place, SKILL_FILE)) || (place !== root && isThere(join(place, SOUL_FILE))),
  );
  return (path) =>
    OTHER_PROJECTS.test(path.slice(root.length)) || ladder(root, dirname(path)).some(isOthers) || isInCollection(path);
}

/** Beside it, an AGENTS.md is for a personal agent that lives there. */
const SOUL_FILE = "SOUL.md";

/** From so many whole projects beside each other on, a repository is a collection of copies. */
const MANY_COPIES = 3;
const MAX_SIBLINGS = 200;

/**
 * Whether a file is in one of many whole projects beside each other, copied from repositories of their own. Each directory
 * is looked at once.
 */
export function collectionsIn(root: string): (path: string) => boolean {
  const isWhole = remember(isWholeProject);
  const countWhole = remember(countWholeProjects);
  return (path) =>
    ladder(root, dirname(path))
      .slice(1)
      .some((place) => countWhole(dirname(place)) >= (isWhole(place) ? MANY_COPIES : MANY_COPIES * MANY_COPIES));
}

/** What belongs to tools and installers. */
const NO_PROJECT = /^(?:\.|node_modules$)/;

function countWholeProjects(directory: string): number {
  let count = 0;
  // No link: it may lead anywhere.
  const siblings = entriesOf(directory).filter((entry) => entry.isDirectory() && !NO_PROJECT.test(entry.name));
  for (const { name } of siblings.slice(0, MAX_SIBLINGS)) {
    if (isWholeProject(join(directory, name)) && ++count >= MANY_COPIES * MANY_COPIES) break;
  }
  return count;
}

/** Whether a directory has what only the top of a repository needs. */
function isWholeProject(directory: string): boolean {
  const names = new Set(namesIn(directory).map((name) => name.toLowerCase()));
  const has = (...some: readonly string[]) => some.some((name) => names.has(name));
  return has("readme.md") && has("license", "license.md", "license.txt") && has(".gitignore", ".github");
}
