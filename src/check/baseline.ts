import { resolve } from "node:path";
import { textFlag } from "../cli/args.ts";
import type { Invocation, Outcome } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { lstatOf } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";
import { isTable } from "../lib/table.ts";
import { withoutBom } from "../lib/text.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { locateFindings, sortFindings, type Finding, type LocatedFinding } from "./findings.ts";
import type { RepositoryCheck } from "./repository.ts";
import { finding } from "./rules.ts";

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

const MAX_BYTES = 16 * 1024 * 1024;

export type BaselineRead =
  | { readonly kind: "baseline"; readonly baseline: Baseline; readonly lineOf: (fingerprint: string) => number }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * @output the baseline, and in which line an entry stands; or why it can't be used
 * @effect reads
 * @error  none
 */
export function loadBaseline(path: string): BaselineRead {
  const read = readText(path, MAX_BYTES);
  if (read.kind === "absent") return { kind: "unusable", reason: "it is not there; '--write-baseline' writes it" };
  if (read.kind === "too-large") return { kind: "unusable", reason: `it is larger than ${MAX_BYTES} bytes` };
  if (read.kind === "unusable") return { kind: "unusable", reason: "it can't be read" };
  const baseline = readBaseline(dataOf(read.text));
  if (typeof baseline === "string") return { kind: "unusable", reason: baseline };
  let lines: ReadonlyMap<string, number> | undefined;
  return { kind: "baseline", baseline, lineOf: (fingerprint) => (lines ??= linesOf(read.text)).get(fingerprint) ?? 1 };
}

/**
 * @output why it could not be written
 * @effect the file
 * @error  none
 */
export function saveBaseline(world: World, path: string, baseline: Baseline): string | undefined {
  if (!isFree(path)) return "it is not a regular file; name another one";
  const written = writeWhole(world, path, renderBaseline(baseline));
  return written.kind === "written" ? undefined : `it can't be written (${written.errno})`;
}

/** A pipe keeps its place, and so does a link: where it leads to, the clone decides. */
function isFree(path: string): boolean {
  // Where it can't be looked at, writing says why.
  return lstatOf(path)?.isFile() !== false;
}

/** In which line each string stands first. */
function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    for (const [, word = ""] of line.matchAll(/"([^"\\]*)"/g)) if (!lines.has(word)) lines.set(word, index + 1);
  }
  return lines;
}

function dataOf(text: string): unknown {
  try {
    return JSON.parse(withoutBom(text));
  } catch {
    return undefined;
  }
}

/**
 * Writes what is wrong now into the file that `--baseline` names.
 *
 * @effect the file
 * @error  usage for a part of a repository; baseline_unusable where it can't be written
 */
export function writeBaseline(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  { root, asked, findings }: RepositoryCheck,
): Outcome {
  const named = textFlag(flags["baseline"]) ?? "";
  if (!asked.includes(root)) {
    return {
      code: "usage",
      message: `a baseline is of a whole repository: leave out the path, or name '${visible(root)}'`,
    };
  }
  const baseline = baselineOf(locateFindings(sortFindings(findings), root));
  const problem = saveBaseline(world, resolve(workspace.cwd, named), baseline);
  if (problem !== undefined) return { code: "baseline_unusable", message: `baseline '${visible(named)}': ${problem}` };
  const count = baseline.entries.length;
  if (flags["quiet"] !== true)
    world.complain(`codelia: ${count} finding${count === 1 ? "" : "s"} written to '${visible(named)}'\n`);
  return "ok";
}
