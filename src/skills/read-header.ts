import type { RuleId } from "../check/rules.ts";
import { compareText } from "../lib/compare.ts";
import { isTable, type Table } from "../lib/table.ts";
import { linesOfKeys, MAX_HEADER_BYTES, readPlainHeader, splitHeader } from "./header.ts";
import type { HeaderDefect, HeaderFacts, SkillProblem } from "./skill.ts";

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

const KEY_LINE = /^([A-Za-z][A-Za-z0-9_-]*):(?:[ \t](.*))?$/s;

const BLOCK = /^[|>][-+0-9]*[ \t]*$/;

/**
 * A header that YAML refuses, read as its author meant it: what follows a key is its value, colons and all, and what
 * stands below without a key of its own goes with it. Of two lines with one key the first counts.
 */
export function readLooseHeader(header: string): Record<string, string> {
  const values = new Map<string, string>();
  let key: string | undefined;
  let separator = " ";
  for (const line of header.split(/\r?\n/)) {
    const [, name, written = ""] = KEY_LINE.exec(line) ?? [];
    const value = written.trimStart();
    if (name !== undefined) {
      key = values.has(name) ? undefined : name;
      const isBlock = BLOCK.test(value);
      separator = isBlock && value.startsWith("|") ? "\n" : " ";
      if (key !== undefined) values.set(key, isBlock ? "" : value.trim());
    } else if (key !== undefined && /^\s*[^\s#]/.test(line)) {
      const before = values.get(key) ?? "";
      values.set(key, before === "" ? line.trim() : before + separator + line.trim());
    }
  }
  return Object.fromEntries([...values].map(([name, value]) => [name, withoutQuotes(value)]));
}

function withoutQuotes(value: string): string {
  const quote = value[0];
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}

/** `yaml`: a header that is not plain, and needs a parser that takes longer to load than a command may take. */
export type FactsRead =
  | { readonly kind: "facts"; readonly facts: HeaderFacts }
  | { readonly kind: "yaml"; readonly header: string };

export type ParsedYaml =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly message: string; readonly line: number };

const DEFECTS = {
  "not-utf-8": "it is not UTF-8; save it as UTF-8",
  "old-lines": "its lines end in CR alone; save it with lines that end in LF",
  missing: "it does not begin with a header; put its name and description between two lines '---' at its top",
  unterminated: "its header has no end; close it with a line '---'",
  "too-large": `its header is larger than ${MAX_HEADER_BYTES} bytes; shorten it`,
} as const;

/** How to repair what YAML says no to, by how its sentence begins; for most of them it is quotes that are missing. */
const YAML_REMEDIES: readonly (readonly [reason: string, remedy: string])[] = [
  ["duplicate key", "keep one of the lines with this key"],
  ["Tabs are not allowed", "indent with spaces"],
  ["Missing closing", "close the quotes, or leave them out"],
  ["nested too deeply", "use fewer brackets, or put the text in quotes"],
  ["a key must be a string", "put the key in quotes"],
  ["the key '__proto__'", "rename it"],
];

const QUOTES_REMEDY = "a text with ': ' or ' #' in it, or a mark at its beginning, needs quotes";

/** What the beginning of a SKILL.md says; `readQuickFacts` says the same of the usual one. */
export function readFacts(text: string, isWhole: boolean): FactsRead {
  const split = splitHeader(text, isWhole);
  if (split.kind !== "header") {
    const defect = { line: 1, message: DEFECTS[encodingDefect(text) ?? split.kind], rule: "skill-header" } as const;
    return {
      kind: "facts",
      facts: { name: undefined, nameLine: 1, description: undefined, defects: [defect] },
    };
  }
  const { header } = split;
  const plain = readPlainHeader(header);
  if (plain === undefined) return { kind: "yaml", header };
  return { kind: "facts", facts: judgeHeader(plain, linesOfKeys(header)) };
}

/** The same for a header that the YAML parser has read, or refused. */
export function factsOfYaml(header: string, parsed: ParsedYaml): HeaderFacts {
  const lineOf = linesOfKeys(header);
  if (parsed.kind === "data") return judgeHeader(parsed.data, lineOf);
  const reason = parsed.message.split("\n")[0] ?? "";
  const remedy = YAML_REMEDIES.find(([beginning]) => reason.startsWith(beginning))?.[1] ?? QUOTES_REMEDY;
  // The header's first line is the file's second.
  const defect = { line: parsed.line + 1, message: `${reason}; ${remedy}`, rule: "skill-header" } as const;
  // Whatever else is wrong with it shows once YAML can read it.
  return { ...judgeHeader(readLooseHeader(header), lineOf), defects: [defect] };
}

/** Why a text that has a header for its author may have none for a reader. */
function encodingDefect(text: string): "not-utf-8" | "old-lines" | undefined {
  // UTF-16 as UTF-8: every other byte of its marks is zero.
  if (/^\uFFFD{0,2}\0?-\0-\0-/.test(text)) return "not-utf-8";
  return /^\uFEFF?---[ \t]*\r(?:[^\n]|$)/.test(text) ? "old-lines" : undefined;
}

/** Marks that make the YAML parser take its time: what is in a header beside them costs nearly nothing. */
const MARKS = /[\n:,\-?&*!"'[\]{}#]/g;

/** So many take it some seconds. Ten thousand headers as people write them have fewer. */
export const MAX_YAML_MARKS = 500_000;

/** A header that is not plain. */
export interface YamlHeader {
  readonly path: string;
  readonly header: string;
}

/**
 * The paths of those that are not parsed, because all of them together would take minutes. Which ones, does not
 * depend on the order in which they were found.
 */
export function beyondYamlBudget(headers: readonly YamlHeader[]): readonly string[] {
  const costs = headers.map(({ path, header }) => ({ path, cost: header.match(MARKS)?.length ?? 0 }));
  let room = MAX_YAML_MARKS - costs.reduce((sum, { cost }) => sum + cost, 0);
  if (room >= 0) return [];
  room = MAX_YAML_MARKS;
  return costs
    .toSorted((left, right) => compareText(left.path, right.path))
    .filter(({ cost }) => (room -= cost) < 0)
    .map(({ path }) => path);
}
