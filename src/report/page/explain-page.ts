import { basename, relative } from "node:path";
import { ownProfile } from "../../clients/choose.ts";
import type { ClientProfile, TreeFacts } from "../../clients/client.ts";
import { OWN_PROFILE } from "../../clients/raw-profile.ts";
import { loadSettings } from "../../clients/registry.ts";
import { presenceOf } from "../../clients/settings/doctor-report.ts";
import { checkClient } from "../../clients/settings/doctor.ts";
import { diskFacts } from "../../clients/tree-facts.ts";
import type { Outcome } from "../../command.ts";
import { visible, printable } from "../../lib/escape.ts";
import { withSlashes, isInside } from "../../lib/paths.ts";
import { ownProgram } from "../../lib/programs.ts";
import { lossyText } from "../../lib/text.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { surveyProject, type Place } from "../explain.ts";
import { byOf, extentOf, ladderOf, nameIn, reasonOf } from "../explanation.ts";
import { fateOf, overviewOf, ownFiles, type Overview, verdictOf, withCodelia } from "../overview.ts";
import type { ReachedFile } from "../schema.ts";
import { DETAIL_SCRIPT, EXPLAIN_STYLE } from "./detail-script.ts";
import { problemsOf, type ShownClient } from "./problems.ts";
import { distinctRows, writePage } from "./shell.ts";
import { placesWithSkills, skillSets } from "./skills.ts";
import { TREE_SCRIPT } from "./tree-script.ts";

/**
 * Writes the page of a project: every directory with instruction files or skills, and what sessions that begin there
 * get, with and without codelia's hooks.
 *
 * @input  isChosen: the user named the clients; start: the directory that is shown first; page: the file's path
 * @effect the file
 * @error  usage if it can't be written
 */
export async function writeExplanationPage(
  world: World,
  workspace: Workspace,
  clients: readonly ClientProfile[],
  isChosen: boolean,
  start: string,
  page: string,
): Promise<Outcome> {
  const { root, settings } = workspace;
  const facts = diskFacts(world);
  const others = clients.filter(({ name }) => name !== OWN_PROFILE);
  const shown = isChosen || others.length === 0 ? clients : others;
  const all = [...others, ownProfile(world, workspace)];
  const withSkills = placesWithSkills(workspace, all, world, facts);
  const { places, truncated } = surveyProject(world, workspace, all, [start, ...withSkills], facts);
  const identityOf = (path: string) => {
    const what = facts.at(path);
    return what?.kind === "file" ? what.identity : path;
  };
  const helped = places.map((place) => withCodelia(place, settings.agents.initial, identityOf));
  const shownClients = await withHooks(world, workspace, shown);
  const alone = overviewOf(places);
  const noun = nounOf(places);
  const skills = await skillSets(world, workspace, places, shown, facts);
  const data = tablesOf(places, helped, shownClients, root.directory);
  const texts = readTexts(data.paths, root.directory, facts);
  return writePage(world, page, {
    title: `${basename(root.directory) || root.directory}: what each client reads`,
    textCommand: "codelia explain",
    facts: {
      root: visible(root.directory),
      truncated,
      start: Math.max(
        0,
        places.findIndex(({ directory }) => directory === start),
      ),
      clients: shownClients.map(({ name, title, hooks }) => ({ name, title, hooks })),
      verdicts: verdictsOf(shownClients, noun, alone, overviewOf(helped)),
      problems: await problemsOf(world, workspace, shownClients, noun, places, helped),
      states: data.states,
      rungs: data.rungs,
      places: data.places,
      skillSets: skills.sets,
      skillsAt: skills.at,
      unread: texts.unread,
    },
    texts: texts.texts,
    style: EXPLAIN_STYLE,
    script: TREE_SCRIPT + DETAIL_SCRIPT,
  });
}

async function withHooks(world: World, workspace: Workspace, shown: readonly ClientProfile[]): Promise<ShownClient[]> {
  const settings = await loadSettings();
  const program = ownProgram(world);
  return shown.map(({ name, title }) => {
    const client = settings.find((each) => each.name === name);
    const hooks = client && presenceOf(checkClient(world, workspace, client, { program, calls: 0 }));
    return { name, title, hooks: hooks ?? "installed" };
  });
}

/** What a project's instruction files are called. */
function nounOf(places: readonly Place[]): string {
  return ownFiles(places).every(({ path }) => basename(path) === "AGENTS.md") ? "AGENTS.md" : "instruction files";
}

function verdictsOf(clients: readonly ShownClient[], noun: string, alone: Overview, helped: Overview): object[] {
  const { files } = alone;
  return clients.flatMap(({ name, hooks }) => {
    const before = alone.clients.find((each) => each.name === name);
    const after = helped.clients.find((each) => each.name === name);
    if (before === undefined || after === undefined) return [];
    if (files === 0) {
      const none = `codelia finds no instruction file for ${before.title} here.`;
      return [{ title: before.title, files, shown: [0, 0], without: none, with: none }];
    }
    const singular = files === 1 && noun !== "AGENTS.md" ? "instruction file" : noun;
    const verdict = verdictOf(singular, files, before, after, hooks);
    return [{ title: before.title, files, shown: [before.whole, after.whole], ...verdict }];
  });
}

