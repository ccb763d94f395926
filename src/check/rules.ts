import { RULE_NAMES, type RuleName } from "../config/rule-names.ts";
import type { Severity } from "../lib/diagnostic.ts";
import type { Finding } from "./findings.ts";

/** One thing that a check reports. Its id is a contract: users' CI depends on it. */
export interface Rule {
  readonly id: RuleId;
  /** The default; a finding may have another. */
  readonly severity: Severity;
  /** One line; the first paragraph of its page. */
  readonly summary: string;
  /** Its page, from the root of this repository. */
  readonly page: string;
}

const TABLE = {
  "instructions-unreadable": ["error", "An instruction file that can't be read: not a regular file, or no permission"],
  "instructions-dangling-link": ["error", "An instruction file that is a dangling link"],
  "instructions-link-outside": ["error", "An instruction file that is a link to outside the root"],
  "instructions-lost-link": ["error", "An instruction file that contains only a path and should be a link"],
  "instructions-letter-case": ["warning", "A file name that differs from an instruction file's only in letter case"],
  "instructions-blank": ["warning", "An instruction file without text"],
  "instructions-hidden": ["warning", "An AGENTS.md hidden by an override beside it"],
  "instructions-shadowed": ["warning", "An instruction file that a client ignores because of another one"],
  "instructions-own-name": [
    "note",
    "Instruction files with a name that only one client reads, in a project without others",
  ],
  "instructions-left-out": [
    "error",
    "An instruction file that a client does not read because its budget is already spent",
  ],
  "instructions-cut": [
    "error",
    "An instruction file of which a client reads only the beginning, because its budget ends there",
  ],
  "instructions-repeated": ["warning", "A copy of a file further up, which is read with it"],
  "instructions-repeated-paragraph": ["note", "A paragraph of a file further up, which is read with it"],
  "instructions-missing-path": ["warning", "A path in an instruction file that does not exist"],
  "instructions-missing-import": ["error", "An import (`@path`) in an instruction file that leads nowhere"],
  "instructions-missing-command": [
    "warning",
    "A script, target or recipe in an instruction file that the project does not have",
  ],
  "instructions-wrong-name": [
    "warning",
    "A file name in an instruction file that is nearly, but not exactly, the name of a file",
  ],
  "instructions-invisible-characters": [
    "warning",
    "Invisible characters in an instruction file, or characters that change how others look",
  ],
  "instructions-forged-tag": [
    "warning",
    "A tag that would open or close one of the elements that instructions are printed in",
  ],
  "skill-unreadable": [
    "error",
    "A skill that can't be read: not a regular file, no permission, a dangling link or a link to outside",
  ],
  "skill-header": ["error", "A SKILL.md whose header is missing, not closed, too large, or not YAML"],
  "skill-name": ["error", "A skill whose name is missing or violates the specification"],
  "skill-name-directory": ["error", "A skill whose name differs from the name of its directory"],
  "skill-name-variant": [
    "note",
    "A skill whose name is that of its directory with a namespace, or with words before or after it",
  ],
  "skill-description": ["error", "A skill whose description is missing, empty or too long"],
  "skill-field": ["warning", "An optional header field that violates the specification"],
  "skill-duplicate-name": [
    "warning",
    "Two skills of one scope with the same name, so that neither can be loaded by name",
  ],
  "skill-missing-file": ["error", "A file that a skill refers to and that does not exist"],
  "skill-page-link": ["note", "A dead link in another page of a skill than its SKILL.md"],
  "skill-link-outside": ["warning", "A link to outside the skill's own directory"],
  "skill-not-linked": ["warning", "A skill without the link that its siblings have in another client's directory"],
  "skill-misplaced": ["warning", "A file that is written as a skill and is not where clients look for one"],
  "skill-too-large": ["warning", "A SKILL.md that is cut when it is loaded"],
  "skill-too-many-files": ["note", "A skill with more files than loading lists"],
  "skill-invisible-characters": [
    "warning",
    "Invisible characters in a skill, or characters that change how others look",
  ],
  "skill-forged-tag": ["warning", "A tag that would open or close one of the elements that skills are printed in"],
  "skill-empty-body": ["note", "A skill with a header and no text"],
  "skill-nested": [
    "note",
    "A SKILL.md below another skill's directory that can't be a skill itself, such as a template",
  ],
  "skill-limit": ["warning", "Part of a skill that was not checked because a limit was reached"],
  "client-list-full": [
    "warning",
    "More skills than a client's list has room for, so that it leaves out descriptions or whole skills",
  ],
  "client-config": ["error", "A mistake in a client's config of the project with which the client does not start"],
  "config-unusable": ["error", "A mistake in a project's config"],
  "config-not-heeded": [
    "warning",
    "A setting in a project's config that is ignored, because only the user may decide it or its value is too large",
  ],
  "config-unknown-skill": ["note", "A permission rule or list entry for a skill that the project does not have"],
  "config-overruled": [
    "warning",
    "A permission rule without effect, because another one always wins or nothing is left for it to allow",
  ],
  "hook-unusable": ["error", "A client's settings file that can't be read, so that none of its hooks run"],
  "hook-ignored": [
    "error",
    "A hook that its client never runs, because of a mistake in its entry or in the name of its event",
  ],
  "hook-missing-program": ["error", "A hook whose program does not exist or can't be run"],
  "agent-definition": ["error", "An invalid agent definition, which can't be run"],
  "agent-outdated": ["warning", "An agent definition for a newer version of the format"],
  "disable-unused": ["note", "A comment that disables a rule where it reports nothing"],
  "baseline-stale": ["note", "An entry of the baseline without a matching finding"],
  "check-limit": ["warning", "Something that was not checked because a limit was reached"],
} as const satisfies Record<RuleName, readonly [Severity, string]>;

/**
 * Rules that `check` reports only if a config gives them a severity: in public repositories fewer than 95 of 100 of their
 * findings were faults that the maintainers would mend.
 */
export const OFF_BY_DEFAULT: ReadonlySet<RuleId> = new Set<RuleId>([
  "instructions-own-name",
  "instructions-repeated-paragraph",
  "skill-name-variant",
  "skill-field",
  "skill-page-link",
  "skill-too-many-files",
  "skill-nested",
]);

export type RuleId = RuleName;

export const RULES: readonly Rule[] = RULE_NAMES.map((id) => {
  const [severity, summary] = TABLE[id];
  return { id, severity, summary, page: `docs/rules/${id}.md` };
});

/** The rules of `skills check`. */
export const SKILL_RULES = RULES.filter(({ id }) => id.startsWith("skill-"));

/** A finding of a rule, with the severity of the rule unless another is given. */
export function finding(id: RuleId, what: Omit<Finding, "rule" | "severity"> & { severity?: Severity }): Finding {
  return { rule: id, severity: TABLE[id][0], ...what };
}
