import type { ExitName } from "../errors.ts";
import { shortHash } from "../lib/hash.ts";
import { isInside } from "../lib/paths.ts";
import { compareText, groupBy } from "../lib/sorting.ts";
import { counted } from "../lib/words.ts";
import { quoteForShell } from "../lib/shell-quote.ts";
import { SEVERITIES, type Diagnostic, type Severity } from "../lib/diagnostic.ts";
import { finding, type RuleId } from "./rules.ts";

export type FailOn = Severity | "never";

/** What a check reports. */
export interface Finding extends Diagnostic<RuleId> {
  /**
   * Other paths that it depends on: a change to one of them may have caused it. A relative path stands for all paths
   * that end with it.
   */
  readonly concerns?: readonly string[];
  /** Absolute: the files that it is about, where one file is the cause for several. */
  readonly places?: readonly string[];
  /** What it has in common with others: when they are printed, many of one cause are one that counts the rest. */
  readonly cause?: Cause;
  /** The fix, if there is one. */
  readonly fix?: Fix;
}

export interface Cause {
  readonly key: string;
  /** "more path", and " in 'docs/'" */
  readonly noun: string;
  readonly where?: string;
}

export type Fix =
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "strip"; readonly path: string }
  /** Each file gets a line that imports another, or is created with it. */
  | { readonly kind: "import"; readonly places: readonly { readonly path: string; readonly line: string }[] }
  | { readonly kind: "new-link"; readonly path: string; readonly target: string };

/** Whether a fix changes what a client reads, so that people should look at it: `--fix` applies it with `--unsafe`. */
export function isUnsafe({ kind }: Fix): boolean {
  return kind === "import" || kind === "new-link";
}

/** A finding as displayed, with its path relative to a base. */
export interface LocatedFinding extends Finding {
  /** The first line if it is about the file as a whole. */
  readonly line: number;
  /** From the base, with slashes; undefined if the file is not below it. */
  readonly relativePath: string | undefined;
  /** Stays the same when the line moves, and is unique in one run. */
  readonly fingerprint: string;
}

/** Sorted by file and line, without duplicates: the same finding may be reached in several ways. */
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

/** How a check ends: "findings" if one has the severity `failOn` or a higher one. */
export function verdict(findings: readonly Finding[], failOn: FailOn): ExitName {
  if (failOn === "never") return "ok";
  const threshold = SEVERITIES.indexOf(failOn);
  return findings.some(({ severity }) => SEVERITIES.indexOf(severity) <= threshold) ? "findings" : "ok";
}

/** In a remedy, stands for the finding's own path as a shell word. */
export const OWN_PATH = "{path}";

/**
 * @param findings sorted
 * @param base absolute and canonical, like the paths of the findings
 */
export function locateFindings(findings: readonly Finding[], base: string): LocatedFinding[] {
  const seen = new Map<string, number>();
  return findings.map((found) => {
    const relativePath = relativePathFrom(base, found.path);
    const message = withRelativePaths(found.message, base);
    const identity = JSON.stringify([found.rule, relativePath ?? found.path, found.about ?? message]);
    const count = seen.get(identity) ?? 0;
    seen.set(identity, count + 1);
    const fingerprint = shortHash(`${identity}${count}`);
    const remedy =
      found.remedy &&
      withRelativePaths(found.remedy, base).replace(OWN_PATH, () => quoteForShell(relativePath ?? found.path));
    return { ...found, line: lineOf(found), message, ...(remedy && { remedy }), relativePath, fingerprint };
  });
}

function relativePathFrom(base: string, path: string): string | undefined {
  if (path === base || !isInside(base, path)) return undefined;
  const start = /[\\/]$/.test(base) ? base.length : base.length + 1;
  const below = path.slice(start);
  // Except on Windows, a backslash is part of a name.
  return base.startsWith("/") ? below : below.replaceAll("\\", "/");
}

/** With paths relative to the base: absolute ones differ between checkouts. */
function withRelativePaths(message: string, base: string): string {
  return /[\\/]$/.test(base) ? message : message.replaceAll(`'${base}${base.startsWith("/") ? "/" : "\\"}`, "'");
}

function keyOf({ rule, severity, path, line = 1, column, message }: Finding): string {
  return JSON.stringify([rule, severity, path, line, column, message]);
}

/** Per rule and file: nobody reads more. */
const MAX_PRINTED = 100;

/** A hostile file could have a million. More are kept than printed, to compare them with a baseline. */
const MAX_KEPT = 1_000;

/** The findings in one file, up to a limit for each rule. */
export function keptFindings(findings: readonly Finding[]): Finding[] {
  return firstOfEach(findings, MAX_KEPT, (rule) => `only its first ${MAX_KEPT} findings of ${rule} are kept`);
}

/** All findings, sorted, up to a smaller limit for each rule in each file. Call it after the baseline was applied. */
export function printedFindings(findings: readonly Finding[]): Finding[] {
  const printed = firstOfEach(
    joinedByCause(sortFindings(findings)),
    MAX_PRINTED,
    (rule, more) => `${more} more ${more === 1 ? "finding" : "findings"} of ${rule}`,
  );
  return sortFindings(printed);
}

/** From so many on, findings of one cause are one. */
const MANY_OF_CAUSE = 4;

/** With one finding for each cause that many have: the first of them, which counts the others. */
function joinedByCause(findings: readonly Finding[]): Finding[] {
  const keyOfCause = ({ rule, severity, cause }: Finding) => cause && JSON.stringify([rule, severity, cause.key]);
  const groups = groupBy(findings, keyOfCause);
  return findings.flatMap((found) => {
    const group = found.cause === undefined ? [] : (groups.get(keyOfCause(found)) ?? []);
    if (found.cause === undefined || group.length < MANY_OF_CAUSE) return [found];
    if (group[0] !== found) return [];
    const { noun, where = "" } = found.cause;
    const message = `${found.message} (also ${counted(group.length - 1, noun)}${where})`;
    const places = [...new Set(group.map(({ path }) => path))];
    const concerns = group.flatMap((each) => each.concerns ?? []);
    return [{ ...found, message, about: found.about ?? found.message, concerns, ...(places.length > 1 && { places }) }];
  });
}

/** The first of each rule in each file, then one finding that counts the rest. */
function firstOfEach(
  findings: readonly Finding[],
  most: number,
  describeRest: (rule: string, more: number) => string,
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
    kept.push(finding(limit, { path, message: describeRest(rule, count - most), about: rule }));
  }
  return kept;
}
