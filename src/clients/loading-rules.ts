import { dirname, join, resolve } from "node:path";
import { lossyText } from "../lib/text.ts";
import type { ReachedFile } from "../report/schema.ts";
import type { NativeLoads, UserEnvironment, TreeFacts } from "./client.ts";
import { loaded } from "./reached.ts";

// How several clients find the instruction files that they load by themselves.

type SettingsOf = (cwd: string, user: UserEnvironment) => readonly string[];

export interface Here {
  readonly settingsOf?: SettingsOf;
  isOff?(settings: readonly unknown[]): boolean;
}

/** A client that gives the model the AGENTS.md of the working directory, and no other. */
export function loadsHere({ settingsOf, isOff }: Here = {}): NativeLoads {
  const files = (cwd: string, user: UserEnvironment, facts: TreeFacts) =>
    isOff?.(dataOf(settingsOf, cwd, user, facts)) === true ? [] : filesIn([cwd], ["AGENTS.md"], facts);
  return {
    reach: (cwd, user, facts) => ({ files: files(cwd, user, facts) }),
    // Not every client has an event for the start of a session. By its first tool call it has loaded the file.
    onTouch: (cwd, _, user, facts) => files(cwd, user, facts),
  };
}

/** The names in a setting, which is one name or a list; `otherwise` if it is neither. */
export function fileNames(setting: unknown, otherwise: readonly string[]): readonly string[] {
  if (typeof setting === "string" && setting !== "") return [setting];
  if (!Array.isArray(setting)) return otherwise;
  return setting.filter((name) => typeof name === "string");
}

/** The files with these names in these directories, each loaded whole. */
export function filesIn(directories: readonly string[], names: readonly string[], facts: TreeFacts): ReachedFile[] {
  return directories.flatMap((directory) =>
    names.flatMap((name) => {
      const path = join(directory, name);
      const what = facts.at(path);
      return what?.kind === "file" ? [loaded(path, "project", what.version.sizeBytes)] : [];
    }),
  );
}

function dataOf(settingsOf: SettingsOf | undefined, cwd: string, user: UserEnvironment, facts: TreeFacts): unknown[] {
  return (settingsOf?.(cwd, user) ?? []).map((path) => facts.data(path));
}

/** The nearest directory, upwards from `start`, that has an entry with one of these names. */
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

/** The files that git writes here contain one path. */
const MAX_LINE_BYTES = 4096;

/**
 * The main working tree of a linked one: its `.git` is a file that names one of git's directories, which names it in
 * turn. Undefined for any other tree, including a submodule.
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
