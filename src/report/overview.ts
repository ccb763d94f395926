import { dirname } from "node:path";
import { OWN_PROFILE } from "../clients/raw-profile.ts";
import type { HookPresence } from "../clients/settings/doctor-report.ts";
import type { Settings } from "../config/settings.ts";
import { shareBudget } from "../instructions/chain.ts";
import { visible } from "../lib/escape.ts";
import { counted } from "../lib/words.ts";
import type { Place } from "./explain.ts";
import { reasonOf } from "./explanation.ts";
import type { ReachedFile } from "./schema.ts";

/** How many of a project's instruction files a client reads by itself, each in a session that begins beside it. */
interface ClientOverview {
  readonly name: string;
  readonly title: string;
  readonly whole: number;
  readonly cut: number;
  readonly unread: number;
  /** The most common reason why files don't arrive whole. */
  readonly reason: string;
}

export interface Overview {
  readonly files: number;
  readonly clients: readonly ClientOverview[];
}

/** @input places: with what codelia itself reads among the clients */
export function overviewOf(places: readonly Place[]): Overview {
  const files = ownFiles(places);
  const others = (places[0]?.clients ?? []).filter(({ client }) => client !== OWN_PROFILE);
  const clients = others.map(({ client: name, title }): ClientOverview => {
    const fates = files.map(({ path, place }) => fateOf(path, place, name));
    const count = (kind: Fate["kind"]) => fates.filter((fate) => fate.kind === kind).length;
    return {
      name,
      title,
      whole: count("whole"),
      cut: count("cut"),
      unread: count("unread"),
      reason: mostFrequent(fates.flatMap(({ reason }) => (reason === "" ? [] : [reason]))),
    };
  });
  return { files: files.length, clients };
}

/** A project's instruction files, each with the directory that it belongs to. */
export function ownFiles(places: readonly Place[]): { readonly path: string; readonly place: Place }[] {
  return places.flatMap((place) => {
    const own = place.clients.find(({ client }) => client === OWN_PROFILE);
    const local = own?.files.filter((file) => isOfDirectory(file, place.directory)) ?? [];
    return local.map(({ path }) => ({ path, place }));
  });
}

/** A file that is not blank and belongs to the project. */
function isOfDirectory({ path, origin, status }: ReachedFile, directory: string): boolean {
  return origin === "project" && dirname(path) === directory && status !== "skipped" && status !== "shadowed";
}

/** What becomes of a file in a client's session that begins beside it. */
export interface Fate {
  readonly kind: "whole" | "cut" | "unread";
  readonly reason: string;
}

export function fateOf(path: string, place: Place, name: string): Fate {
  const reached = place.clients.find(({ client }) => client === name)?.files ?? [];
  const file = reached.find((each) => each.path === path);
  if (file === undefined) return { kind: "unread", reason: "it reads no file of this name" };
  if (file.status === "loaded" || file.reason === "duplicate") return { kind: "whole", reason: "" };
  return { kind: file.status === "cut" ? "cut" : "unread", reason: reasonOf(file) };
}

function mostFrequent(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const [[first = ""] = []] = [...counts].toSorted(([, left], [, right]) => right - left);
  return first;
}

/** What else `init` found. */
export interface Surroundings {
  readonly root: string;
  readonly skills: number;
  /** The state of each client's hooks. */
  readonly hooks: readonly { readonly name: string; readonly title: string; readonly state: HookPresence }[];
  readonly errors: number;
  readonly warnings: number;
  /** A sentence about files that only one client reads. */
  readonly ownNamed: string | undefined;
}

/** What agents read, what they miss, and what to do next. */
export function renderOverview(overview: Overview, surroundings: Surroundings): string {
  const { root, skills, ownNamed } = surroundings;
  const { files, clients } = overview;
  if (files === 0 && skills === 0 && ownNamed === undefined) {
    return `${visible(root)}: no AGENTS.md and no skill here\n\nNext:\n  write an AGENTS.md, then run 'codelia init' again\n  skills outside .agents/skills: name their directory in 'skills.directories' of .codelia/config.yaml\n`;
  }
  const width = Math.max(...clients.map(({ title }) => title.length));
  const steps = nextSteps(overview, surroundings);
  const stepWidth = Math.max(0, ...steps.map(([command]) => command.length));
  return [
    `${visible(root)}: ${counted(files, "instruction file")}, ${counted(skills, "skill")}`,
    ...(files === 0 ? [] : clients.map((client) => `  ${client.title.padEnd(width)}  ${readingOf(client, files)}`)),
    ...(ownNamed === undefined ? [] : [`  ${ownNamed}`]),
    `  hooks: ${surroundings.hooks.map(({ title, state }) => `${title} ${state}`).join(", ")}`,
    `  problems: ${problemsOf(surroundings)}`,
    ...(steps.length === 0 ? [] : ["", "Next:"]),
    ...steps.map(([command, why]) => `  ${command.padEnd(stepWidth)}  ${why}`),
    "",
  ].join("\n");
}

function readingOf({ whole, cut, unread, reason }: ClientOverview, files: number): string {
  if (whole === files) return files === 1 ? "reads it by itself" : `reads all ${files} by itself`;
  const lost = [cut === 0 ? [] : `${cut} cut`, unread === 0 ? [] : `${unread} not read`].flat().join(", ");
  return `reads ${whole} of ${files} by itself; ${lost}${reason === "" ? "" : `: ${reason}`}`;
}

function problemsOf({ errors, warnings }: Surroundings): string {
  const counts = [errors === 0 ? [] : counted(errors, "error"), warnings === 0 ? [] : counted(warnings, "warning")];
  return errors + warnings === 0 ? "none" : counts.flat().join(", ");
}

