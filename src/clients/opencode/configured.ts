import { join, parse } from "node:path";
import { matchesPath } from "../../lib/brace-glob.ts";
import { withSlashes } from "../../lib/paths.ts";
import { valueAt } from "../../lib/table.ts";
import type { TreeFacts, UserEnvironment } from "../client.ts";
import type { Slot } from "../slots.ts";

// The files that a config names in `instructions`, by paths and patterns.

/** Configs in the order in which they count. */
export interface Configs {
  /** Of the user's: the last with the setting counts. */
  readonly user: readonly string[];
  /** All of these add to it. */
  readonly project: readonly string[];
}

/** More than anyone names: a clone may have been made to take long. */
const MAX_PATTERNS = 100;
const MAX_FILES = 1000;
const MAX_NAMES = 50_000;
const MAX_DEPTH = 32;

/**
 * What a project's config names outside of it is left out, though the client reads it: a clone could have us read
 * anything.
 *
 * @param above where a relative pattern is looked for, the nearest first
 */
export function configuredFiles(
  { user, project }: Configs,
  above: readonly string[],
  { home }: UserEnvironment,
  facts: TreeFacts,
): Slot[] {
  const find = finder(facts);
  const ofUser = user.map((path) => patternsIn(path, facts)).findLast((patterns) => patterns.length > 0) ?? [];
  const ofProject = project.flatMap((path) => patternsIn(path, facts)).filter((pattern) => !isOut(pattern));
  const seen = new Set<string>();
  const slot = (pattern: string, isUsers: boolean): Slot => {
    const whole = pattern.startsWith("~/") ? join(home, pattern.slice(2)) : pattern;
    const { root } = parse(whole);
    const starts = root === "" ? above : [root];
    const paths = starts
      .flatMap((start) => find(start, withSlashes(whole.slice(root.length))))
      .filter((path) => !seen.has(path) && seen.add(path));
    return { paths: paths.slice(0, MAX_FILES), origin: isUsers && root !== "" ? "home" : "project", takes: "all" };
  };
  return [
    ...ofUser.map((pattern) => slot(pattern, true)),
    ...ofProject.slice(0, MAX_PATTERNS).map((pattern) => slot(pattern, false)),
  ].filter(({ paths }) => paths.length > 0);
}

function isOut(pattern: string): boolean {
  return parse(pattern).root !== "" || /^~\/|(?:^|\/)\.\.(?:\/|$)/.test(withSlashes(pattern));
}

function patternsIn(config: string, facts: TreeFacts): string[] {
  const patterns = valueAt(facts.data(config), "instructions");
  const isLocal = (each: unknown): each is string => typeof each === "string" && !/^https?:/.test(each);
  return Array.isArray(patterns) ? patterns.filter(isLocal) : [];
}

/** Hidden files and `node_modules` are found, too; links to directories are not followed. */
function finder(facts: TreeFacts): (start: string, pattern: string) => string[] {
  let namesLeft = MAX_NAMES;

  function expand(directory: string, names: readonly string[], depth: number): string[] {
    const [name, ...rest] = names;
    if (name === undefined || depth > MAX_DEPTH) return [];
    if (!/[*?[{]/.test(name)) return below(join(directory, name), rest, depth);
    if (namesLeft <= 0) return [];
    const children = facts.list(directory);
    // An empty directory is looked at, too.
    namesLeft -= children.length + 1;
    if (name === "**") {
      const here = expand(directory, rest, depth);
      const deeper = children.filter((child) => isOwnDirectory(directory, child));
      return [...here, ...deeper.flatMap((child) => expand(join(directory, child), names, depth + 1))];
    }
    return children
      .filter((child) => matchesPath(name, child) === true)
      .flatMap((child) => below(join(directory, child), rest, depth));
  }

  function below(path: string, rest: readonly string[], depth: number): string[] {
    if (rest.length > 0) return expand(path, rest, depth + 1);
    return facts.at(path)?.kind === "file" ? [path] : [];
  }

  function isOwnDirectory(directory: string, name: string): boolean {
    const what = facts.at(join(directory, name));
    return what?.kind === "directory" && what.realPath === join(facts.realPath(directory) ?? directory, name);
  }

  return (start, pattern) =>
    expand(
      start,
      pattern.split("/").filter((name) => name !== "" && name !== "."),
      0,
    );
}
