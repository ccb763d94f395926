import { resolve } from "node:path";
import { textFlag } from "../cli/args.ts";
import type { Invocation, Outcome, Problem } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { lstatOf } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";
import { isTable } from "../lib/table.ts";
import { withoutBom } from "../lib/text.ts";
import { counted } from "../lib/words.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { locateFindings, sortFindings, type Finding, type LocatedFinding } from "./findings.ts";
import { atLevels, checkLevels } from "./levels.ts";
import type { Narrowed } from "./narrow.ts";
import type { RepositoryCheck } from "./repository.ts";
import { finding } from "./rules.ts";

/*
 * A baseline records the findings of the day when checks were introduced. `--write-baseline` writes it; `--baseline`
 * hides those findings until someone fixes them.
 */

interface BaselineEntry {
  readonly fingerprint: string;
  /** The other fields are for people who read the file. */
  readonly rule: string;
  readonly path: string;
  readonly message: string;
}

/**
 * Writes the current findings into the file that `--baseline` names.
 *
 * @effect the file
 */
export function writeBaseline(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  { root, asked, findings }: RepositoryCheck,
): Outcome {
  const named = textFlag(flags["baseline"]) ?? "";
  if (!asked.includes(root)) {
    const message = `a baseline is of a whole repository: leave out the path, or name '${visible(root)}'`;
    return { code: "usage", message };
  }
  const entries = locateFindings(sortFindings(findings), root).map(entryOf);
  const problem = saveBaseline(world, resolve(workspace.cwd, named), entries);
  if (problem !== undefined) return { code: "baseline_unusable", message: `baseline '${visible(named)}': ${problem}` };
  const count = counted(entries.length, "finding");
  if (flags["quiet"] !== true) world.complain(`codelia: ${count} written to '${visible(named)}'\n`);
  return "ok";
}

/** The findings that are not in the baseline, plus one for each of its entries without a match. */
export function withoutKnown(
  workspace: Workspace,
  named: string,
  { root, asked, findings }: RepositoryCheck,
): Narrowed | Problem {
  const path = resolve(workspace.cwd, named);
  const baseline = loadBaseline(path);
  if (typeof baseline === "string") {
    return { code: "baseline_unusable", message: `baseline '${visible(named)}' can't be used: ${baseline}` };
  }
  const { entries, text } = baseline;
  const known = new Set(entries.map(({ fingerprint }) => fingerprint));
  const sorted = sortFindings(findings);
  const located = locateFindings(sorted, root);
  const fresh = sorted.filter((_, index) => !known.has(located[index]?.fingerprint ?? ""));
  const count = sorted.length - fresh.length;
  // A check of a part can't tell what is gone from the whole.
  if (!asked.includes(root)) return { findings: fresh, known: count };
  const stale = atLevels(staleEntries(path, text, entries, located), checkLevels(workspace.layers), root);
  return { findings: [...fresh, ...stale], known: count };
}

function staleEntries(
  path: string,
  text: string,
  entries: readonly BaselineEntry[],
  findings: readonly LocatedFinding[],
): Finding[] {
  const present = new Set(findings.map(({ fingerprint }) => fingerprint));
  const stale = entries.filter(({ fingerprint }) => !present.has(fingerprint));
  const lines = stale.length === 0 ? new Map<string, number>() : linesOf(text);
  return stale.map((entry) =>
    finding("baseline-stale", {
      path,
      line: lines.get(entry.fingerprint) ?? 1,
      message: `'${entry.path}' no longer has ${entry.rule}: ${entry.message}`,
      remedy: "update it with '--write-baseline'",
      about: entry.fingerprint,
    }),
  );
}

/** The first line of the file that contains each string. */
function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    for (const [, word = ""] of line.matchAll(/"([^"\\]*)"/g)) if (!lines.has(word)) lines.set(word, index + 1);
  }
  return lines;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** The baseline in a file, or why it can't be used. */
function loadBaseline(path: string): { readonly entries: readonly BaselineEntry[]; readonly text: string } | string {
  const read = readText(path, MAX_BYTES);
  switch (read.kind) {
    case "absent":
      return "it does not exist; '--write-baseline' creates it";
    case "too-large":
      return `it is larger than ${MAX_BYTES} bytes`;
    case "unusable":
      return "it can't be read";
    case "text": {
      const entries = readBaseline(dataOf(read.text));
      return typeof entries === "string" ? entries : { entries, text: read.text };
    }
  }
}

function readBaseline(data: unknown): BaselineEntry[] | string {
  if (!isTable(data) || !Array.isArray(data["findings"])) return "it is not a baseline";
  if (data["version"] !== 1) return "it was written by another version";
  const entries: BaselineEntry[] = [];
  for (const entry of data["findings"] as unknown[]) {
    if (!isTable(entry)) return "it is not a baseline";
    const { fingerprint, rule, path, message = "" } = entry;
    if (![fingerprint, rule, path, message].every((value) => typeof value === "string")) return "it is not a baseline";
    entries.push({ fingerprint, rule, path, message } as BaselineEntry);
  }
  return entries;
}

function entryOf({ fingerprint, rule, relativePath, path, message }: LocatedFinding): BaselineEntry {
  return { fingerprint, rule, path: relativePath ?? path, message };
}

/** Writes the baseline, or returns why it can't be written. */
function saveBaseline(world: World, path: string, entries: readonly BaselineEntry[]): string | undefined {
  // Never replaces a pipe or a link: a clone could decide where it leads.
  if (lstatOf(path)?.isFile() === false) return "it is not a regular file; name another one";
  const written = writeWhole(world, path, `${JSON.stringify({ version: 1, findings: entries }, undefined, 2)}\n`);
  return written.kind === "written" ? undefined : `it can't be written (${written.errno})`;
}

function dataOf(text: string): unknown {
  try {
    return JSON.parse(withoutBom(text));
  } catch {
    return undefined;
  }
}
