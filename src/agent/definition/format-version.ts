import { valueAt } from "../../lib/table.ts";
import { finding, type Finding } from "./problem.ts";

export interface FormatVersion {
  readonly major: number;
  readonly minor: number;
}

/** What this program understands. */
export const FORMAT: FormatVersion = { major: 1, minor: 0 };

export interface VersionJudgement {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** It may hold keys that came later: they are warnings then. */
  readonly isNewer: boolean;
}

/** Without a version it is 1.0. Another major is another format; a newer minor only has more in it. */
export function judgeVersion(data: unknown, format: FormatVersion = FORMAT): VersionJudgement {
  const given = valueAt(data, "version") ?? "1.0";
  const version = typeof given === "string" ? readVersion(given) : undefined;
  // What is no version at all is an error of form.
  if (version === undefined) return { errors: [], warnings: [], isNewer: false };
  const own = `${format.major}.${format.minor}`;
  if (version.major !== format.major) {
    const message = `version '${given}' can't be read: this program reads ${format.major}.x`;
    return { errors: [finding("version", ["version"], message)], warnings: [], isNewer: false };
  }
  if (version.minor <= format.minor) return { errors: [], warnings: [], isNewer: false };
  const message = `version '${given}' is newer than ${own}, which this program knows: what came later is not heeded`;
  return { errors: [], warnings: [finding("version", ["version"], message)], isNewer: true };
}

export function readVersion(text: string): FormatVersion | undefined {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})$/.exec(text) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
