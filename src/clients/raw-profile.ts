import { join } from "node:path";
import { isBlank } from "../lib/text.ts";
import { characterBoundary, shareBudget } from "../instructions/bundle.ts";
import {
  chooseChain,
  type Candidate,
  type InstructionFile,
  type PassedOver,
  type Rung,
} from "../instructions/chain.ts";
import { isInside, ladder, withoutIgnored } from "../lib/paths.ts";
import type { ClientProfile, TreeFacts } from "./client.ts";
import { isUnread, sizeOf, whyUnusable } from "./native-upwards.ts";
import { cut, leftOut, loaded, shadowed, skipped } from "./native-upwards.ts";
import type { Settings } from "../config/settings.ts";
import type { ReachedFile } from "../report/schema.ts";

/** What codelia itself goes by. */
export interface RawOptions {
  readonly agents: Settings["agents"];
  /** Where the hierarchy of a directory begins. */
  readonly rootOf: (cwd: string) => string;
  /** Where the user's own instruction files are. */
  readonly homeDirectory: string;
}

const MAIN_NAMES = ["AGENTS.override.md", "AGENTS.md"];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The name of codelia itself among the profiles. */
export const OWN_PROFILE = "raw";

/** What `codelia init-context` prints. */
export function rawProfile(options: RawOptions): ClientProfile {
  const { fallbackFilenames, additionalFilenames } = options.agents;
  return {
    name: OWN_PROFILE,
    title: "codelia",
    goesByNames: true,
    names: MAIN_NAMES,
    moreNames: () => [...fallbackFilenames, ...additionalFilenames],
    reach(cwd, _, facts) {
      const root = options.rootOf(cwd);
      const files = options.agents.enabled
        ? rawFiles(cwd, root, options, facts)
        : switchedOff(cwd, root, options, facts);
      const usedBytes = files
        .filter(({ origin }) => origin === "project")
        .reduce((sum, { bytesShown }) => sum + bytesShown, 0);
      return { cwd, root, budget: { limitBytes: options.agents.initial.maxBytes, usedBytes }, files };
    },
  };
}

function rawFiles(cwd: string, root: string, { agents, homeDirectory }: RawOptions, facts: TreeFacts): ReachedFile[] {
  const { initial, ignore } = agents;
  const all = ladder(root, cwd);
  const wanted = withoutIgnored(all, ignore);
  const { files, passedOver } = chooseChain(wanted.map((directory) => rungOf(directory, root, agents, facts)));
  const sizeAt = (path: string) => sizeOf(facts.at(path));

  const home = MAIN_NAMES.map((name) => homeFile(homeDirectory, name, facts)).filter((file) => file !== undefined);
  const whySilent = (file: InstructionFile) => silenceOf(file, facts);
  const homeChoice = home.find((file) => whySilent(file) === undefined);
  const project = files.filter((file) => file.identity !== homeChoice?.identity);
  const saying = project.filter((file) => whySilent(file) === undefined);
  const shares = new Map(
    shareBudget(
      saying.map((file) => textOf(file, 0, facts).size),
      initial,
    ).map((share, index) => [saying[index]?.path, share.shownBytes]),
  );

  const judged = files.map((file): ReachedFile => {
    const { path, version } = file;
    if (file.identity === homeChoice?.identity) {
      return shadowed(path, "project", version.sizeBytes, "duplicate", homeChoice.path);
    }
    const share = shares.get(path);
    if (share === undefined) return skipped(path, "project", version.sizeBytes, whySilent(file) ?? "blank");
    return asShare(file, "project", share, facts, saying.length > initial.maxFiles ? "file-limit" : "budget");
  });
  const passed = passedOver.map((entry) => asPassedOver(entry, sizeAt(entry.path)));
  const ignored = all
    .slice(wanted.length)
    .flatMap((directory) => rungOf(directory, root, agents, facts).main)
    .map(({ path }) => skipped(path, "project", sizeAt(path), "ignored-directory"));
  const ofHome = home.map((file): ReachedFile => {
    const { path, version } = file;
    if (file === homeChoice) return asShare(file, "home", initial.maxBytes, facts, "budget");
    return homeChoice !== undefined && home.indexOf(homeChoice) < home.indexOf(file)
      ? shadowed(path, "home", version.sizeBytes, "earlier-name", homeChoice.path)
      : skipped(path, "home", version.sizeBytes, whySilent(file) ?? "blank");
  });
  const order = new Map(all.map((directory, index) => [directory, index]));
  const depth = ({ path }: ReachedFile) => order.get(join(path, "..")) ?? 0;
  return [...ofHome, ...[...judged, ...passed, ...ignored].toSorted((left, right) => depth(left) - depth(right))];
}

function switchedOff(cwd: string, root: string, { agents }: RawOptions, facts: TreeFacts): ReachedFile[] {
  return ladder(root, cwd)
    .flatMap((directory) => rungOf(directory, root, agents, facts).main)
    .map(({ path }) => skipped(path, "project", sizeOf(facts.at(path)), "switched-off"));
}

function rungOf(directory: string, root: string, agents: Settings["agents"], facts: TreeFacts): Rung {
  const look = (names: readonly string[]) =>
    names.map((name) => candidate(join(directory, name), root, facts)).filter((found) => found !== undefined);
  return {
    directory,
    main: look([...MAIN_NAMES, ...agents.fallbackFilenames]),
    additional: look(agents.additionalFilenames),
  };
}

function candidate(path: string, root: string, facts: TreeFacts): Candidate | undefined {
  const what = facts.at(path);
  if (what === undefined) return undefined;
  const realRoot = facts.realPath(root);
  if ("realPath" in what && (realRoot === undefined || !isInside(realRoot, what.realPath))) {
    return { path, found: { kind: "unusable", reason: "link-outside-root" } };
  }
  return { path, found: what.kind === "file" ? what : { kind: "unusable", reason: whyUnusable(what) } };
}

function asPassedOver({ path, reason, by }: PassedOver, size: number): ReachedFile {
  if (reason === "hidden") return shadowed(path, "project", size, "earlier-name", by ?? "");
  if (reason === "duplicate") return shadowed(path, "project", size, "duplicate", by ?? "");
  return skipped(path, "project", size, reason);
}

function asShare(
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

/** A text without its byte order mark, as far as it may be shown, and the bytes of the character after that. */
function textOf(file: InstructionFile, limit: number, facts: TreeFacts): { bytes: Uint8Array; size: number } {
  const bytes = facts.start(file.path, limit + BYTE_ORDER_MARK.length + 4);
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  const skip = hasMark ? BYTE_ORDER_MARK.length : 0;
  return { bytes: bytes.subarray(skip), size: file.version.sizeBytes - skip };
}

/** Why nothing of a file is read; undefined where it says something. */
function silenceOf({ path, version }: InstructionFile, facts: TreeFacts): "blank" | "no-permission" | undefined {
  const { sizeBytes } = version;
  const bytes = facts.start(path, sizeBytes);
  if (isUnread(bytes, sizeBytes)) return "no-permission";
  return isBlank(bytes, sizeBytes) ? "blank" : undefined;
}

/** The user's own, so their links are followed wherever they lead. */
function homeFile(directory: string, name: string, facts: TreeFacts): InstructionFile | undefined {
  const path = join(directory, name);
  const what = facts.at(path);
  return what?.kind === "file" ? { ...what, path, directory } : undefined;
}
