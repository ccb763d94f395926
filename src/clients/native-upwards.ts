import { dirname, join, resolve } from "node:path";
import type { UnusableReason } from "../instructions/chain.ts";
import { ladder } from "../lib/paths.ts";
import { isBlankInRust, lossyText } from "../lib/text.ts";
import type { ReachedFile, ReachReason } from "../report/schema.ts";
import type { NativeLoads, ProfilePlace, TreeFacts, Found } from "./client.ts";

type SettingsOf = (cwd: string, place: ProfilePlace) => readonly string[];

export interface Upwards {
  /** The client's own settings files, those that win last. */
  readonly settingsOf?: SettingsOf;
  /** The names of the files that the client loads, by its settings. */
  names(settings: readonly unknown[]): readonly string[];
  readonly onTouch?: NativeLoads["onTouch"];
}

/**
 * A client that loads the files of some names from the working directory upwards to the repository's root when a context
 * begins; without a repository those of the working directory.
 */
export function loadsUpwards({ settingsOf, names, onTouch }: Upwards): NativeLoads {
  return {
    reach(cwd, place, facts) {
      const settings = dataOf(settingsOf, cwd, place, facts);
      const top = nearestWith(cwd, [".git"], facts) ?? cwd;
      return { files: filesIn(ladder(top, cwd), names(settings), facts) };
    },
    onTouch: onTouch ?? (() => []),
  };
}

/** A setting that is one name or a list of them; `otherwise` where it is neither. */
export function fileNames(setting: unknown, otherwise: readonly string[]): readonly string[] {
  if (typeof setting === "string" && setting !== "") return [setting];
  if (!Array.isArray(setting)) return otherwise;
  return setting.filter((name) => typeof name === "string");
}

export interface Here {
  readonly settingsOf?: SettingsOf;
  isOff?(settings: readonly unknown[]): boolean;
}

/** A client that gives the model the AGENTS.md of the working directory, and no other. */
export function loadsHere({ settingsOf, isOff }: Here = {}): NativeLoads {
  const files = (cwd: string, place: ProfilePlace, facts: TreeFacts) =>
    isOff?.(dataOf(settingsOf, cwd, place, facts)) === true ? [] : filesIn([cwd], ["AGENTS.md"], facts);
  return {
    reach: (cwd, place, facts) => ({ files: files(cwd, place, facts) }),
    // Some tell of no start: it is known when a tool is used at the latest.
    onTouch: (cwd, _, place, facts) => files(cwd, place, facts),
  };
}

/** The files of some names in some directories, each whole. */
export function filesIn(directories: readonly string[], names: readonly string[], facts: TreeFacts): ReachedFile[] {
  return directories.flatMap((directory) =>
    names.flatMap((name) => {
      const path = join(directory, name);
      const what = facts.at(path);
      return what?.kind === "file" ? [loaded(path, "project", what.version.sizeBytes)] : [];
    }),
  );
}

function dataOf(settingsOf: SettingsOf | undefined, cwd: string, place: ProfilePlace, facts: TreeFacts): unknown[] {
  return (settingsOf?.(cwd, place) ?? []).map((path) => facts.data(path));
}

