import type { RuleId } from "../check/rules.ts";
import type { Diagnostic } from "../lib/diagnostic.ts";
import { isTable, type Table } from "../lib/table.ts";

/*
 * What the header of a SKILL.md must be: its data are checked against the specification (`checkHeader`), and the facts
 * that come out make a skill or none (`acceptSkill`).
 */

/**
 * What a header says, whatever its directory is called and however strict the validation is. Plain data, so that it
 * can be written into a snapshot.
 */
export interface HeaderFacts {
  /** Undefined where there is none, or none that could name a skill. */
  readonly name: string | undefined;
  readonly nameLine: number;
  /** Undefined where there is none: then it is no skill. */
  readonly description: string | undefined;
  /** What is against the specification, in the order of the keys. */
  readonly defects: readonly HeaderDefect[];
}

export type HeaderDefect = Omit<Diagnostic<RuleId>, "path" | "severity" | "line"> & { readonly line: number };

/** Facts that make a skill in either validation, if its directory has that name. */
export interface ValidFacts extends HeaderFacts {
  readonly name: string;
  readonly description: string;
}

export function isValid(facts: HeaderFacts): facts is ValidFacts {
  return facts.name !== undefined && facts.description !== undefined && facts.defects.length === 0;
}

/** `strict`: as the specification has it. `lenient`: what makes sense, with warnings. */
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
 * @param directoryNames what its directory is called: its own name first, then those of links that lead to it
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
  const problems = (severity: "error" | "warning") => found.map((defect) => ({ path, severity, ...defect }));
  if (description === undefined || (validation === "strict" && found.length > 0)) {
    return { kind: "refused", errors: problems("error") };
  }
  return { kind: "skill", name: name ?? directory, description, warnings: problems("warning") };
}

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;
const OPTIONAL_TEXTS = ["version", "license", "compatibility", "allowed-tools"];
const EMPTY_DESCRIPTION = "'description' is empty; say what the skill does and when to use it";
/** Identifies a defect whose message has the length in it. */
const LENGTH = "length";

type Report = (rule: RuleId, key: string, message: string, about?: string) => void;

/**
 * Checks a header's data as SkillFrontmatterSchema does, with messages that say how to repair the file; a property
 * test compares the two. Importing zod would cost `init-context` a quarter of its time.
 *
 * @param lineOf the line of the file in which a key stands; "" is for the header as a whole
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

/** For lenient validation; it tells the reader that this is not all. */
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

/** What a value means as text; undefined where that would be guessing. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return (typeof text === "string" && text.trim()) || undefined;
}
