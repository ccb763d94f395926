import type { Finding } from "../findings.ts";
import { finding } from "../rules.ts";
import { textPositions } from "../text-positions.ts";
import type { Skill } from "./skill.ts";
import { keyOffset, skillParts } from "./skill-parts.ts";

const MAX_SHOWN = 3;

/** A skill that shares its name with others of its scope. */
export interface DuplicateName {
  readonly path: string;
  readonly name: string;
  readonly others: readonly string[];
}

/** Repo and user are apart: a name in both is ambiguous on one machine, and in nobody's repository. */
export function findDuplicateNames(skills: readonly Skill[]): DuplicateName[] {
  const groups = new Map<string, Skill[]>();
  for (const skill of skills) {
    const key = `${skill.scope} ${skill.name}`;
    groups.set(key, [...(groups.get(key) ?? []), skill]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length < 2
      ? []
      : group.map(({ path, name }) => ({
          path,
          name,
          others: group.map((other) => other.path).filter((other) => other !== path),
        })),
  );
}

/** @param text the file's, where it could be read: it tells the line */
export function duplicateNameFinding({ path, name, others }: DuplicateName, text: string | undefined): Finding {
  const { line } = textPositions(text ?? "")(text === undefined ? 0 : keyOffset(text, skillParts(text), "name"));
  const shown = others.slice(0, MAX_SHOWN).map((other) => `'${other}'`);
  const more = others.length > MAX_SHOWN ? ` and ${others.length - MAX_SHOWN} more` : "";
  const message = `'${name}' is also the name of ${shown.join(", ")}${more}`;
  return finding("skill-duplicate-name", { path, line, message, remedy: "rename one, with its directory" });
}
