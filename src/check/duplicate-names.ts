import { compareText, groupBy } from "../lib/sorting.ts";
import { frontMatterOf, keyOffset } from "../lib/markdown/front-matter.ts";
import { textPositions } from "../lib/text-positions.ts";
import type { Skill } from "../skills/skill.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";

/** A skill that shares its name with others of its scope. */
export interface DuplicateName {
  readonly path: string;
  readonly name: string;
  /** The first of them, by path. */
  readonly others: readonly string[];
  readonly otherCount: number;
}

/** A name in both scopes is no duplicate: it is ambiguous on one machine only. */
export function findDuplicateNames(skills: readonly Skill[]): DuplicateName[] {
  return [...groupBy(skills, ({ scope, name }) => `${scope} ${name}`).values()]
    .filter((group) => group.length > 1)
    .flatMap(duplicatesOf);
}

/** @param text the file's text, for the line; undefined if it can't be read */
export function duplicateNameFinding(duplicate: DuplicateName, text: string | undefined): Finding {
  const { path, name, others, otherCount } = duplicate;
  const shown = others.map((other) => `'${other}'`);
  const more = otherCount > others.length ? ` and ${otherCount - others.length} more` : "";
  return finding("skill-duplicate-name", {
    path,
    ...(text === undefined ? {} : { line: textPositions(text)(keyOffset(text, frontMatterOf(text), "name")).line }),
    message: `'${name}' is also the name of ${shown.join(", ")}${more}`,
    remedy: "rename one, with its directory",
    concerns: others,
    // One more skill of the name does not make this a new finding.
    about: name,
  });
}

const MAX_OTHERS = 3;

/** Thousands may share a name, so the message does not list all of them. */
function duplicatesOf(group: readonly Skill[]): DuplicateName[] {
  const paths = group.map(({ path }) => path).toSorted(compareText);
  const first = paths.slice(0, MAX_OTHERS + 1);
  return group.map(({ path, name }) => ({
    path,
    name,
    others: first.filter((other) => other !== path).slice(0, MAX_OTHERS),
    otherCount: group.length - 1,
  }));
}
