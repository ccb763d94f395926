import { dirname, relative } from "node:path";
import { locateFindings, printedFindings, type LocatedFinding } from "../../check/findings.ts";
import { checkRepository } from "../../check/repository.ts";
import { RULES } from "../../check/rules.ts";
import type { HookPresence } from "../../clients/settings/doctor-report.ts";
import { SEVERITIES } from "../../lib/diagnostic.ts";
import { visible } from "../../lib/escape.ts";
import { withSlashes, wholeLadder } from "../../lib/paths.ts";
import { groupBy } from "../../lib/sorting.ts";
import { counted } from "../../lib/words.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import type { Place } from "../explain.ts";
import { fateOf, ownFiles, type Fate } from "../overview.ts";

/** A client that the page shows, and whether its hooks are installed. */
export interface ShownClient {
  readonly name: string;
  readonly title: string;
  readonly hooks: HookPresence;
}

interface PageProblem {
  readonly severity: "error" | "warning" | "note";
  readonly text: string;
  /** What to do, in words, and the command to run; absent where each place has its own. */
  readonly remedy?: { readonly text: string; readonly command?: string } | undefined;
  /** Installed hooks solve it. */
  readonly isSolvedByHooks: boolean;
  readonly where: readonly { readonly label: string; readonly place: number; readonly remedy?: string | undefined }[];
  /** Further places. */
  readonly more: number;
}

/** Nobody reads more. */
const MAX_PLACES = 200;
/** What is wrong in a project, worst first: what doesn't reach a client, then what `check` finds. */
export async function problemsOf(
  world: World,
  workspace: Workspace,
  clients: readonly ShownClient[],
  noun: string,
  places: readonly Place[],
  helped: readonly Place[],
): Promise<PageProblem[]> {
  const root = workspace.root.directory;
  const numbers = new Map(places.map(({ directory }, index) => [directory, index]));
  const placeOf = (path: string) =>
    wholeLadder(dirname(path))
      .toReversed()
      .flatMap((directory) => numbers.get(directory) ?? [])[0] ?? 0;
  const losses = clients.flatMap((client) => lossesOf(client, noun, root, places, helped, placeOf));
  // What each client reads is known already, so the rules about that are left out.
  const { findings } = await checkRepository(world, workspace, [root], [], true);
  return [...losses, ...findingProblems(locateFindings(printedFindings(findings), root), placeOf)];
}

function lossesOf(
  client: ShownClient,
  noun: string,
  root: string,
  places: readonly Place[],
  helped: readonly Place[],
  placeOf: (path: string) => number,
): PageProblem[] {
  const later = new Map(places.map((place, index) => [place, helped[index] ?? place]));
  const groups = new Map<string, { fate: Fate; isSolved: boolean; paths: string[] }>();
  for (const { path, place } of ownFiles(places)) {
    const fate = fateOf(path, place, client.name);
    if (fate.kind === "whole") continue;
    const isSolved = fateOf(path, later.get(place) ?? place, client.name).kind === "whole";
    const key = JSON.stringify([fate, isSolved]);
    const group = groups.get(key) ?? { fate, isSolved, paths: [] };
    groups.set(key, group);
    group.paths.push(path);
  }
  return [...groups.values()]
    .toSorted((left, right) => right.paths.length - left.paths.length)
    .map(({ fate, isSolved, paths }) => {
      const count = `${paths.length} ${paths.length === 1 && noun !== "AGENTS.md" ? "instruction file" : noun}`;
      const what = fate.kind === "cut" ? `${client.title} cuts ${count}` : `${client.title} does not read ${count}`;
      return {
        severity: "error",
        text: `${what}: ${fate.reason}.`,
        remedy: remedyFor(client, isSolved, paths.length === 1 ? "it" : "them"),
        isSolvedByHooks: isSolved,
        where: paths.slice(0, MAX_PLACES).map((path) => ({ label: labelOf(path, root), place: placeOf(path) })),
        more: Math.max(0, paths.length - MAX_PLACES),
      };
    });
}

function remedyFor({ name, hooks }: ShownClient, isSolved: boolean, them: string): PageProblem["remedy"] {
  if (!isSolved) return { text: "shorten the files above it, or raise 'agents.initial.maxBytes'" };
  switch (hooks) {
    case "installed":
      return { text: `codelia's hooks, which are installed, give ${them}` };
    case "not installed":
      return { text: `codelia's hooks give ${them}:`, command: `codelia install ${name}` };
    case "in need of attention":
      return { text: `codelia's hooks give ${them}, but need attention:`, command: `codelia doctor ${name}` };
  }
}

function findingProblems(findings: readonly LocatedFinding[], placeOf: (path: string) => number): PageProblem[] {
  const byRule = groupBy(findings, ({ rule, severity }) => `${SEVERITIES.indexOf(severity)} ${rule}`);
  return [...byRule]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, group]) => {
      const [first] = group as [LocatedFinding];
      const summary = RULES.find(({ id }) => id === first.rule)?.summary ?? first.rule;
      return {
        severity: first.severity,
        text: `${summary}${group.length === 1 ? "" : `: ${counted(group.length, "finding")}`}.`,
        isSolvedByHooks: false,
        where: group.slice(0, MAX_PLACES).map((found) => findingPlace(found, placeOf)),
        more: Math.max(0, group.length - MAX_PLACES),
      };
    });
}

function findingPlace(
  { path, relativePath = path, line, message, remedy }: LocatedFinding,
  placeOf: (path: string) => number,
): PageProblem["where"][number] {
  const label = visible(`${relativePath}:${line}: ${message}`);
  return { label, place: placeOf(path), remedy: remedy && visible(remedy) };
}

function labelOf(path: string, root: string): string {
  return visible(withSlashes(relative(root, path)));
}
