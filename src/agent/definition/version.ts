import { valueAt, isTable } from "../../lib/table.ts";
import { error, warning, type Finding } from "./problem.ts";

export interface FormatVersion {
  readonly major: number;
  readonly minor: number;
}

/** The version that this program reads. */
const FORMAT: FormatVersion = { major: 1, minor: 0 };

interface VersionCheck {
  readonly problems: readonly Finding[];
  /** It may hold keys that came later: they are warnings then. */
  readonly isNewer: boolean;
}

/** Without a version it is 1.0. Another major is another format; a newer minor only adds keys. */
export function checkVersion(data: unknown, format: FormatVersion = FORMAT): VersionCheck {
  const given = valueAt(data, "version") ?? "1.0";
  const version = typeof given === "string" ? readVersion(given) : undefined;
  // The schema reports what is not a version at all.
  if (version === undefined) return { problems: [], isNewer: false };
  const own = `${format.major}.${format.minor}`;
  if (version.major !== format.major) {
    const message = `version '${given}' is not supported: this program reads ${format.major}.x`;
    return { problems: [error("version", ["version"], message)], isNewer: false };
  }
  if (version.minor <= format.minor) return { problems: [], isNewer: false };
  const message = `version '${given}' is newer than ${own}, the version this program knows: newer keys are ignored`;
  return { problems: [warning("version", ["version"], message)], isNewer: true };
}

function readVersion(text: string): FormatVersion | undefined {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})$/.exec(text) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

export interface Deprecation {
  /** The keys that lead to it, `*` for any: `steps.*.inputs.from_step`. */
  readonly name: string;
  /** The version of the format that deprecated it. */
  readonly since: string;
  readonly stage: "warning" | "error" | "gone";
  /** The way out, e.g. "use 'x'". */
  readonly instead: string;
}

/** Nothing is deprecated yet. */
export const DEPRECATIONS: readonly Deprecation[] = [];

/** Uses of deprecated keys: warnings first, errors from the next major on; in the one after, the key is unknown. */
export function findDeprecated(data: unknown, table: readonly Deprecation[] = DEPRECATIONS): Finding[] {
  const problems: Finding[] = [];
  for (const { name, since, stage, instead } of table) {
    if (stage === "gone") continue;
    for (const path of placesOf(data, name.split("."))) {
      const fate = stage === "error" ? "is no longer supported" : "is deprecated";
      const message = `'${path.join(".")}' ${fate} since ${since}; ${instead}`;
      problems.push((stage === "error" ? error : warning)("deprecated", path, message));
    }
  }
  return problems;
}

/** The stage that an entry must have in a version of the format: each lasts until the next major. */
export function stageIn(since: string, format: FormatVersion = FORMAT): Deprecation["stage"] | undefined {
  const begun = readVersion(since);
  if (begun === undefined) return undefined;
  const majors = format.major - begun.major;
  if (majors < 0 || (majors === 0 && begun.minor > format.minor)) return undefined;
  return majors === 0 ? "warning" : majors === 1 ? "error" : "gone";
}

function placesOf(data: unknown, keys: readonly string[], above: readonly string[] = []): (readonly string[])[] {
  const [first, ...rest] = keys;
  if (first === undefined) return [above];
  const below: [string, unknown][] = Array.isArray(data)
    ? data.map((item, index) => [String(index), item])
    : isTable(data)
      ? Object.entries(data)
      : [];
  return below.flatMap(([key, value]) =>
    first === "*" || first === key ? placesOf(value, rest, above.concat(key)) : [],
  );
}
