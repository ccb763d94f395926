import { basename, dirname } from "node:path";
import { isInside } from "../paths.ts";
import type { NativePlace, NativeProfile, NativeQuestion } from "./native.ts";

export interface Upwards {
  settingsOf?(place: NativePlace): readonly string[];
  /** The names of the files that the client loads, by its settings. */
  names(settings: readonly unknown[]): readonly string[];
  onTouch?(question: NativeQuestion, tool: string): ReadonlySet<string>;
}

/**
 * A client that loads the files of some names from the working directory upwards to the repository's root when a context
 * begins; without a repository those of the working directory.
 */
export function loadsUpwards({ settingsOf, names, onTouch }: Upwards): NativeProfile {
  return {
    settingsOf: settingsOf ?? (() => []),
    silencers: [],
    markersOf: () => [".git"],
    atStart(question) {
      const { cwd } = question;
      const top = topOf(question);
      return pathsOf(
        question,
        names(question.settings),
        (directory) => isInside(top, directory) && isInside(directory, cwd),
      );
    },
    onTouch: onTouch ?? (() => new Set()),
  };
}

export interface Here {
  settingsOf?(place: NativePlace): readonly string[];
  isOff?(settings: readonly unknown[]): boolean;
}

/** A client that gives the model the AGENTS.md of the working directory, and no other. */
export function loadsHere({ settingsOf, isOff }: Here = {}): NativeProfile {
  function loaded(question: NativeQuestion): Set<string> {
    if (isOff?.(question.settings) === true) return new Set();
    return pathsOf(question, ["AGENTS.md"], (directory) => directory === question.cwd);
  }
  return {
    settingsOf: settingsOf ?? (() => []),
    silencers: [],
    markersOf: () => [],
    atStart: loaded,
    onTouch: loaded,
  };
}

/** The files of some names in directories that are meant. */
export function pathsOf(
  { files }: NativeQuestion,
  names: readonly string[],
  isMeant: (directory: string) => boolean,
): Set<string> {
  const paths = new Set<string>();
  for (const { path, directory } of files) if (names.includes(basename(path)) && isMeant(directory)) paths.add(path);
  return paths;
}

function topOf({ cwd, marked }: NativeQuestion): string {
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (marked.has(directory)) return directory;
    if (dirname(directory) === directory) return cwd;
  }
}
