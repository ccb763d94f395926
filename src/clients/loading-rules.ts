import { dirname, join, resolve } from "node:path";
import { ladder } from "../lib/paths.ts";
import { lossyText } from "../lib/text.ts";
import type { ReachedFile } from "../report/schema.ts";
import type { NativeLoads, ProfilePlace, TreeFacts } from "./client.ts";
import { loaded } from "./reached.ts";

// How several clients find the instruction files that they load by themselves.

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

/** A setting that is one name or a list of them; `otherwise` where it is neither. */
export function fileNames(setting: unknown, otherwise: readonly string[]): readonly string[] {
  if (typeof setting === "string" && setting !== "") return [setting];
  if (!Array.isArray(setting)) return otherwise;
  return setting.filter((name) => typeof name === "string");
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
