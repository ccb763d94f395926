import { defuse } from "../instructions/body.ts";
import { SEVERITIES, type Severity } from "../lib/diagnostic.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { groupBy } from "../lib/sorting.ts";
import type { LocatedFinding } from "./findings.ts";
import { counted } from "../lib/words.ts";

/** One line each, in a form that terminals and editors link to the file; a blank line between files. */
export function renderFindingsText(findings: readonly LocatedFinding[]): string {
  let previous = findings[0]?.path;
  const lines = findings.map((finding) => {
    const gap = finding.path === previous ? "" : "\n";
    previous = finding.path;
    return `${gap}${placeOf(finding)} ${finding.severity} ${finding.rule} ${sentenceOf(finding)}\n`;
  });
  return lines.join("");
}

/** What was fixed, one line each. */
export function renderFixed(fixed: readonly LocatedFinding[]): string {
  return fixed.map((finding) => `${placeOf(finding)} fixed ${finding.rule} ${whatWasDone(finding)}\n`).join("");
}

function whatWasDone({ fix, message }: LocatedFinding): string {
  switch (fix?.kind) {
    case "rename":
      return shown(`renamed to '${fix.to.slice(fix.to.lastIndexOf("/") + 1)}'`);
    case "link":
      return shown(`made a link to '${fix.target}'`);
    case "strip":
      return "removed invisible characters";
    case "import":
      return shown(`wrote ${fix.places.length === 1 ? "the import" : `${fix.places.length} imports`}`);
    case "new-link":
      return shown(`made the link to '${fix.target}'`);
    case undefined:
      return shown(message);
  }
}

export interface FindingsCount {
  readonly counts: Readonly<Record<Severity, number>>;
  readonly checked: number;
  /** The noun for one checked thing. */
  readonly subject: "file" | "skill";
  /** How many findings a baseline hides. */
  readonly known?: number | undefined;
  /** How many `--fix` would fix, and how many more `--fix --unsafe`. */
  readonly fixable?: number;
  readonly unsafelyFixable?: number;
}

const NOTHING_TO_CHECK = { file: "no AGENTS.md, CLAUDE.md or skill here", skill: "no skill here" } as const;

/** The counts in a sentence, and what to do next. */
export function renderFindingsSummary(count: FindingsCount): string {
  const { counts, checked, subject, known = 0, fixable = 0, unsafelyFixable = 0 } = count;
  const found = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) =>
    counted(counts[severity], severity),
  );
  if (checked === 0 && found.length === 0 && known === 0) return NOTHING_TO_CHECK[subject];
  const said = found.length === 0 ? [`nothing${known === 0 ? "" : " new"} found`] : found;
  const passed = known === 0 ? [] : [`${known} in the baseline`];
  const next = [
    ...(fixable === 0 ? [] : [`${fixable} fixable with --fix`]),
    ...(unsafelyFixable === 0 ? [] : [`${unsafelyFixable}${fixable === 0 ? "" : " more"} with --fix --unsafe`]),
  ];
  return [`${[...said, ...passed].join(", ")} (${counted(checked, subject)} checked)`, ...next].join("; ");
}

/** The message with the remedy. */
export function sentenceOf({ message, remedy }: LocatedFinding): string {
  return shown(remedy === undefined ? message : `${message}; ${remedy}`);
}

/** A name or sentence for people and models. Tags in it, which could mislead a model, are defused. */
export function shown(text: string): string {
  return defuse(visible(text));
}

/** `path:line:column` */
export function placeOf({ path, relativePath, line, column }: LocatedFinding): string {
  return `${shown(relativePath ?? path)}:${line}${column === undefined ? "" : `:${column}`}`;
}

