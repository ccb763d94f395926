import type { LocatedFinding } from "../findings.ts";
import { jsonLine } from "../../lib/escape.ts";

export interface FindingsReport {
  readonly findings: readonly LocatedFinding[];
  readonly counts: Readonly<Record<LocatedFinding["severity"], number>>;
  /** How many of what was checked. */
  readonly checked: number;
  /** Those that are repaired now; absent where nothing was to be. */
  readonly fixed?: readonly LocatedFinding[] | undefined;
  /** How many a baseline lets pass; absent where there is none. */
  readonly known?: number | undefined;
}

/** Paths and messages as they are: JSON can hold whatever they hold. */
export function renderFindingsJson({ findings, counts, checked, fixed, known }: FindingsReport): string {
  const report = { findings: findings.map(shown), counts, checked, fixed: fixed?.map(shown), known };
  return jsonLine(report);
}

function shown({ rule, severity, path, line, column, message, remedy, fingerprint }: LocatedFinding): object {
  return { rule, severity, path, line, column, message, remedy, fingerprint };
}
