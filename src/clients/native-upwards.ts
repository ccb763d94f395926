import { join } from "node:path";
import type { ReachedFile } from "../report/reach.ts";
import { ladder } from "../lib/paths.ts";
import type { NativeLoads, ProfilePlace, TreeFacts } from "./client-profile.ts";
import { nearestWith } from "./nearest-with.ts";
import { loaded } from "./reached-file.ts";

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