/** Each state, and each directory with its files, once: sessions in many directories read the same files above them. */
function tablesOf(
  places: readonly Place[],
  helped: readonly Place[],
  clients: readonly ShownClient[],
  root: string,
): Record<"states" | "rungs" | "places", readonly object[]> & { readonly paths: readonly string[] } {
  const states = distinctRows();
  const rungs = distinctRows();
  const paths = new Set<string>();
  const shown = places.map((place, index) => {
    const later = helped[index] ?? place;
    const stateOf = (from: Place, name: string, path: string) =>
      from.clients.find(({ client }) => client === name)?.files.find((file) => file.path === path);
    // With codelia there may be more files, and never fewer.
    const ladder = ladderOf(later).filter(({ files }) => files.length > 0);
    const rows = ladder.map(({ directory, files }) => ({
      directory: visible(directory),
      files: files
        .filter(({ path }) => clients.some(({ name }) => stateOf(later, name, path)))
        .map(({ path }) => {
          paths.add(path);
          const pairs = clients.map(({ name }) => {
            const before = stateOf(place, name, path);
            const after = stateOf(later, name, path);
            const without = states.numberOf(stateData(before, visible(root)));
            const withIt = states.numberOf(stateData(after, visible(root), before ?? NOTHING));
            return without === withIt ? [without] : [without, withIt];
          });
          return { name: visible(nameIn(directory, path)), path: visible(path), states: pairs };
        }),
    }));
    const parts = withSlashes(relative(root, place.directory)).split("/");
    return {
      name: visible(basename(place.directory) || place.directory),
      path: visible(place.directory),
      parts: parts.filter((part) => part !== "").map(visible),
      budgets: clients.map(({ name }) => place.clients.find(({ client }) => client === name)?.budget ?? null),
      lost: clients.map(({ name }) => [hasLoss(place, name), hasLoss(later, name)]),
      own: ladder.findIndex(({ directory }) => directory === place.directory),
      rungs: rows.map((row) => rungs.numberOf(row)),
    };
  });
  return { states: states.rows, rungs: rungs.rows, places: shown, paths: [...paths] };
}

/** Whether one of the directory's own files does not reach the client whole. */
function hasLoss(place: Place, name: string): boolean {
  return ownFiles([place]).some(({ path }) => name !== OWN_PROFILE && fateOf(path, place, name).kind !== "whole");
}

function stateData(file: ReachedFile | undefined, root: string, before?: Pick<ReachedFile, "bytesShown">): object {
  if (file === undefined) return { status: "none", extent: "", reason: "", by: "", shown: 0, total: 0 };
  const given = before !== undefined && file.bytesShown > before.bytesShown;
  return {
    status: shownStatus(file),
    isLoss: isLoss(file),
    isGiven: given,
    isProject: file.origin === "project",
    shown: file.bytesShown,
    total: file.bytesTotal,
    extent: extentOf(file),
    reason: given ? "" : reasonOf(file),
    by: byOf(file).replace(`${root}/`, ""),
  };
}

/** Readers don't care which rule keeps a file from the model: the reason stands beside it. */
function shownStatus(file: ReachedFile): string {
  const { status } = file;
  if (status === "skipped") return isLoss(file) ? "shadowed" : status;
  return status === "shadowed" && !isLoss(file) ? "replaced" : status;
}

const NOTHING = { bytesShown: 0 };

/** Whether the model misses something: not where it has the same text from another file, or there is none. */
function isLoss({ status, reason }: ReachedFile): boolean {
  return (
    status !== "loaded" && !["duplicate", "earlier-name", "blank", "conditional", "other-worktree"].includes(reason)
  );
}

/** A page with all texts of a large project would be slow to open. */
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_ALL_BYTES = 4 * 1024 * 1024;

interface PageTexts {
  readonly texts: Readonly<Record<string, string>>;
  /** Path → why its text is not in the page. */
  readonly unread: Readonly<Record<string, string>>;
}

/**
 * The texts of the project's files. A page is passed on, so it holds nothing from outside the project: neither the
 * user's own files nor what a link leads to.
 */
function readTexts(paths: readonly string[], root: string, facts: TreeFacts): PageTexts {
  const texts: [string, string][] = [];
  const unread: [string, string][] = [];
  const realRoot = facts.realPath(root) ?? root;
  let room = MAX_ALL_BYTES;
  for (const path of paths) {
    const what = facts.at(path);
    const size = what?.kind === "file" ? what.version.sizeBytes : 0;
    const why = reasonToLeaveOut();
    if (why === "") {
      room -= size;
      texts.push([visible(path), printable(lossyText(facts.start(path, size)))]);
    } else unread.push([visible(path), why]);

    function reasonToLeaveOut(): string {
      if (what?.kind !== "file") return "It is not a file that can be read.";
      if (!isInside(realRoot, what.realPath)) return "It is outside the project, so its text is not in this page.";
      if (size > MAX_TEXT_BYTES || size > room) return "Its text is too long for this page.";
      return "";
    }
  }
  return { texts: Object.fromEntries(texts), unread: Object.fromEntries(unread) };
}
