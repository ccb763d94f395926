import { sep } from "node:path";
import { MANY, matchesName, matchesPath, parsePath, type PathPattern, type Segment } from "./glob.ts";
import { withoutBom } from "./text.ts";

/** The rules of one ignore file, and those of the files above it, which apply if none of these matches. */
export interface IgnoreRules {
  /** The directory that its patterns are relative to; absolute. */
  readonly base: string;
  readonly above: IgnoreRules | undefined;
  /** Rules for one plain name, last first: there may be hundreds of them, and thousands of names. */
  readonly byName: ReadonlyMap<string, readonly Rule[]>;
  /** All others, last first. */
  readonly others: readonly Rule[];
  /** Why some of its lines are ignored; undefined if none are. */
  readonly limit: string | undefined;
}

interface Rule {
  /** Its position in the file: the last matching rule decides. */
  readonly order: number;
  readonly isNegated: boolean;
  readonly onlyDirectories: boolean;
  readonly matches: { readonly name: Segment } | { readonly prefix: string; readonly path: PathPattern };
}

/** More than anybody writes. Each path is compared with each rule that is not a plain name. */
const MAX_PATTERN = 4096;
const MAX_LINES = 10_000;
const MAX_OTHERS = 2_000;

/** Reads an ignore file as git does. */
export function readIgnoreRules(base: string, text: string, above: IgnoreRules | undefined): IgnoreRules {
  const byName = new Map<string, Rule[]>();
  const others: Rule[] = [];
  const lines = withoutBom(text).split("\n");
  let limit = lines.length > MAX_LINES ? `only its first ${MAX_LINES} lines are used` : undefined;
  for (const [order, line] of lines.slice(0, MAX_LINES).entries()) {
    if (line.length > MAX_PATTERN) {
      limit ??= `lines longer than ${MAX_PATTERN} characters are ignored`;
      continue;
    }
    const rule = readRule(line, order);
    if (rule === undefined) continue;
    const plain = "name" in rule.matches ? rule.matches.name.plain : undefined;
    if (plain !== undefined) {
      const rules = byName.get(plain);
      if (rules === undefined) byName.set(plain, [rule]);
      else rules.push(rule);
    } else if (others.length < MAX_OTHERS) others.push(rule);
    else limit = `only its first ${MAX_OTHERS} lines that are not plain names are used`;
  }
  for (const rules of byName.values()) rules.reverse();
  return { base, above, byName, others: others.toReversed(), limit };
}

/**
 * Whether a file or directory is ignored, assuming that no directory above it is.
 *
 * @param directory absolute, at or below the base of the deepest rules
 */
export function isIgnored(
  rules: IgnoreRules | undefined,
  directory: string,
  name: string,
  isDirectory: boolean,
): boolean {
  for (let current = rules; current !== undefined; current = current.above) {
    const rule = decidingRule(current, directory, name, isDirectory);
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
}

function decidingRule(rules: IgnoreRules, directory: string, name: string, isDirectory: boolean): Rule | undefined {
  let best: Rule | undefined;
  for (const rule of rules.byName.get(name) ?? []) {
    if (rule.onlyDirectories && !isDirectory) continue;
    best = rule;
    break;
  }
  let way: string | undefined;
  for (const rule of rules.others) {
    if (best !== undefined && rule.order < best.order) return best;
    if (rule.onlyDirectories && !isDirectory) continue;
    if ("name" in rule.matches) {
      if (matchesName(rule.matches.name, name)) return rule;
      continue;
    }
    way ??= wayFrom(rules.base, directory) + name;
    const { prefix, path } = rule.matches;
    if (way.startsWith(prefix) && matchesPath(path, way.slice(prefix.length).split("/"))) return rule;
  }
  return best;
}

/** With slashes, and one at the end unless it is empty. */
function wayFrom(base: string, directory: string): string {
  const way = directory.slice(base.length).replaceAll("\\", sep === "/" ? "\\" : "/");
  return way === "" || way === "/" ? "" : `${way.startsWith("/") ? way.slice(1) : way}/`;
}

function readRule(line: string, order: number): Rule | undefined {
  if (line.startsWith("#")) return undefined;
  let pattern = withoutTrailingBlanks(line.endsWith("\r") ? line.slice(0, -1) : line);
  const isNegated = pattern.startsWith("!");
  if (isNegated) pattern = pattern.slice(1);
  const onlyDirectories = pattern.endsWith("/");
  if (onlyDirectories) pattern = pattern.slice(0, -1);
  if (pattern === "") return undefined;
  const isAnchored = pattern.includes("/");
  const written = pattern.startsWith("/") ? pattern.slice(1) : pattern;
  const [, prefix = ""] = (isAnchored && PLAIN_BEFORE_MANY.exec(written)) || [];
  const path = parsePath(written.slice(prefix.length));
  if (path === undefined) return undefined;
  const [only] = path;
  if (!isAnchored && typeof only === "object") return { order, isNegated, onlyDirectories, matches: { name: only } };
  // Two stars alone match every name.
  return { order, isNegated, onlyDirectories, matches: { prefix, path: isAnchored ? path : [MANY, ANY_NAME] } };
}

/** Git compares the text before the first special character separately, so two stars right after it begin a pattern. */
const PLAIN_BEFORE_MANY = /^([^*?[\\]+)\*\*/;
const ANY_NAME: Segment = { plain: undefined, tokens: [{ kind: "star" }] };

/** Trailing spaces don't count unless a backslash escapes one. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end--;
  if (end === line.length) return line;
  let slashes = 0;
  while (line[end - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1 ? line.slice(0, end + 1) : line.slice(0, end);
}