function nextSteps({ files, clients }: Overview, { hooks, errors, warnings }: Surroundings): [string, string][] {
  const steps: [string, string][] = [];
  for (const { name, title, state } of hooks) {
    const lost = files - (clients.find((client) => client.name === name)?.whole ?? files);
    if (state === "in need of attention") steps.push([`codelia doctor ${name}`, `see what is wrong with its hooks`]);
    if (state !== "not installed") continue;
    steps.push([`codelia install ${name}`, `${title} ${gainOf(lost, files)}`]);
  }
  if (errors + warnings > 0) steps.push(["codelia check", "see the problems"]);
  if (files > 0) steps.push(["codelia explain --html codelia.html", "see every directory on a page"]);
  return steps;
}

function gainOf(lost: number, files: number): string {
  if (lost === 0) return "learns what applies as it works, and what changed";
  return lost === files ? `gets all ${files}` : `gets the other ${lost} too`;
}

/** One sentence each: what a client's model gets by itself, and with codelia's hooks. */
interface Verdict {
  readonly without: string;
  readonly with: string;
}

/**
 * @input  noun: what the files are, in the plural; by itself and with the hooks: how many of them arrive in sessions
 *         that begin beside them
 */
export function verdictOf(
  noun: string,
  files: number,
  alone: ClientOverview,
  helped: ClientOverview,
  hooks: HookPresence,
): Verdict {
  const { title } = alone;
  const all = files === 1 ? `your one ${noun}` : `all ${files} of your ${noun}`;
  const isComplete = helped.whole === files;
  const gain = isComplete
    ? `it gets ${files === 1 ? "it" : "all of them"}`
    : `it gets ${helped.whole} of them whole${lossOf(helped)}`;
  const given = helped.whole - alone.whole;
  const sources = given === 0 ? "by itself" : `${alone.whole} by itself, ${given} from codelia`;
  const amount = isComplete ? all : `${helped.whole} of your ${files} ${noun} whole${lossOf(helped)}`;
  const when = hooks === "installed" ? "With codelia's hooks, which are installed," : "With codelia's hooks";
  return {
    without:
      alone.whole === files
        ? `${title} reads ${all} by itself.`
        : `${title} ${missedBy(alone, files, noun)}; with codelia's hooks ${gain}.`,
    with: `${when} ${title} gets ${amount}: ${sources}.`,
  };
}

function missedBy({ unread, cut }: ClientOverview, files: number, noun: string): string {
  if (files === 1) return unread === 1 ? `does not read your one ${noun}` : `reads only a part of your one ${noun}`;
  const rest = cut === 0 ? "" : ` and cuts ${cut}`;
  if (unread === files) return `reads none of your ${files} ${noun}`;
  return unread === 0
    ? `cuts ${cut} of your ${files} ${noun}`
    : `does not read ${unread} of your ${files} ${noun}${rest}`;
}

function lossOf({ cut, unread }: ClientOverview): string {
  const parts = [cut === 0 ? [] : `${cut} cut`, unread === 0 ? [] : `${unread} not`].flat();
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/**
 * What each client's model gets of a session's files where codelia's hooks are installed: what the client reads by
 * itself, and from codelia the rest of its own chain, within its own budget. Files that the client gives whole take
 * nothing from that budget.
 *
 * @input  place: with codelia itself among the clients; identityOf: the same for two names of one file
 */
export function withCodelia(
  place: Place,
  limits: Settings["agents"]["initial"],
  identityOf: (path: string) => string,
): Place {
  const own = place.clients.find(({ client }) => client === OWN_PROFILE)?.files ?? [];
  const offered = own.filter(({ status }) => status === "loaded" || status === "cut" || status === "left-out");
  const clients = place.clients.map((reach) => {
    if (reach.client === OWN_PROFILE) return reach;
    const whole = new Set(reach.files.filter(({ status }) => status === "loaded").map(({ path }) => identityOf(path)));
    const missing = offered.filter(({ path }) => !whole.has(identityOf(path)));
    const given = new Map(shared(missing, limits).map((file) => [file.path, file]));
    const files = reach.files.map((file) => {
      const better = given.get(file.path);
      return better !== undefined && better.bytesShown > file.bytesShown ? better : file;
    });
    const named = new Set(reach.files.map(({ path }) => path));
    const added = offered
      .filter(({ path }) => !named.has(path))
      .map((file) => given.get(file.path) ?? asDuplicate(file));
    return { ...reach, files: [...files, ...added] };
  });
  return { ...place, clients };
}

/** The client gives it under another name. */
function asDuplicate(file: ReachedFile): ReachedFile {
  return { ...file, status: "shadowed", reason: "duplicate", bytesShown: 0 };
}

/** The user's own file has a budget of its own. */
function shared(files: readonly ReachedFile[], limits: Settings["agents"]["initial"]): ReachedFile[] {
  const project = files.filter(({ origin }) => origin !== "home");
  const shares = shareBudget(
    project.map(({ bytesTotal }) => bytesTotal),
    limits,
  );
  return [
    ...files.filter(({ origin }) => origin === "home"),
    ...project.map((file, index) => withShown(file, shares[index]?.shownBytes ?? 0)),
  ];
}

function withShown(file: ReachedFile, bytesShown: number): ReachedFile {
  if (bytesShown >= file.bytesTotal) return { ...file, status: "loaded", reason: "reads-it", bytesShown };
  return { ...file, status: bytesShown === 0 ? "left-out" : "cut", reason: "budget", bytesShown };
}
