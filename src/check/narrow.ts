import { basename, dirname, isAbsolute, sep } from "node:path";
import { textFlag } from "../cli/args.ts";
import type { Invocation, Problem } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { linkFollower } from "../lib/links.ts";
import { isLinked, realPathOf } from "../lib/path-facts.ts";
import { isInside, wholeLadder } from "../lib/paths.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { withoutKnown } from "./baseline.ts";
import { sortFindings, type Finding } from "./findings.ts";
import type { RepositoryCheck } from "./repository.ts";

const NOTHING_TO_COMPARE =
  "'--changed' compares with the last commit, and nothing differs from that: there is no 'origin/HEAD'; name what to compare with ('--changed REV')";

export interface Narrowed {
  readonly findings: readonly Finding[];
  /** How many the baseline hides; undefined without one. */
  readonly known: number | undefined;
}

/**
 * The findings that `--baseline`, `--changed` and `--staged` leave.
 *
 * @effect reads; asks git
 */
export async function narrowFindings(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  check: RepositoryCheck,
): Promise<Narrowed | Problem> {
  const baseline = textFlag(flags["baseline"]);
  const fresh =
    baseline === undefined
      ? { findings: sortFindings(check.findings), known: undefined }
      : withoutKnown(workspace, baseline, check);
  const revision = textFlag(flags["changed"]);
  if ("code" in fresh || (revision === undefined && flags["staged"] !== true)) return fresh;
  const { changedFiles, stagedFiles } = await import("./changed-files.ts");
  const changed = revision === undefined ? stagedFiles(world, check.root) : changedFiles(world, check.root, revision);
  if (changed.kind === "refused") {
    return { code: "changes_unknown", message: `can't tell what changed: ${visible(changed.reason)}` };
  }
  if (!changed.isBaseKnown && changed.paths.size === 0) world.warn(NOTHING_TO_COMPARE);
  const files = changed.paths;
  const linked = [...files].filter(isLinked).flatMap((path) => realPathOf(path) ?? []);
  const changes = { files, places: placesOf(files), linked, wayTo: linkFollower() };
  return { findings: fresh.findings.filter((found) => mayComeOf(changes, found)), known: fresh.known };
}

interface Changes {
  readonly files: ReadonlySet<string>;
  /** The files, and all directories above them. */
  readonly places: ReadonlySet<string>;
  /** Where changed links lead. */
  readonly linked: readonly string[];
  /** A path, and its names after each link on its way. */
  readonly wayTo: (path: string) => readonly string[];
}

function placesOf(files: Iterable<string>): Set<string> {
  const places = new Set<string>();
  for (const file of files) {
    for (let place = file; !places.has(place); place = dirname(place)) places.add(place);
  }
  return places;
}

/** Whether a change to its file, or to one that it depends on, may have caused a finding. */
function mayComeOf(changes: Changes, { rule, path, concerns = [] }: Finding): boolean {
  const { places, linked, wayTo } = changes;
  // A skill may be found through a link; its path is where it really is.
  if (rule.startsWith("skill-") && linked.some((place) => isInside(place, path))) return true;
  // A skill is its whole directory.
  const whole = basename(path) === SKILL_FILE ? [dirname(path)] : [];
  return [path, ...whole, ...concerns].some((concern) =>
    isAbsolute(concern) ? wayTo(concern).some((place) => isChanged(place, changes)) : endsAny(places, concern),
  );
}

/** A link on the way, even a removed one, is a file to git. */
function isChanged(path: string, { files, places }: Changes): boolean {
  return places.has(path) || wholeLadder(path).some((place) => files.has(place));
}

function endsAny(places: ReadonlySet<string>, end: string): boolean {
  for (const place of places) if (place.endsWith(sep + end)) return true;
  return false;
}
