import type { LocatedFinding } from "../core/findings.ts";

export interface FindingsReport {
  readonly findings: readonly LocatedFinding[];
  readonly counts: Readonly<Record<LocatedFinding["severity"], number>>;
  /** How many of what was checked. */
  readonly checked: number;
}

/** Paths and messages as they are: JSON can hold whatever they hold. */
export function renderFindingsJson({ findings, counts, checked }: FindingsReport): string {
  const shown = findings.map(({ rule, severity, path, line, column, message, remedy, fingerprint }) => ({
    rule,
    severity,
    path,
    line,
    column,
    message,
    remedy,
    fingerprint,
  }));
  return `${JSON.stringify({ findings: shown, counts, checked })}\n`;
}
