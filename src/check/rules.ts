import type { Severity } from "../lib/diagnostic.ts";
import type { Finding } from "./findings.ts";

/** What a check looks for. Its id is a contract: it stands in users' CI. */
export interface Rule {
  readonly id: string;
  /** The usual one; a finding may have another. */
  readonly severity: Severity;
  /** One line; the first paragraph of its page. */
  readonly summary: string;
  /** What explains it, from the root of this repository. */
  readonly page: string;
}

const TABLE = {
  "instructions-unreadable": ["error", "An instruction file that can't be read: no regular file, no permission"],
  "instructions-dangling-link": ["error", "An instruction file that is a link to nowhere"],
  "instructions-link-outside": ["error", "An instruction file that is a link out of the root"],
  "instructions-lost-link": ["error", "An instruction file that says nothing but a path, where a link should be"],
  "instructions-letter-case": ["warning", "A name that is an instruction file's but for its letter case"],
  "instructions-blank": ["warning", "An instruction file that says nothing"],
  "instructions-hidden": ["warning", "An AGENTS.md that an override beside it hides"],
  "instructions-shadowed": ["error", "An instruction file that a client passes over because of another one"],
  "instructions-left-out": ["error", "An instruction file of which a client reads nothing: its budget is spent before"],
  "instructions-cut": [
    "error",
    "An instruction file of which a client reads only the beginning: its budget ends in it",
  ],
  "instructions-repeated": ["warning", "A text that stands in a file further up too, which is read with it"],
  "instructions-missing-path": ["warning", "A path that an instruction file speaks of, and that is not there"],
  "instructions-invisible-characters": [
    "warning",
    "Invisible characters in an instruction file, or characters that change how others look",
  ],
  "instructions-forged-tag": [
    "warning",
    "A tag that would open or close one of the elements that instructions are printed in",
  ],
  "skill-unreadable": ["error", "A skill that can't be read: no regular file, no permission, a link out or to nowhere"],
  "skill-header": ["error", "A SKILL.md whose header is missing, has no end, is too large, or is not YAML"],
  "skill-name": ["error", "A skill whose name is missing or not as the specification has it"],
  "skill-name-directory": ["error", "A skill whose name is not the name of its directory"],
  "skill-description": ["error", "A skill whose description is missing, empty or too long"],
  "skill-field": ["error", "An optional field of the header that is not as the specification has it"],
  "skill-duplicate-name": ["warning", "Two skills of one scope with the same name: neither can be loaded by its name"],
  "skill-missing-file": ["error", "A file that the text of a skill refers to, and that is not there"],
  "skill-link-outside": ["warning", "A link that leads out of the skill's own directory"],
  "skill-too-large": ["warning", "A SKILL.md that is cut when it is loaded"],
  "skill-too-many-files": ["note", "A skill with more files than loading it lists"],
  "skill-invisible-characters": ["warning", "Invisible characters, or characters that change how others look"],
  "skill-forged-tag": ["warning", "A tag that would open or close one of the elements that skills are printed in"],
  "skill-empty-body": ["note", "A skill that has a header, and then says nothing"],
  "skill-nested": ["note", "A SKILL.md below another skill's directory: it belongs to that skill, and is none itself"],
  "skill-limit": ["warning", "Something of a skill that was not looked at, because a limit came first"],
  "config-unusable": ["error", "A project's config that can't be used"],
  "config-not-heeded": [
    "warning",
    "Something in a project's config that only the user may decide, or that is too much",
  ],
  "config-unknown-skill": [
    "note",
    "A permission rule, or an entry of a list, for a skill that the project does not have",
  ],
  "config-overruled": ["warning", "A permission rule that never decides, because another one always wins"],
  "hook-unusable": ["error", "A client's settings that can't be read, so that no hook in them runs"],
  "hook-missing-program": ["error", "A hook whose program is not there, or can't be run"],
  "agent-definition": ["error", "An agent definition that is not valid, so that nothing of it is run"],
  "agent-outdated": [
    "warning",
    "An agent definition that goes beyond this version, or holds what will go with a later one",
  ],
  "baseline-stale": ["note", "An entry of the baseline that nothing found matches any more"],
  "check-limit": ["warning", "Something that was not looked at, because a limit came first"],
} as const satisfies Record<string, readonly [Severity, string]>;

export type RuleId = keyof typeof TABLE;

export const RULES: readonly Rule[] = Object.entries(TABLE).map(([id, [severity, summary]]) => ({
  id,
  severity,
  summary,
  page: `docs/rules/${id}.md`,
}));

/** The rules of `skills check`. */
export const SKILL_RULES = RULES.filter(({ id }) => id.startsWith("skill-"));

/** A finding of a rule, with the severity of the rule unless another is given. */
export function finding(id: RuleId, what: Omit<Finding, "rule" | "severity"> & { severity?: Severity }): Finding {
  return { rule: id, severity: TABLE[id][0], ...what };
}
