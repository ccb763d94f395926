import type { RuleName } from "../config/rule-names.ts";
import type { Config } from "../config/schema.ts";
import type { Layer } from "../config/settings.ts";
import type { Severity } from "../lib/diagnostic.ts";
import { matchesPath } from "../lib/brace-glob.ts";
import { isInside, withSlashes } from "../lib/paths.ts";
import type { Finding } from "./findings.ts";

/*
 * What the `check` settings decide: which rules report, how severely, and in which files.
 */

type Level = Severity | "off";
type Levels = Readonly<Partial<Record<RuleName, Level | undefined>>>;

export interface CheckLevels {
  /** From general to specific: the last one that names a rule and matches the file counts. */
  readonly levels: readonly { readonly files: string | undefined; readonly rules: Levels }[];
  /** Patterns for files that are not checked. */
  readonly ignore: readonly string[];
}

/** The settings of all layers. A project adds to what its user has set, and wins where both name a rule. */
export function checkLevels(layers: readonly Layer[]): CheckLevels {
  const checks = layers.map(({ config }): NonNullable<Config["check"]> => config.check ?? {});
  return {
    levels: [
      ...checks.map(({ rules = {} }) => ({ files: undefined, rules })),
      ...checks.flatMap(({ overrides = [] }) => overrides),
    ],
    ignore: checks.flatMap(({ ignore = [] }) => ignore),
  };
}

/**
 * The findings that the settings leave, with the severities that they give.
 *
 * @param off rules that report only if the settings name them
 */
export function atLevels(
  findings: readonly Finding[],
  { levels }: CheckLevels,
  root: string,
  off: ReadonlySet<RuleName> = new Set(),
): Finding[] {
  return findings.flatMap((found) => {
    const set = levels.findLast(
      ({ files, rules }) =>
        rules[found.rule] !== undefined && (files === undefined || isMatch(files, found.path, root)),
    );
    const level = set?.rules[found.rule] ?? (off.has(found.rule) ? "off" : undefined);
    if (level === "off") return [];
    return [level === undefined ? found : { ...found, severity: level }];
  });
}

/** Whether the settings leave a file or directory unchecked. */
export function isIgnoredByCheck({ ignore }: CheckLevels, path: string, root: string): boolean {
  return ignore.some((pattern) => isMatch(pattern, path, root));
}

/** Whether a pattern matches the path or a directory above it. A pattern without a slash matches a name anywhere. */
function isMatch(pattern: string, path: string, root: string): boolean {
  if (!isInside(root, path)) return false;
  const names = withSlashes(path.slice(root.length))
    .split("/")
    .filter((name) => name !== "");
  const plain = pattern.replace(/^\.?\//, "").replace(/\/$/, "");
  const anywhere = plain.includes("/") ? plain : `**/${plain}`;
  return names.some((_, index) => matchesPath(anywhere, names.slice(0, index + 1).join("/")) === true);
}
