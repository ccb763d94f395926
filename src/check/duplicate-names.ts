import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import { textPositions } from "../lib/text-positions.ts";
import { compareText } from "../lib/compare.ts";
import type { Skill } from "../skills/skill.ts";
import { keyOffset, skillParts } from "./skill-parts.ts";

const MAX_SHOWN = 3;

/** A skill that shares its name with others of its scope. */
export interface DuplicateName {
  readonly path: string;
  readonly name: string;
  /** The first of them, by path. */
  readonly others: readonly string[];
  readonly otherCount: number;
}

/** Repo and user are apart: a name in both is ambiguous on one machine, and in nobody's repository. */
export function findDuplicateNames(skills: readonly Skill[]): DuplicateName[] {
  const groups = new Map<string, Skill[]>();
  for (const skill of skills) {
    const key = `${skill.scope} ${skill.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [skill]);
    else group.push(skill);
  }
  return [...groups.values()].filter((group) => group.length > 1).flatMap(duplicatesOf);
}

/** Thousands may have one name: not each of them holds all the others. */
function duplicatesOf(group: readonly Skill[]): DuplicateName[] {
  const paths = group.map(({ path }) => path).toSorted(compareText);
  const first = paths.slice(0, MAX_SHOWN + 1);
  return group.map(({ path, name }) => ({
    path,
    name,
    others: first.filter((other) => other !== path).slice(0, MAX_SHOWN),
    otherCount: group.length - 1,
  }));
}

/** @param text the file's, where it could be read: it tells the line */
export function duplicateNameFinding(
  { path, name, others, otherCount }: DuplicateName,
  text: string | undefined,
): Finding {
  const { line } = textPositions(text ?? "")(text === undefined ? 0 : keyOffset(text, skillParts(text), "name"));
  const shown = others.map((other) => `'${other}'`);
  const more = otherCount > others.length ? ` and ${otherCount - others.length} more` : "";
  const message = `'${name}' is also the name of ${shown.join(", ")}${more}`;
  // One more of the name is a finding where it stands, and no other one here.
  return finding("skill-duplicate-name", {
    path,
    line,
    message,
    remedy: "rename one, with its directory",
    concerns: others,
    about: name,
  });
}
