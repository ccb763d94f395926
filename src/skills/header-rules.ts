import type { RuleId } from "../check/rules.ts";
import type { Diagnostic } from "../lib/diagnostic.ts";
import { isTable, type Table } from "../lib/table.ts";

/*
 * The rules for the header of a SKILL.md: its data is checked against the specification (`checkHeader`), and the
 * resulting facts decide whether it is a skill (`acceptSkill`).
 */

/**
 * What a header says, independent of its directory's name and of strictness. Plain data, so that it can be stored in a
 * snapshot.
 */
export interface HeaderFacts {
  /** Undefined if there is none, or none that could name a skill. */
  readonly name: string | undefined;
  readonly nameLine: number;
  /** Undefined if there is none; it is then no skill. */
  readonly description: string | undefined;
  /** Violations of the specification, in the order of the keys. */
  readonly defects: readonly HeaderDefect[];
}

export type HeaderDefect = Omit<Diagnostic<RuleId>, "path" | "severity" | "line"> & { readonly line: number };

/** The facts of a skill that is valid in both validations, if its directory has that name. */
export interface ValidFacts extends HeaderFacts {
  readonly name: string;
  readonly description: string;
}

export function isValid(facts: HeaderFacts): facts is ValidFacts {
  return facts.name !== undefined && facts.description !== undefined && facts.defects.length === 0;
}

/** `strict`: what the specification requires of name and description. `lenient`: whatever can be understood, with warnings. */
export type Validation = "strict" | "lenient";

export type Accepted =
  | {
      readonly kind: "skill";
      readonly name: string;
      readonly description: string;
      readonly warnings: readonly Diagnostic<RuleId>[];
    }
  | { readonly kind: "refused"; readonly errors: readonly Diagnostic<RuleId>[] };

/**
 * Whether a header makes a skill.
 *
 * @param directoryNames the names of its directory: its own first, then those of links to it
 */
export function acceptSkill(
  path: string,
  { name, nameLine, description, defects }: HeaderFacts,
  directoryNames: readonly string[],
  validation: Validation,
): Accepted {
  const [directory = ""] = directoryNames;
  const found = [...defects];
  const isNameKnown = !defects.some(({ rule }) => rule === "skill-name" || rule === "skill-header");
  if (name !== undefined && !directoryNames.includes(name) && isNameKnown) {
    const message = `'name' is '${name}', but its directory is called '${directory}'; rename one of the two`;
    found.push({ line: nameLine, message, rule: "skill-name-directory" });
  }
  const problems = (severity: "error" | "warning") =>
    found.map((defect) => ({ path, severity: isAboutNeed(defect) ? severity : ("warning" as const), ...defect }));
  if (description === undefined || (validation === "strict" && found.some(isAboutNeed))) {
    return { kind: "refused", errors: problems("error") };
  }
  return { kind: "skill", name: name ?? directory, description, warnings: problems("warning") };
}

/** Only the name and the description are required. A defect in other fields does not make the skill unusable. */
function isAboutNeed({ rule }: HeaderDefect): boolean {
  return rule !== "skill-field";
}

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;
const OPTIONAL_TEXTS = ["version", "license", "compatibility", "allowed-tools"];
const EMPTY_DESCRIPTION = "'description' is empty; say what the skill does and when to use it";
/** Identifies a defect whose message contains the length. */
const LENGTH = "length";

type Report = (rule: RuleId, key: string, message: string, about?: string) => void;

/**
 * Checks a header's data as SkillFrontmatterSchema does, with messages that say how to repair the file. A property test
 * compares the two. Importing zod would take a quarter of the time of `init-context`.
 *
 * @param lineOf the line of the file in which a key is; "" is for the header as a whole
 */
export function checkHeader(data: unknown, lineOf: (key: string) => number): HeaderFacts {
  const defects: HeaderDefect[] = [];
  function report(rule: RuleId, key: string, message: string, about?: string): void {
    defects.push({ line: lineOf(key), message, ...(about !== undefined && { about }), rule });
  }
  if (!isTable(data)) {
    report("skill-header", "", "its header holds no 'key: value' lines; it needs a name and a description");
    return { name: undefined, nameLine: 1, description: undefined, defects };
  }
  const name = checkName(data["name"], report);
  const description = checkDescription(data["description"], report);
  checkOptional(data, report);
  return { name, nameLine: lineOf("name"), description, defects };
}

function checkName(name: unknown, report: Report): string | undefined {
  if (name === null) report("skill-name", "name", "'name' is empty; write the name of its directory");
  else if (name === undefined) {
    report("skill-name", "", "'name' is missing; add a line 'name: ' with the name of its directory");
  } else if (typeof name !== "string") report("skill-name", "name", "'name' must be text; put it in quotes");
  else if (name.length > MAX_NAME) {
    report("skill-name", "name", `'name' is ${name.length} characters long; at most ${MAX_NAME} are allowed`, LENGTH);
  } else if (!NAME.test(name)) {
    const remedy = "use lower-case letters and digits, with single hyphens between them";
    report("skill-name", "name", `'name' can't be '${name}'; ${remedy}`);
  }
  const text = textOf(name);
  return text === undefined || text.length > MAX_NAME || text.includes("\n") ? undefined : text;
}

function checkDescription(description: unknown, report: Report): string | undefined {
  const text = textOf(description);
  const length = text?.length ?? 0;
  if (description === undefined) {
    const remedy = "add a line 'description: ' that says what the skill does and when";
    report("skill-description", "", `'description' is missing; ${remedy}`);
  } else if (description !== null && typeof description !== "string") {
    report("skill-description", "description", "'description' must be text; put it in quotes");
  } else if (text === undefined) {
    report("skill-description", "description", EMPTY_DESCRIPTION);
  } else if (length > MAX_DESCRIPTION) {
    const limit = `at most ${MAX_DESCRIPTION} are allowed`;
    report("skill-description", "description", `'description' is ${length} characters long; ${limit}`, LENGTH);
  }
  return text !== undefined && length > MAX_DESCRIPTION ? cutDescription(text) : text;
}

/** For lenient validation; the text says that it was cut. */
function cutDescription(text: string): string {
  const start = text.slice(0, MAX_DESCRIPTION).replace(/[\uD800-\uDBFF]$/, "");
  return `${start}… [cut: ${MAX_DESCRIPTION} of ${text.length} characters]`;
}

function checkOptional(data: Table, report: Report): void {
  for (const key of OPTIONAL_TEXTS) {
    if (data[key] === undefined || typeof data[key] === "string") continue;
    report("skill-field", key, `'${key}' must be text; put it in quotes`);
  }
  const { compatibility, metadata } = data;
  if (typeof compatibility === "string" && (compatibility === "" || compatibility.length > MAX_COMPATIBILITY)) {
    const message = `'compatibility' is ${compatibility.length} characters long; 1 to ${MAX_COMPATIBILITY} are allowed`;
    report("skill-field", "compatibility", message, `${LENGTH} of compatibility`);
  }
  if (metadata === undefined) return;
  if (!isTable(metadata)) return report("skill-field", "metadata", "'metadata' must be a table of 'key: text' lines");
  for (const key of Object.keys(metadata)) {
    if (typeof metadata[key] === "string") continue;
    report("skill-field", "metadata", `'metadata.${key}' must be text; put it in quotes`);
  }
}

/** A value as text; undefined if that would be a guess. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return (typeof text === "string" && text.trim()) || undefined;
}
