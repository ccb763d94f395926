import type { ExitName } from "../errors.ts";
import { shortHash } from "../lib/hash.ts";
import { isInside } from "../lib/paths.ts";
import { compareText } from "../lib/compare.ts";
import { SEVERITIES, type Diagnostic, type Severity } from "../lib/diagnostic.ts";
import { finding, type RuleId } from "./rules.ts";

export type FailOn = Severity | "never";

/** What a check reports. */
export interface Finding extends Diagnostic<RuleId> {
  /**
   * Further paths that it depends on: it may be there because one of them was changed. One that is not absolute stands
   * for all that end with it.
   */
  readonly concerns?: readonly string[];
  /** What is sure to repair it. */
  readonly fix?: Fix;
}

export type Fix =
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "strip"; readonly path: string };

/** A finding as a reader of one place sees it. */
export interface LocatedFinding extends Finding {
  /** The first where it is about the file as a whole. */
  readonly line: number;
  /** The way to the file from the base, with slashes; undefined where the file is not below the base. */
  readonly relativePath: string | undefined;
  /** The same for the same finding after its line has moved, and for no other finding of one run. */
  readonly fingerprint: string;
}

/** By file and place, each once: two ways may have led to the same finding. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const unique = new Map(findings.map((each) => [keyOf(each), each]));
  return [...unique.values()].toSorted(
    (left, right) =>
      compareText(left.path, right.path) ||
      lineOf(left) - lineOf(right) ||
      (left.column ?? 0) - (right.column ?? 0) ||
      compareText(left.rule, right.rule) ||
      compareText(left.message, right.message),
  );
}

function lineOf({ line = 1 }: Finding): number {
  return line;
}

export function countFindings(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}

/** How a check ends: as "findings" when one is as grave as `failOn`, or graver. */
export function verdict(findings: readonly Finding[], failOn: FailOn): ExitName {
  if (failOn === "never") return "ok";
  const threshold = SEVERITIES.indexOf(failOn);
  return findings.some(({ severity }) => SEVERITIES.indexOf(severity) <= threshold) ? "findings" : "ok";
}

/**
 * @param findings sorted
 * @param base what paths are shown relative to; absolute and canonical, as the paths of the findings are
 */
export function locateFindings(findings: readonly Finding[], base: string): LocatedFinding[] {
  const seen = new Map<string, number>();
  return findings.map((found) => {
    const relativePath = wayFrom(base, found.path);
    const message = shortened(found.message, base);
    const identity = JSON.stringify([found.rule, relativePath ?? found.path, found.about ?? message]);
    const count = seen.get(identity) ?? 0;
    seen.set(identity, count + 1);
    return { ...found, line: lineOf(found), message, relativePath, fingerprint: shortHash(`${identity}${count}`) };
  });
}

function wayFrom(base: string, path: string): string | undefined {
  if (path === base || !isInside(base, path)) return undefined;
  const start = /[\\/]$/.test(base) ? base.length : base.length + 1;
  const way = path.slice(start);
  // Only where it separates is a backslash not part of a name.
  return base.startsWith("/") ? way : way.replaceAll("\\", "/");
}

/** The paths that a message names are shown from the base too: they may differ from one checkout to the next. */
function shortened(message: string, base: string): string {
  return /[\\/]$/.test(base) ? message : message.replaceAll(`'${base}${base.startsWith("/") ? "/" : "\\"}`, "'");
}

function keyOf({ rule, severity, path, line = 1, column, message }: Finding): string {
  return JSON.stringify([rule, severity, path, line, column, message]);
}

/** Of one rule in one file, as many as anyone reads. */
const MAX_PRINTED = 100;

/** A hostile file could have a million. Far more than are printed: a baseline has to know them, and what is new. */
const MAX_KEPT = 1_000;

/** What is kept of the findings in one file. */
export function keptFindings(findings: readonly Finding[]): Finding[] {
  return firstOfEach(findings, MAX_KEPT, (rule) => `only its first ${MAX_KEPT} findings of ${rule} are kept`);
}

/** What is printed of all findings, sorted: to be asked for once it is known which of them are new. */
export function printedFindings(findings: readonly Finding[]): Finding[] {
  const printed = firstOfEach(sortFindings(findings), MAX_PRINTED, (rule, more) => `${more} more findings of ${rule}`);
  return sortFindings(printed);
}

/** As many of each rule in each file; then a finding for those that had more. */
function firstOfEach(
  findings: readonly Finding[],
  most: number,
  say: (rule: string, more: number) => string,
): Finding[] {
  const groups = new Map<string, { readonly first: Finding; count: number }>();
  const kept = findings.filter((each) => {
    const key = `${each.rule} ${each.path}`;
    const group = groups.get(key) ?? { first: each, count: 0 };
    groups.set(key, group);
    return ++group.count <= most;
  });
  for (const { first, count } of groups.values()) {
    if (count <= most) continue;
    const { rule, path } = first;
    const limit = rule.startsWith("skill-") ? "skill-limit" : "check-limit";
    kept.push(finding(limit, { path, message: say(rule, count - most), about: rule }));
  }
  return kept;
}
