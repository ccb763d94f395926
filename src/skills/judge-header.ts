import type { HeaderDefect, HeaderFacts } from "./header-facts.ts";
import type { RuleId } from "../check/rules.ts";
import { isTable, type Table } from "../lib/table.ts";

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;
const EMPTY_DESCRIPTION = "'description' is empty; say what the skill does and when to use it";
/** It may change without its becoming another defect. */
const LENGTH = "length";
const OPTIONAL_TEXTS = ["version", "license", "compatibility", "allowed-tools"];

/** In which line of the file a key stands. */
export type LineOf = (key: string) => number;

/**
 * SkillFrontmatterSchema as plain checks, with messages that say how to repair the file: importing zod would cost
 * `init-context` a quarter of its time. A property test holds the two equal: a header without defects is valid.
 */
export function judgeHeader(data: unknown, lineOf: LineOf): HeaderFacts {
  const defects: HeaderDefect[] = [];
  function report(rule: RuleId, key: string, message: string, about?: string): void {
    defects.push({ line: lineOf(key), message, ...(about === undefined ? {} : { about }), rule });
  }
  if (!isTable(data)) {
    report("skill-header", "", "its header holds no 'key: value' lines; it needs a name and a description");
    return { name: undefined, nameLine: 1, description: undefined, defects };
  }
  const name = judgeName(data["name"], report);
  const description = judgeDescription(data["description"], report);
  judgeOptional(data, report);
  return { name, nameLine: lineOf("name"), description, defects };
}

type Report = (rule: RuleId, key: string, message: string, about?: string) => void;

function judgeName(name: unknown, report: Report): string | undefined {
  if (name === null) {
    report("skill-name", "name", "'name' is empty; write the name of its directory");
    return undefined;
  }
  if (name === undefined) {
    report("skill-name", "", "'name' is missing; add a line 'name: ' with the name of its directory");
    return undefined;
  }
  const text = textOf(name);
  if (typeof name !== "string") report("skill-name", "name", "'name' must be text; put it in quotes");
  else if (name.length > MAX_NAME) {
    report("skill-name", "name", `'name' is ${name.length} characters long; at most ${MAX_NAME} are allowed`, LENGTH);
  } else if (!NAME.test(name)) {
    const remedy = "use lower-case letters and digits, with single hyphens between them";
    report("skill-name", "name", `'name' can't be '${name}'; ${remedy}`);
  }
  return text === undefined || text.length > MAX_NAME || text.includes("\n") ? undefined : text;
}

function judgeDescription(description: unknown, report: Report): string | undefined {
  if (description === null) {
    report("skill-description", "description", EMPTY_DESCRIPTION);
    return undefined;
  }
  if (description === undefined) {
    const remedy = "add a line 'description: ' that says what the skill does and when";
    report("skill-description", "", `'description' is missing; ${remedy}`);
    return undefined;
  }
  const said = textOf(description);
  const length = said?.length ?? 0;
  if (typeof description !== "string") {
    report("skill-description", "description", "'description' must be text; put it in quotes");
  } else if (said === undefined) {
    report("skill-description", "description", EMPTY_DESCRIPTION);
  } else if (length > MAX_DESCRIPTION) {
    const limit = `at most ${MAX_DESCRIPTION} are allowed`;
    report("skill-description", "description", `'description' is ${length} characters long; ${limit}`, LENGTH);
  }
  return length > MAX_DESCRIPTION ? cutDescription(said ?? "") : said;
}

/** For a lenient reader, who shall see that it is not all. */
function cutDescription(said: string): string {
  return `${said.slice(0, MAX_DESCRIPTION).replace(/[\uD800-\uDBFF]$/, "")}… [cut: ${MAX_DESCRIPTION} of ${said.length} characters]`;
}

function judgeOptional(data: Table, report: Report): void {
  for (const key of OPTIONAL_TEXTS) {
    const value = data[key];
    if (value !== undefined && typeof value !== "string") {
      report("skill-field", key, `'${key}' must be text; put it in quotes`);
    }
  }
  const { compatibility, metadata } = data;
  if (typeof compatibility === "string" && (compatibility === "" || compatibility.length > MAX_COMPATIBILITY)) {
    const size = `'compatibility' is ${compatibility.length} characters long`;
    report(
      "skill-field",
      "compatibility",
      `${size}; 1 to ${MAX_COMPATIBILITY} are allowed`,
      `${LENGTH} of compatibility`,
    );
  }
  if (metadata === undefined) return;
  if (!isTable(metadata)) return report("skill-field", "metadata", "'metadata' must be a table of 'key: text' lines");
  for (const key of Object.keys(metadata)) {
    if (typeof metadata[key] === "string") continue;
    report("skill-field", "metadata", `'metadata.${key}' must be text; put it in quotes`);
  }
}

/** What a lenient reader takes for the text of a value: undefined where that would be guessing. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof text !== "string") return undefined;
  const trimmed = text.trim();
  return trimmed === "" ? undefined : trimmed;
}
