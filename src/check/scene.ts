import { basename, dirname, join } from "node:path";
import { showProgress, type Progress } from "../cli/progress.ts";
import { ownSkillDirectories, skillHolders } from "../clients/own-names.ts";
import { loadProfiles } from "../clients/registry.ts";
import { MAIN_NAMES } from "../instructions/chain.ts";
import { isDirectory, isThere, namesIn, realPathOf } from "../lib/path-facts.ts";
import { isInside, ladder, wholeLadder } from "../lib/paths.ts";
import { ignoredNames } from "../skills/scopes.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { readInstructionFiles, type InstructionFiles } from "./instruction-files.ts";
import { MANIFESTS } from "./project-commands.ts";
import { seenIn, walkRepository, type WalkedRepository } from "./walk.ts";

/** Holds agent definitions, and skills. */
const AGENTS = ".agents";

/** What the rules examine, collected by one walk through the repository. */
export interface CheckScene {
  readonly workspace: Workspace;
  /** Canonical. */
  readonly root: string;
  /** Canonical: the root, or the files and directories in it that the command line names. */
  readonly asked: readonly string[];
  readonly walked: WalkedRepository;
  /** Where directories hold skills that only some clients read. */
  readonly ownSkills: readonly string[];
  /** Every name that an instruction file may have. */
  readonly names: readonly string[];
  /** Those that codelia itself reads. */
  readonly ownNames: readonly string[];
  /** Those that no config has added: in another letter case they are a mistake. */
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
 * Walks through the repository and reads its instruction files, including those above the given paths.
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
  const { fallbackFilenames, additionalFilenames } = workspace.settings.agents;
  const ownNames = [...new Set([...MAIN_NAMES, ...fallbackFilenames, ...additionalFilenames])];
  // A client may look for a name in a directory of its own.
  const clients = await loadProfiles();
  const ofClients = clients.flatMap((client) => client.names).map((name) => basename(name));
  const ownSkills = ownSkillDirectories(clients, workspace);
  const wellKnownNames = [...new Set([...MAIN_NAMES, ...ofClients])];
  const names = [...new Set([...ownNames, ...wellKnownNames])];
  const progress = walkProgress(world, isQuiet);
  const onEntries = progress?.add;
  const holders = skillHolders(ownSkills, workspace);
  const options = { names, ignored: ignoredNames(workspace), root, holders, manifests: MANIFESTS, onEntries };
  const whole = walkRepository(root, options);
  const visited = new Set(whole.directories);
  // What the whole repository has decides about each file, so that the same is found whichever paths are given; but what
  // git ignores, and a repository inside this one, are examined if they are named.
  const outside = asked.map((path) => (isDirectory(path) ? path : dirname(path))).filter((path) => !visited.has(path));
  const start = outside.length === 0 ? root : aboveHolder(commonDirectory(asked), root, holders);
  const begun = start === root ? whole : walkRepository(start, options);
  progress?.end();
  const isSeen = seenIn(begun);
  // Nearly every repository has a `.github`, and few have skills there.
  const mayHold = [AGENTS, ...workspace.settings.skills.directories, ...ownSkills];
  const skillDirectories = begun.skillDirectories.filter((place) => mayHold.some((name) => isSeen(place, name)));
  const walked = { ...begun, skillDirectories };
  // Files further up are read together with those below.
  const above = ladder(root, start).slice(0, -1);
  const present = [...above.map((directory) => [directory, namesIn(directory)] as const), ...walked.found];
  const found = present.map(([directory, all]) => [directory, all.filter((name) => names.includes(name))] as const);
  const instructions = readInstructionFiles(root, new Map(found));
  return { workspace, root, asked, walked, ownSkills, names, ownNames, wellKnownNames, instructions };
}

/** Skills and agent definitions are found from the directory that has the one that holds them. */
function aboveHolder(directory: string, root: string, holders: ReadonlySet<string>): string {
  const holder = ladder(root, directory).find((rung) => rung !== root && holders.has(basename(rung)));
  return holder === undefined ? directory : dirname(holder);
}

/** The deepest directory that contains all of them; for one directory, itself. */
export function commonDirectory(paths: readonly string[]): string {
  const [first = ""] = paths;
  const above = wholeLadder(isDirectory(first) ? first : dirname(first)).toReversed();
  return above.find((directory) => paths.every((path) => isInside(directory, path))) ?? first;
}

/**
 * The canonical path of an argument; undefined if it does not exist. A link that dangles or leads out of the root keeps
 * its own name: the findings are about the link.
 *
 * @param path absolute
 * @param root canonical; undefined while it is unknown
 */
export function askedPlace(path: string, root: string | undefined): string | undefined {
  const real = realPathOf(path);
  if (real !== undefined && (root === undefined || isInside(root, real))) return real;
  const directory = realPathOf(dirname(path));
  return directory !== undefined && isThere(path) ? join(directory, basename(path)) : undefined;
}

/** Shows the progress of a walk. */
export function walkProgress(world: World, isQuiet: boolean): Progress | undefined {
  return showProgress(world, isQuiet, (entries) => `${entries} files and directories`);
}
