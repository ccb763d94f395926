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

/** What the families of rules look at. One walk through the repository collects it. */
export interface CheckScene {
  readonly workspace: Workspace;
  /** Canonical. */
  readonly root: string;
  /** Canonical: the root, or the files and directories in it that the command line names. */
  readonly asked: readonly string[];
  readonly walked: WalkedRepository;
  /** Every name that an instruction file may have. */
  readonly names: readonly string[];
  /** Those that codelia itself reads. */
  readonly ownNames: readonly string[];
  /** Those that no config has chosen: in another letter case they are a mistake. */
  readonly wellKnownNames: readonly string[];
  readonly instructions: InstructionFiles;
}

/** What one family of rules found. */
export interface FamilyCheck {
  readonly findings: readonly Finding[];
  /** The files it looked at. */
  readonly checked: readonly string[];
}

/**
 * Walks through the repository and reads its instruction files, with those above the paths that are asked about.
 *
 * @param paths of files or directories inside the root, absolute
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
  // Files further up are read together with those below.
  const above = ladder(root, start).slice(0, -1);
  const present = [...above.map((directory) => [directory, namesIn(directory)] as const), ...walked.found];
  const found = present.map(([directory, all]) => [directory, all.filter((name) => names.includes(name))] as const);
  const instructions = readInstructionFiles(root, new Map(found));
  return { workspace, root, asked, walked, names, ownNames, wellKnownNames, instructions };
}

/** The deepest directory that all of them are in; one alone may be that directory. */
export function commonDirectory(paths: readonly string[]): string {
  const [first = ""] = paths;
  const above = wholeLadder(isDirectory(first) ? first : dirname(first)).toReversed();
  return above.find((directory) => paths.every((path) => isInside(directory, path))) ?? first;
}

/**
 * The canonical path of what is asked about; undefined where nothing is there. A link that leads nowhere or out of the
 * root keeps its own name: the link itself is what the findings are about.
 *
 * @param path absolute
 * @param root canonical; undefined while it is not known
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
  /** Counts further files and directories. */
  readonly add: (entries: number) => void;
  /** Clears the line. */
  readonly end: () => void;
}

/** Shows the progress of a walk on a terminal, once it has taken a second. */
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
