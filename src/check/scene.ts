import { basename, dirname, join } from "node:path";
import { loadProfiles } from "../clients/registry.ts";
import { MAIN_NAMES } from "../instructions/chain.ts";
import { isDirectory, isThere, namesIn, realPathOf } from "../lib/path-facts.ts";
import { isInside, ladder, wholeLadder } from "../lib/paths.ts";
import { ignoredNames } from "../skills/scopes.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { readInstructionFiles, type InstructionFiles } from "./instruction-files.ts";
import { walkRepository, type WalkedRepository } from "./walk.ts";

/** What is checked: one walk's worth of a repository. */
export interface CheckScene {
  readonly workspace: Workspace;
  /** Canonical. */
  readonly root: string;
  /** Canonical: the root, or what the command line names of it; files, and directories with all that is below. */
  readonly asked: readonly string[];
  readonly walked: WalkedRepository;
  /** Every name that an instruction file may have; those of them that we read ourselves. */
  readonly names: readonly string[];
  readonly ownNames: readonly string[];
  /** Those that are nobody's choice: in another letter case they are a mistake. */
  readonly wellKnownNames: readonly string[];
  readonly instructions: InstructionFiles;
}

/** What one family of rules found. */
export interface FamilyCheck {
  readonly findings: readonly Finding[];
  /** What it looked at. */
  readonly checked: readonly string[];
}

/**
 * Walks through what is to be checked, and reads its instruction files with those above them.
 *
 * @input  paths: of files or directories inside the root, absolute
 * @effect reads; says on a terminal how far it has come
 * @error  none
 */
export async function openCheckScene(
  world: World,
  workspace: Workspace,
  paths: readonly string[],
  isQuiet: boolean,
): Promise<CheckScene> {
  const root = realPathOf(workspace.root.directory) ?? workspace.root.directory;
  const asked = paths.map((path) => askedPlace(path, root) ?? root);
  const start = commonDirectory(asked);
  const { fallbackFilenames, additionalFilenames } = workspace.settings.agents;
  const ownNames = [...new Set([...MAIN_NAMES, ...fallbackFilenames, ...additionalFilenames])];
  // A client may look for a name in a directory of its own.
  const ofClients = (await loadProfiles()).flatMap((client) => client.names).map((name) => basename(name));
  const wellKnownNames = [...new Set([...MAIN_NAMES, ...ofClients])];
  const names = [...new Set([...ownNames, ...wellKnownNames])];
  const progress = walkProgress(world, isQuiet);
  const onEntries = progress?.add;
  const walked = walkRepository(start, { names, ignored: ignoredNames(workspace), root, onEntries });
  progress?.end();
  const found = new Map<string, readonly string[]>();
  // What stands above has its part in what is read below.
  for (const directory of ladder(root, start).slice(0, -1)) {
    found.set(
      directory,
      namesIn(directory).filter((name) => names.includes(name)),
    );
  }
  for (const [directory, present] of walked.found) {
    found.set(
      directory,
      present.filter((name) => names.includes(name)),
    );
  }
  const instructions = readInstructionFiles(root, found);
  return {
    workspace,
    root,
    asked,
    walked,
    names,
    ownNames,
    wellKnownNames,
    instructions,
  };
}

/** The deepest directory that all of them are in; one alone may be that directory. */
export function commonDirectory(paths: readonly string[]): string {
  const [first = ""] = paths;
  const above = wholeLadder(isDirectory(first) ? first : dirname(first)).toReversed();
  return above.find((directory) => paths.every((path) => isInside(directory, path))) ?? first;
}

/**
 * The canonical path of what is to be checked. A link is judged by its own name where it leads nowhere, or out of the
 * root: that is what there is to say of it.
 *
 * @input  path: absolute; root: canonical, or undefined where it is not known yet
 * @output undefined where nothing has that name
 * @effect none
 * @error  none
 */
export function askedPlace(path: string, root: string | undefined): string | undefined {
  const real = realPathOf(path);
  if (real !== undefined && (root === undefined || isInside(root, real))) return real;
  const directory = realPathOf(dirname(path));
  return directory !== undefined && isThere(path) ? join(directory, basename(path)) : undefined;
}

const AFTER_MS = 1_000;

const EVERY_MS = 100;

const CLEAR_LINE = "\r\u001B[K";

export interface WalkProgress {
  /** So many more files and directories were looked at. */
  readonly add: (entries: number) => void;
  /** Leaves the terminal as it was. */
  readonly end: () => void;
}

/**
 * Says on a terminal how far a walk has come that takes longer than a second; nothing anywhere else.
 *
 * @effect writes to standard error
 * @error  none
 */
export function walkProgress(world: World, isQuiet: boolean): WalkProgress | undefined {
  if (isQuiet || world.env["NO_COLOR"] || world.env["TERM"] === "dumb" || !world.isTerminal("stderr")) return undefined;
  let entries = 0;
  let due = world.ticks() + AFTER_MS;
  let isShown = false;
  return {
    add(count) {
      entries += count;
      const now = world.ticks();
      if (now < due) return;
      due = now + EVERY_MS;
      isShown = true;
      world.draw(`${CLEAR_LINE}codelia: ${entries} files and directories…`);
    },
    end() {
      if (isShown) world.draw(CLEAR_LINE);
    },
  };
}
