import type { HeaderFacts } from "./header-facts.ts";
import type { SkillProblem } from "./skill.ts";

/** Strict: as the specification has it. Lenient: what can be made sense of, with warnings. */
export type Validation = "strict" | "lenient";

export type Accepted =
  | {
      readonly kind: "skill";
      readonly name: string;
      readonly description: string;
      readonly warnings: readonly SkillProblem[];
    }
  | { readonly kind: "refused"; readonly errors: readonly SkillProblem[] };

/**
 * Whether what a header says makes a skill.
 *
 * @param directoryNames what its directory is called: its own name first, then those of links that lead to it
 */
export function acceptSkill(
  path: string,
  facts: HeaderFacts,
  directoryNames: readonly string[],
  validation: Validation,
): Accepted {
  if (isPlain(facts) && directoryNames.includes(facts.name)) {
    return { kind: "skill", name: facts.name, description: facts.description, warnings: [] };
  }
  const { name, description, defects } = facts;
  const isOwnName = name !== undefined && directoryNames.includes(name);
  const [directory = ""] = directoryNames;
  const problems: SkillProblem[] = defects.map((defect) => ({ path, ...defect }));
  const isNameKnown = !defects.some(({ rule }) => rule === "skill-name" || rule === "skill-header");
  if (name !== undefined && !isOwnName && isNameKnown) {
    const message = `'name' is '${name}', but its directory is called '${directory}'; rename one of the two`;
    problems.push({ path, line: facts.nameLine, message, rule: "skill-name-directory" });
  }
  if (validation === "strict" || description === undefined) return { kind: "refused", errors: problems };
  return { kind: "skill", name: name ?? directory, description, warnings: problems };
}

/** What says plainly that it is a skill. */
export interface PlainFacts extends HeaderFacts {
  readonly name: string;
  readonly description: string;
}

/** Whether it is a skill for either validation, in a directory of its name. */
export function isPlain(facts: HeaderFacts): facts is PlainFacts {
  return facts.name !== undefined && facts.description !== undefined && facts.defects.length === 0;
}
