import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import {
  chooseChain,
  IMPORTING_NAME,
  MAIN_NAMES,
  shareBudget,
  type Candidate,
  type InstructionFile,
  type PassedOver,
  type Rung,
} from "../instructions/chain.ts";
import { withImports, type Lookup } from "../instructions/imports.ts";
import { BOM_BYTES, characterBoundary, isBlank, startsWithBom } from "../lib/bytes.ts";
import { isInside, ladder, withoutIgnored } from "../lib/paths.ts";
import type { ReachedFile } from "../report/schema.ts";
import type { ClientProfile, TreeFacts } from "./client.ts";
import { cut, isUnread, leftOut, loaded, shadowed, sizeOf, skipped, whyUnusable } from "./reached.ts";

/**
 * codelia itself as a profile: what `init-context` prints, and what becomes of every other file. Uses the chain and the
 * budget of `init-context`, but reads the tree through facts, as a profile must.
 */
export interface RawOptions {
  readonly agents: Settings["agents"];
  /** Where the hierarchy of a directory begins. */
  readonly rootOf: (cwd: string) => string;
  /** Where the user's own instruction files are. */
  readonly homeDirectory: string;
}

/** The name of codelia itself among the profiles. */
export const OWN_PROFILE = "raw";

export function rawProfile(options: RawOptions): ClientProfile {
  const { agents, rootOf } = options;
  return {
    name: OWN_PROFILE,
    title: "codelia",
    goesByNames: true,
    names: MAIN_NAMES,
    moreNames: () => [...agents.fallbackFilenames, ...agents.additionalFilenames],
    reach(cwd, _, facts) {
      const root = rootOf(cwd);
      const probed = ladder(root, cwd).map((directory) => lookAt(directory, root, agents, facts));
      const { fallbackFilenames } = agents;
      const rungs = fallbackFilenames.includes(IMPORTING_NAME)
        ? withImports(probed, [...MAIN_NAMES, ...fallbackFilenames], lookupIn(root, facts))
        : probed;
      const files = agents.enabled ? filesOf(rungs, options, facts) : skipAll(rungs, "switched-off", facts);
      const usedBytes = files
        .filter(({ origin }) => origin === "project")
        .reduce((sum, { bytesShown }) => sum + bytesShown, 0);
      return { cwd, root, budget: { limitBytes: agents.initial.maxBytes, usedBytes }, files };
    },
  };
}

function lookAt(directory: string, root: string, agents: Settings["agents"], facts: TreeFacts): Rung {
  const look = (names: readonly string[]) => names.flatMap((name) => candidateAt(join(directory, name), root, facts));
  return {
    directory,
    main: look([...MAIN_NAMES, ...agents.fallbackFilenames]),
    additional: look(agents.additionalFilenames),
  };
}

function lookupIn(root: string, facts: TreeFacts): Lookup {
  const isWithin = (path: string) => isInside(root, path) || isInside(facts.realPath(root) ?? root, path);
  return {
    find: (path) => (isWithin(path) && facts.at(path)?.kind === "file" ? candidateAt(path, root, facts)[0] : undefined),
    read: (realPath, bytes) => facts.start(realPath, bytes),
  };
}

function candidateAt(path: string, root: string, facts: TreeFacts): Candidate[] {
  const what = facts.at(path);
  if (what === undefined) return [];
  const realRoot = facts.realPath(root);
  if ("realPath" in what && (realRoot === undefined || !isInside(realRoot, what.realPath))) {
    return [{ path, found: { kind: "unusable", reason: "link-outside-root" } }];
  }
  return [{ path, found: what.kind === "file" ? what : { kind: "unusable", reason: whyUnusable(what) } }];
}

function skipAll(
  rungs: readonly Rung[],
  reason: "switched-off" | "ignored-directory",
  facts: TreeFacts,
): ReachedFile[] {
  return rungs.flatMap(({ main }) => main.map(({ path }) => skipped(path, "project", sizeOf(facts.at(path)), reason)));
}

