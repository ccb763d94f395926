import { resolve } from "node:path";
import type { Invocation, Problem } from "../command.ts";
import { beyondBaseline } from "./baseline.ts";
import { changedPlaces, concernsChange } from "./concerns-change.ts";
import { locateFindings, sortFindings, type Finding } from "./findings.ts";
import { loadBaseline } from "./baseline-file.ts";
import { linkFollower } from "./linked-places.ts";
import { isLinked, realPathOf } from "../lib/same-place.ts";
import type { Workspace } from "../workspace.ts";
import { visible } from "../lib/escape.ts";
import type { World } from "../world.ts";
import type { RepositoryCheck } from "./repository.ts";
import { text } from "../cli/args.ts";

const NOTHING_TO_COMPARE =
  "'--changed' compares with the last commit, and nothing differs from that: there is no 'origin/HEAD'; name what to compare with ('--changed REV')";

export interface Narrowed {
  readonly findings: readonly Finding[];
  /** How many the baseline lets pass; undefined where there is none. */
  readonly known: number | undefined;
}

/**
 * What is left of the findings by `--baseline` and `--changed`.
 *
 * @effect reads; asks git
 * @error  none: baseline_unusable and changes_unknown are answers
 */
export async function narrowFindings(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  check: RepositoryCheck,
): Promise<Narrowed | Problem> {
  const sorted = sortFindings(check.findings);
  const named = text(flags["baseline"]);
  const beyond = named === undefined ? { findings: sorted, known: undefined } : withoutKnown(workspace, named, check);
  const revision = text(flags["changed"]);
  if ("code" in beyond || revision === undefined) return beyond;
  const { changedFiles } = await import("./changed-files.ts");
  const changes = changedFiles(world, check.root, revision);
  if (changes.kind === "refused") {
    return { code: "changes_unknown", message: `what changed can't be told: ${visible(changes.reason)}` };
  }
  if (!changes.isBaseKnown && changes.paths.size === 0) world.warn(NOTHING_TO_COMPARE);
  const linked = [...changes.paths].filter(isLinked).flatMap((path) => realPathOf(path) ?? []);
  const facts = { files: changes.paths, places: changedPlaces(changes.paths), linked, wayTo: linkFollower() };
  const findings = beyond.findings.filter((found) => concernsChange(found, facts));
  return { findings, known: beyond.known };
}

function withoutKnown(
  workspace: Workspace,
  named: string,
  { root, asked, findings }: RepositoryCheck,
): Narrowed | Problem {
  const path = resolve(workspace.cwd, named);
  const read = loadBaseline(path);
  if (read.kind === "unusable") {
    return { code: "baseline_unusable", message: `baseline '${visible(named)}' can't be used: ${read.reason}` };
  }
  const sorted = sortFindings(findings);
  const { isKnown, stale } = beyondBaseline(locateFindings(sorted, root), read.baseline, { path, lineOf: read.lineOf });
  const fresh = sorted.filter((_, index) => !isKnown(index));
  // Of a part nobody can tell what is gone from the whole.
  return { findings: asked === root ? [...fresh, ...stale] : fresh, known: sorted.length - fresh.length };
}
