import type { LocatedFinding } from "../findings.ts";
import type { Severity } from "../../lib/diagnostic.ts";
import { jsonLine } from "../../lib/escape.ts";

export interface FindingsReport {
  readonly findings: readonly LocatedFinding[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** How many files or skills. */
  readonly checked: number;
  /** Those that `--fix` has repaired; absent without it. */
  readonly fixed?: readonly LocatedFinding[] | undefined;
  /** How many the baseline leaves out; absent where there is none. */
  readonly known?: number | undefined;
}

/** Paths and messages are not escaped: JSON can hold them as they are. */
export function renderFindingsJson({ findings, counts, checked, fixed, known }: FindingsReport): string {
  const report = { findings: findings.map(shown), counts, checked, fixed: fixed?.map(shown), known };
  return jsonLine(report);
}

function shown({ rule, severity, path, line, column, message, remedy, fingerprint }: LocatedFinding): object {
  return { rule, severity, path, line, column, message, remedy, fingerprint };
}