/** The nearest directory upwards in which anything of one of these names stands. */
export function nearestWith(start: string, names: readonly string[], facts: TreeFacts): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    for (const name of names) if (isThere(facts, join(directory, name))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function isThere(facts: TreeFacts, path: string): boolean {
  const what = facts.at(path);
  return what !== undefined && what.kind !== "loop" && !(what.kind === "unusable" && what.reason === "dangling-link");
}

type Origin = ReachedFile["origin"];

export function loaded(path: string, origin: Origin, bytesTotal: number, bytesShown = bytesTotal): ReachedFile {
  return { path, origin, status: "loaded", reason: "reads-it", bytesShown, bytesTotal };
}

export function cut(path: string, origin: Origin, bytesTotal: number, bytesShown: number): ReachedFile {
  return { path, origin, status: "cut", reason: "budget", bytesShown, bytesTotal };
}

export function leftOut(path: string, origin: Origin, bytesTotal: number, reason: ReachReason = "budget"): ReachedFile {
  return { path, origin, status: "left-out", reason, bytesShown: 0, bytesTotal };
}

export function shadowed(
  path: string,
  origin: Origin,
  bytesTotal: number,
  reason: ReachReason,
  by: string,
): ReachedFile {
  return { path, origin, status: "shadowed", reason, by, bytesShown: 0, bytesTotal };
}

export function skipped(
  path: string,
  origin: Origin,
  bytesTotal: number,
  reason: ReachReason,
  by?: string,
): ReachedFile {
  const at = by === undefined ? {} : { by };
  return { path, origin, status: "skipped", reason, ...at, bytesShown: 0, bytesTotal };
}

/** A name that exists. */
export interface Standing {
  readonly path: string;
  readonly what: Found;
}

/** More names than this are looked for among those that are there: a config can hold a hundred thousand. */
const MANY_NAMES = 64;

/** What exists of these names, best first, in each of these directories. */
export function standingIn(directories: readonly string[], names: readonly string[], facts: TreeFacts): Standing[][] {
  return directories.map((directory) =>
    namesIn(directory, names, facts).flatMap((name) => {
      const path = join(directory, name);
      const what = facts.at(path);
      return what === undefined ? [] : [{ path, what }];
    }),
  );
}

function namesIn(directory: string, names: readonly string[], facts: TreeFacts): readonly string[] {
  if (names.length <= MANY_NAMES) return names;
  const there = new Set(facts.list(directory));
  return names.filter((name) => there.has(name));
}

/** One file of each directory, the first first, until the budget is spent; the file that it ends in is cut. */
export function firstOfEach(
  rungs: readonly (readonly Standing[])[],
  maxBytes: number,
  facts: TreeFacts,
  failing = rungs.map(firstFailure).find((path) => path !== undefined),
): ReachedFile[] {
  let room = maxBytes;
  const files: ReachedFile[] = [];
  for (const rung of rungs) {
    let chosen: string | undefined;
    for (const { path, what } of rung) {
      const size = sizeOf(what);
      if (path === failing) files.push(skipped(path, "project", size, "unreadable"));
      // One failure ends the search, and what was found before is dropped with it.
      else if (failing !== undefined) files.push(skipped(path, "project", size, "other-failed", failing));
      else if (chosen !== undefined) files.push(shadowed(path, "project", size, "earlier-name", chosen));
      else if (what.kind !== "file") files.push(skipped(path, "project", size, whyUnusable(what)));
      else {
        // That it can't be opened is known once it is its turn.
        if (room > 0 && isUnread(facts.start(path, Math.min(size, room)), size)) {
          return firstOfEach(rungs, maxBytes, facts, path);
        }
        chosen = path;
        const file = share(path, size, room, facts);
        room -= file.bytesShown;
        files.push(file);
      }
    }
  }
  return files;
}

/** What is neither a file nor nothing at all ends the search where it is asked for. */
function firstFailure(rung: readonly Standing[]): string | undefined {
  for (const { path, what } of rung) {
    if (what.kind === "file") return undefined;
    if (what.kind === "loop" || (what.kind === "unusable" && what.reason === "unreadable")) return path;
  }
  return undefined;
}

function share(path: string, size: number, room: number, facts: TreeFacts): ReachedFile {
  if (size === 0) return skipped(path, "project", size, "blank");
  if (room === 0) return leftOut(path, "project", size);
  const shown = Math.min(size, room);
  // Only what would be shown is looked at, and a blank beginning costs nothing.
  if (isBlankInRust(lossyText(facts.start(path, shown)))) {
    return shown < size ? leftOut(path, "project", size) : skipped(path, "project", size, "blank");
  }
  return shown < size ? cut(path, "project", size, shown) : loaded(path, "project", size);
}

/** A file that has a size, and gives none of its bytes away. */
export function isUnread(bytes: Uint8Array, sizeBytes: number): boolean {
  return sizeBytes > 0 && bytes.length === 0;
}

export function whyUnusable(what: Exclude<Found, { kind: "file" }>): Exclude<UnusableReason, "link-outside-root"> {
  if (what.kind === "directory") return "not-a-regular-file";
  return what.kind === "loop" ? "dangling-link" : what.reason;
}

export function sizeOf(what: Found | undefined): number {
  return what?.kind === "file" ? what.version.sizeBytes : 0;
}

/** Of a file that git writes with one path in it. */
const MAX_LINE_BYTES = 4096;

/**
 * The working tree that a linked one was made from: `.git` is a file that names a directory of git's, and that directory
 * names it in turn. Of a submodule, and of any other tree, nothing.
 */
export function treeOfLinked(tree: string, facts: TreeFacts): string | undefined {
  const mark = join(tree, ".git");
  if (facts.at(mark)?.kind !== "file") return undefined;
  const named = /^gitdir:\s*(.+)/.exec(firstLineOf(mark, facts))?.[1];
  const directory = named === undefined ? undefined : facts.realPath(resolve(tree, named));
  if (directory === undefined) return undefined;
  const back = firstLineOf(join(directory, "gitdir"), facts);
  const common = firstLineOf(join(directory, "commondir"), facts);
  if (back === "" || common === "" || facts.realPath(resolve(directory, back)) !== facts.realPath(mark))
    return undefined;
  return dirname(resolve(directory, common));
}

function firstLineOf(path: string, facts: TreeFacts): string {
  return lossyText(facts.start(path, MAX_LINE_BYTES)).split("\n", 1)[0]?.trim() ?? "";
}
