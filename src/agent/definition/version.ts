import { valueAt } from "../../lib/table.ts";
import { error, warning, type Finding } from "./problem.ts";

interface FormatVersion {
  readonly major: number;
  readonly minor: number;
}

/** The version that this program reads. */
const FORMAT: FormatVersion = { major: 1, minor: 0 };

interface VersionCheck {
  readonly problems: readonly Finding[];
  /** It may have keys of a later version, which are then warnings. */
  readonly isNewer: boolean;
}

/** Without a version it is 1.0. Another major version is another format; a newer minor version only adds keys. */
export function checkVersion(data: unknown): VersionCheck {
  const given = valueAt(data, "version") ?? "1.0";
  const version = typeof given === "string" ? readVersion(given) : undefined;
  // The schema reports an invalid version.
  if (version === undefined) return { problems: [], isNewer: false };
  const own = `${FORMAT.major}.${FORMAT.minor}`;
  if (version.major !== FORMAT.major) {
    const message = `version '${given}' is not supported: this program reads ${FORMAT.major}.x`;
    return { problems: [error("version", ["version"], message)], isNewer: false };
  }
  if (version.minor <= FORMAT.minor) return { problems: [], isNewer: false };
  const message = `version '${given}' is newer than ${own}, the version this program knows: newer keys are ignored`;
  return { problems: [warning("version", ["version"], message)], isNewer: true };
}

function readVersion(text: string): FormatVersion | undefined {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})$/.exec(text) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