export interface FindingsReport {
  readonly findings: readonly LocatedFinding[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** How many files or skills. */
  readonly checked: number;
  /** Those that `--fix` has fixed; absent without it. */
  readonly fixed?: readonly LocatedFinding[] | undefined;
  /** How many the baseline hides; absent without one. */
  readonly known?: number | undefined;
}

/** Paths and messages need no escaping in JSON. */
export function renderFindingsJson({ findings, counts, checked, fixed, known }: FindingsReport): string {
  const report = { findings: findings.map(asObject), counts, checked, fixed: fixed?.map(asObject), known };
  return jsonLine(report);
}

function asObject(finding: LocatedFinding): object {
  const { rule, severity, path, line, column, message, remedy, places, fingerprint } = finding;
  return { rule, severity, path, line, column, message, remedy, places, fingerprint };
}

const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

/**
 * Workflow commands, which GitHub shows as annotations. Names and messages are escaped, so they can't end a command or
 * begin another.
 */
export function renderFindingsGithub(findings: readonly LocatedFinding[]): string {
  const lines = findings.map((finding) => {
    const { rule, severity, path, relativePath, line, column } = finding;
    const place = {
      file: shown(relativePath ?? path),
      line,
      ...(column !== undefined && { col: column }),
      title: rule,
    };
    return githubCommand(severity, place, sentenceOf(finding));
  });
  return lines.join("");
}

/** One annotation. */
export function githubCommand(
  severity: Severity,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${asProperty(String(value))}`);
  return `::${COMMANDS[severity]} ${pairs.join(",")}::${asData(message)}\n`;
}

function asData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function asProperty(text: string): string {
  return asData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

// GitHub shows a megabyte for all summaries of a job.
const MAX_ROWS = 200;
const MAX_CELL = 500;

export interface Summary {
  readonly findings: readonly LocatedFinding[];
  /** The counts, on one line. */
  readonly line: string;
}

/** A page for people: the counts, then a table by rule and one of all findings, most severe first. */
export function renderFindingsMarkdown({ findings, line }: Summary): string {
  const head = `### codelia check\n\n${line}\n`;
  if (findings.length === 0) return `${head}\n`;
  const rank = ({ severity }: LocatedFinding) => SEVERITIES.indexOf(severity);
  const sorted = findings.toSorted((left, right) => rank(left) - rank(right));
  const rows = sorted.slice(0, MAX_ROWS).map((finding) => {
    const { severity, path, relativePath, line: at, rule } = finding;
    const place = `${shown(relativePath ?? path)}:${at}`;
    return `| ${severity} | ${asCell(place)} | ${asCell(rule)} | ${asCell(sentenceOf(finding))} |\n`;
  });
  const more = sorted.length - rows.length;
  const rest = more > 0 ? `\n${more} more in the log.\n` : "";
  const all = `\n| | where | rule | what |\n| --- | --- | --- | --- |\n${rows.join("")}${rest}\n`;
  return `${head}${tableByRule(sorted)}${all}`;
}

/** How many findings each rule has, in how many files. */
function tableByRule(sorted: readonly LocatedFinding[]): string {
  const byRule = groupBy(sorted, ({ rule, severity }) => `${severity} ${rule}`);
  const rows = [...byRule.values()].map((found) => {
    const { severity, rule } = found[0] as LocatedFinding;
    const files = new Set(found.map(({ path }) => path)).size;
    return `| ${severity} | ${asCell(rule)} | ${found.length} | ${files} |\n`;
  });
  return rows.length < 2 ? "" : `\n| | rule | findings | files |\n| --- | --- | --- | --- |\n${rows.join("")}`;
}

/** Escapes markup and everything that would end a cell. */
function asCell(text: string): string {
  const cut = text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
  return (
    cut
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll(/[\\`*_[\]()|~#!]|:(?=\/\/)|w(?=ww\.)/gi, (sign) => `&#${sign.charCodeAt(0)};`)
      // GitHub links mentions even if the sign is escaped, but not across markup.
      .replaceAll("@", "&#64;<!-- -->")
      .replaceAll(/[\r\n]+/g, " ")
  );
}
