import { dirname, join } from "node:path";
import { isThere } from "../lib/path-facts.ts";
import { ladder } from "../lib/paths.ts";
import { SKILL_FILE } from "../skills/skill.ts";

/** Directories with the beginnings of other projects, examples, parts of the product, and what is kept for its history. */
const OTHER_PROJECTS =
  /[\\/](?:templates?|archetype-resources|skeletons?|examples?|fixtures?|__fixtures__|testdata|resources|assets|legacy|archived?|deprecated)[\\/]/;

/** Directories with files for tests, which may be wrong on purpose. */
const FIXTURES = /[\\/](?:fixtures?|__fixtures__|testdata)[\\/]/;

export function isFixture(path: string, root: string): boolean {
  return FIXTURES.test(path.slice(root.length));
}

/** Whether no session is meant to begin beside a file: it belongs to a skill, a template or a test. */
export function isOfAnother(path: string, root: string): boolean {
  const directory = dirname(path);
  return (
    OTHER_PROJECTS.test(path.slice(root.length)) ||
    ladder(root, directory).some((place) => isThere(join(place, SKILL_FILE)))
  );
}
