import type { Finding, LocatedFinding } from "./findings.ts";
import { finding } from "./rules.ts";
import { isTable } from "../lib/table.ts";

/** What was wrong when a repository began to be checked, and is let pass until someone repairs it. */
export interface Baseline {
  readonly entries: readonly BaselineEntry[];
}

interface BaselineEntry {
  readonly fingerprint: string;
  /** For whoever reads the file. */
  readonly rule: string;
  readonly path: string;
  readonly message: string;
}

export function baselineOf(findings: readonly LocatedFinding[]): Baseline {
  const entries = findings.map(({ fingerprint, rule, relativePath, path, message }) => ({
    fingerprint,
    rule,
    path: relativePath ?? path,
    message,
  }));
  return { entries };
}

export function renderBaseline({ entries }: Baseline): string {
  return `${JSON.stringify({ version: 1, findings: entries }, undefined, 2)}\n`;
}

/** What a file's data hold; or what is wrong with them. */
export function readBaseline(data: unknown): Baseline | string {
  if (!isTable(data) || !Array.isArray(data["findings"])) return "it is no baseline";
  if (data["version"] !== 1) return "it was written by another version";
  const entries: BaselineEntry[] = [];
  for (const entry of data["findings"] as unknown[]) {
    if (!isTable(entry)) return "it is no baseline";
    const { fingerprint, rule, path, message = "" } = entry;
    if (![fingerprint, rule, path, message].every((value) => typeof value === "string")) return "it is no baseline";
    entries.push({ fingerprint, rule, path, message } as BaselineEntry);
  }
  return { entries };
}

/**
 * What is not in the baseline, and a finding for each entry that nothing matches any more.
 *
 * @param findings located from the same base as those that the baseline was made of
 * @param place    the baseline's own file, with the line of each fingerprint
 */
export function beyondBaseline(
  findings: readonly LocatedFinding[],
  { entries }: Baseline,
  place: { readonly path: string; readonly lineOf: (fingerprint: string) => number },
): { readonly isKnown: (index: number) => boolean; readonly stale: readonly Finding[] } {
  const known = new Set(entries.map(({ fingerprint }) => fingerprint));
  const present = new Set(findings.map(({ fingerprint }) => fingerprint));
  const stale = entries
    .filter(({ fingerprint }) => !present.has(fingerprint))
    .map(({ fingerprint, rule, path, message }) =>
      finding("baseline-stale", {
        path: place.path,
        line: place.lineOf(fingerprint),
        message: `'${path}' has no ${rule} any more: ${message}`,
        remedy: "write the baseline anew",
        about: fingerprint,
      }),
    );
  return { isKnown: (index) => known.has(findings[index]?.fingerprint ?? ""), stale };
}
