import { resolve, dirname, join, parse, sep, basename, isAbsolute } from "node:path";
import { textFlag } from "../cli/args.ts";
import type { Invocation, Problem } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { disk } from "../lib/fs.ts";
import { isLinked, realPathOf } from "../lib/path-facts.ts";
import { isInside, wholeLadder } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { beyondBaseline, loadBaseline } from "./baseline.ts";
import { locateFindings, sortFindings, type Finding } from "./findings.ts";
import type { RepositoryCheck } from "./repository.ts";

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
  const named = textFlag(flags["baseline"]);
  const beyond = named === undefined ? { findings: sorted, known: undefined } : withoutKnown(workspace, named, check);
  const revision = textFlag(flags["changed"]);
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
  return { findings: asked.includes(root) ? [...fresh, ...stale] : fresh, known: sorted.length - fresh.length };
}

/** As many as the system follows. */
export const MAX_LINKS = 40;

/**
 * Answers what a path is called on its way through symbolic links: by itself, then with one after the other followed,
 * whether anything is there or not. Each directory is looked at once.
 *
 * @effect none; nothing is opened
 * @error  none: what can't be looked at is no link
 */
export function linkFollower(): (path: string) => readonly string[] {
  const targets = new Map<string, string | undefined>();

  function targetOf(path: string): string | undefined {
    if (!targets.has(path)) targets.set(path, linkTargetOf(path));
    return targets.get(path);
  }

  /** The path with the first link on its way followed. */
  function follow(path: string): string | undefined {
    const { root } = parse(path);
    let place = root;
    for (const name of path.slice(root.length).split(sep)) {
      place = join(place, name);
      const target = targetOf(place);
      if (target !== undefined) return target + path.slice(place.length);
    }
    return undefined;
  }

  return (path) => {
    const names = [path];
    while (names.length <= MAX_LINKS) {
      const next = follow(names.at(-1) as string);
      if (next === undefined) break;
      names.push(next);
    }
    return names;
  };
}

function linkTargetOf(path: string): string | undefined {
  try {
    if (disk.look(path)?.isSymbolicLink() !== true) return undefined;
    return resolve(dirname(path), disk.readLink(path));
  } catch {
    return undefined;
  }
}

/** A skill is its whole directory. */
const WHOLE_DIRECTORY = "SKILL.md";

const OF_SKILLS = "skill-";

export interface ChangeFacts {
  /** What changed. */
  readonly files: ReadonlySet<string>;
  /** That, and the directories that changed with what is in them. */
  readonly places: ReadonlySet<string>;
  /** Where links lead that changed. */
  readonly linked: readonly string[];
  /** A path, and what it becomes with each link on its way. */
  readonly wayTo: (path: string) => readonly string[];
}

export function changedPlaces(files: Iterable<string>): Set<string> {
  const places = new Set<string>();
  for (const file of files) {
    for (let place = file; !places.has(place); place = dirname(place)) places.add(place);
  }
  return places;
}

/** Whether what was found may be there because of a change: of its file, or of one that it depends on. */
export function concernsChange({ rule, path, concerns = [] }: Finding, changes: ChangeFacts): boolean {
  const { places, linked, wayTo } = changes;
  // A skill is found by way of a link, and named by where it really is.
  if (rule.startsWith(OF_SKILLS) && linked.some((place) => isInside(place, path))) return true;
  const whole = basename(path) === WHOLE_DIRECTORY ? [dirname(path)] : [];
  return [path, ...whole, ...concerns].some((concern) =>
    isAbsolute(concern) ? wayTo(concern).some((place) => isChanged(place, changes)) : endsAny(places, concern),
  );
}

/** A link on the way is a file to git, and may be gone. */
function isChanged(path: string, { files, places }: ChangeFacts): boolean {
  return places.has(path) || wholeLadder(path).some((place) => files.has(place));
}

function endsAny(places: ReadonlySet<string>, end: string): boolean {
  for (const place of places) if (place.endsWith(sep + end)) return true;
  return false;
}