function filesOf(rungs: readonly Rung[], { agents, homeDirectory }: RawOptions, facts: TreeFacts): ReachedFile[] {
  const directories = rungs.map(({ directory }) => directory);
  const applying = rungs.slice(0, withoutIgnored(directories, agents.ignore).length);
  const home = MAIN_NAMES.flatMap((name) => homeFile(homeDirectory, name, facts));
  const chosen = home.find((file) => silenceOf(file, facts) === undefined);
  const { files, passedOver } = chooseChain(applying);
  const project = [
    ...projectFiles(files, chosen, agents.initial, facts),
    ...passedOver.map((entry) => asPassedOver(entry, sizeOf(facts.at(entry.path)))),
    ...skipAll(rungs.slice(applying.length), "ignored-directory", facts),
  ];
  const depth = new Map(directories.map((directory, index) => [directory, index]));
  const placeOf = new Map(files.map(({ path, directory }) => [path, directory]));
  const depthOf = ({ path }: ReachedFile) => depth.get(placeOf.get(path) ?? join(path, "..")) ?? 0;
  return [
    ...homeFiles(home, chosen, agents.initial, facts),
    ...project.toSorted((left, right) => depthOf(left) - depthOf(right)),
  ];
}

function projectFiles(
  files: readonly InstructionFile[],
  home: InstructionFile | undefined,
  limits: Settings["agents"]["initial"],
  facts: TreeFacts,
): ReachedFile[] {
  const saying = files.filter((file) => file.identity !== home?.identity && silenceOf(file, facts) === undefined);
  const shares = shareBudget(
    saying.map((file) => textOf(file, 0, facts).size),
    limits,
  );
  const limit = saying.length > limits.maxFiles ? "file-limit" : "budget";
  return files.map((file) => {
    const { path, version, identity } = file;
    if (home !== undefined && identity === home.identity) {
      return shadowed(path, "project", version.sizeBytes, "duplicate", home.path);
    }
    const share = shares[saying.indexOf(file)];
    if (share === undefined) return skipped(path, "project", version.sizeBytes, silenceOf(file, facts) ?? "blank");
    const shown = asShown(file, "project", share.shownBytes, facts, limit);
    return file.importedBy === undefined ? shown : { ...shown, by: file.importedBy };
  });
}

/** The user's own files; the first that is not blank counts. */
function homeFiles(
  files: readonly InstructionFile[],
  chosen: InstructionFile | undefined,
  { maxBytes }: Settings["agents"]["initial"],
  facts: TreeFacts,
): ReachedFile[] {
  return files.map((file, index) => {
    const { path, version } = file;
    if (file === chosen) return asShown(file, "home", maxBytes, facts, "budget");
    return chosen !== undefined && files.indexOf(chosen) < index
      ? shadowed(path, "home", version.sizeBytes, "earlier-name", chosen.path)
      : skipped(path, "home", version.sizeBytes, silenceOf(file, facts) ?? "blank");
  });
}

/** Links in their paths may lead anywhere. */
function homeFile(directory: string, name: string, facts: TreeFacts): InstructionFile[] {
  const path = join(directory, name);
  const what = facts.at(path);
  return what?.kind === "file" ? [{ ...what, path, directory }] : [];
}

function asPassedOver({ path, reason, by }: PassedOver, size: number): ReachedFile {
  if (reason === "hidden") return shadowed(path, "project", size, "earlier-name", by ?? "");
  if (reason === "duplicate") return shadowed(path, "project", size, "duplicate", by ?? "");
  return skipped(path, "project", size, reason, by);
}

function asShown(
  file: InstructionFile,
  origin: "home" | "project",
  share: number,
  facts: TreeFacts,
  limit: "file-limit" | "budget",
): ReachedFile {
  const { bytes, size } = textOf(file, share, facts);
  const shown = characterBoundary(bytes, Math.min(share, size));
  if (shown === 0) return leftOut(file.path, origin, size, limit);
  return shown < size ? cut(file.path, origin, size, shown) : loaded(file.path, origin, size);
}

/** The part of a text that may be shown, without its byte order mark, and the bytes of the next character. */
function textOf({ path, version }: InstructionFile, limit: number, facts: TreeFacts) {
  const bytes = facts.start(path, limit + BOM_BYTES + 4);
  const skip = startsWithBom(bytes) ? BOM_BYTES : 0;
  return { bytes: bytes.subarray(skip), size: version.sizeBytes - skip };
}

/** Why nothing of a file is read; undefined if it is not blank. */
function silenceOf({ path, version }: InstructionFile, facts: TreeFacts): "blank" | "no-permission" | undefined {
  const { sizeBytes } = version;
  const bytes = facts.start(path, sizeBytes);
  if (isUnread(bytes, sizeBytes)) return "no-permission";
  return isBlank(bytes, sizeBytes) ? "blank" : undefined;
}
