import { isTable } from "../../lib/table.ts";
import { FORMAT, readVersion, type FormatVersion } from "./format-version.ts";
import { finding, type Finding } from "./problem.ts";

export interface Deprecation {
  /** The keys that lead to it, `*` for any: `steps.*.inputs.from_step`. */
  readonly name: string;
  /** The version of the format that deprecated it. */
  readonly since: string;
  readonly stage: "warning" | "error" | "gone";
  /** The way out, e.g. "use 'x'". */
  readonly instead: string;
}

/** What is on its way out of the format. Nothing is yet. */
export const DEPRECATIONS: readonly Deprecation[] = [];

/** What a definition uses of it: a warning first, an error from the next major on; in the one after it is unknown. */
export function findDeprecated(
  data: unknown,
  table: readonly Deprecation[] = DEPRECATIONS,
): { errors: Finding[]; warnings: Finding[] } {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  for (const { name, since, stage, instead } of table) {
    if (stage === "gone") continue;
    for (const path of placesOf(data, name.split("."))) {
      const fate = stage === "error" ? "is no longer heeded" : "is deprecated";
      const message = `'${path.join(".")}' ${fate} since ${since}; ${instead}`;
      (stage === "error" ? errors : warnings).push(finding("deprecated", path, message));
    }
  }
  return { errors, warnings };
}

/** The stage that an entry must have in a version of the format: each lasts at least until the next major. */
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
