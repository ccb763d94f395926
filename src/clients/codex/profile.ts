import { basename, dirname, join } from "node:path";
import { ladder, namedDirectory } from "../../lib/paths.ts";
import { lastValue, valueAt } from "../../lib/table.ts";
import { isBlankInRust, lossyText, trimAsRust } from "../../lib/text.ts";
import type { ReachedFile } from "../../report/schema.ts";
import type { Found, NativeClient, Part, UserEnvironment, TreeFacts } from "../client.ts";
import { nearestWith, treeOfLinked } from "../loading-rules.ts";
import { shownInCodex } from "./listing.ts";
import type { SeenSkill } from "../skill-listing.ts";
import { cut, isUnread, leftOut, loaded, shadowed, sizeOf, skipped, whyUnusable } from "../reached.ts";

const SYSTEM_CONFIG = "/etc/codex/config.toml";

const DEFAULT_MAX_BYTES = 32_768;

const DEFAULT_MARKERS = [".git"];

const NAMES = ["AGENTS.override.md", "AGENTS.md"];

const OWN_SKILLS = [".codex/skills"];
const SKILLS = [".agents/skills", ...OWN_SKILLS];

/** How deep it looks for skills, at least. */
const MAX_SKILL_LEVELS = 6;
/** The listing may use this share of the window's tokens, each counted as four characters, or as many as are set. */
const LISTING_SHARE = 0.02;
const CHARACTERS_A_TOKEN = 4;
const MAX_LISTING_TOKENS = 10_000;
const DEFAULT_WINDOW_TOKENS = 272_000;
/** Its own skills are listed too. */
const OWN_SKILLS_SIZE = 3000;
const MAX_POLICY_BYTES = 16 * 1024;

const FILE_SEPARATOR = "\n\n";

const HOME_SEPARATOR = "\n\n--- project-doc ---\n\n";

/**
 * Codex, as of 0.169. It reads a file in the user's home, then one file in each directory from the root down to the
 * working directory until the budget is spent. It reads nothing below the working directory, and nothing later.
 */
export const profile: Part<NativeClient> = {
  goesByNames: false,
  names: NAMES,
  ownSkills: OWN_SKILLS,
  moreNames: (cwd, user, facts) => readOptions(cwd, user, facts).names.slice(NAMES.length),
  reach(cwd, user, facts) {
    const { root, names, maxBytes, isTrusted } = readOptions(cwd, user, facts);
    const rungs = entriesIn(ladder(root, cwd), names, facts);
    const project = isTrusted
      ? firstOfEach(rungs, maxBytes, facts)
      : rungs.flat().map(({ path, what }) => skipped(path, "project", sizeOf(what), "untrusted"));
    const usedBytes = project.reduce((sum, { bytesShown }) => sum + bytesShown, 0);
    const files = [...homeFiles(user, facts), ...project];
    return { cwd, root, budget: { limitBytes: maxBytes, usedBytes }, files };
  },
  onTouch: () => [],
  skillDirectories(cwd, user, facts) {
    const { root } = readOptions(cwd, user, facts);
    const project = ladder(root, cwd).flatMap((directory) => SKILLS.map((name) => join(directory, name)));
    return [...project, join(user.home, ".agents", "skills"), join(codexHome(user), "skills")];
  },
  skillListing(cwd, user, facts) {
    const off = disabledSkills(user, facts);
    const { listingTokens, hasOwnSkills } = readOptions(cwd, user, facts);
    if (listingTokens === 0) return undefined;
    return {
      directories: profile.skillDirectories(cwd, user, facts),
      levels: MAX_SKILL_LEVELS,
      skips: ["dotted", "linked", "marked"],
      isSkipped: (skill) => off(skill) || isExplicitOnly(skill, facts),
      room: listingTokens * CHARACTERS_A_TOKEN - OWN_SKILLS_SIZE,
      over: "shortens",
      show: (skills) => shownInCodex(skills, listingTokens, hasOwnSkills),
      setting: ["skills.max_context_tokens", ".codex/config.toml"],
    };
  },
  text({ cwd, files }, facts) {
    const shown = files.filter(({ bytesShown }) => bytesShown > 0);
    const home = shown.filter(({ origin }) => origin === "home").map((file) => homeText(file, facts));
    const project = shown
      .filter(({ origin }) => origin === "project")
      .map(({ path, bytesShown }) => lossyText(facts.start(path, bytesShown)));
    const texts = [...home, ...(project.length === 0 ? [] : [project.join(FILE_SEPARATOR)])];
    if (texts.length === 0) return "";
    const of = project.length === 0 ? "" : ` for ${cwd}`;
    return `# AGENTS.md instructions${of}\n\n<INSTRUCTIONS>\n${texts.join(HOME_SEPARATOR)}\n</INSTRUCTIONS>`;
  },
};

/** Skills that the user's config disables, by path. */
function disabledSkills(user: UserEnvironment, facts: TreeFacts): (skill: SeenSkill) => boolean {
  const entries = valueAt(facts.data(join(codexHome(user), "config.toml")), "skills", "config");
  const paths = (Array.isArray(entries) ? entries : [])
    .filter((entry) => valueAt(entry, "enabled") === false)
    .map((entry) => valueAt(entry, "path"));
  const off = new Set(paths.flatMap((path) => (typeof path === "string" ? [path, facts.realPath(path)] : [])));
  return ({ path, realPath }) => [path, realPath, dirname(path), dirname(realPath)].some((each) => off.has(each));
}

/** Its own file may say that a skill is only for users who name it. */
function isExplicitOnly({ path }: SeenSkill, facts: TreeFacts): boolean {
  const policy = join(dirname(path), "agents", "openai.yaml");
  if (facts.at(policy)?.kind !== "file") return false;
  return /\ballow_implicit_invocation:\s*false\b/.test(lossyText(facts.start(policy, MAX_POLICY_BYTES)));
}

interface Options {
  readonly root: string;
  /** In each directory the first existing one counts. */
  readonly names: readonly string[];
  readonly maxBytes: number;
  /** What the list of skills may take; 0 if there is none. */
  readonly listingTokens: number;
  readonly hasOwnSkills: boolean;
  /** Whether the project's files are read at all. */
  readonly isTrusted: boolean;
}

/** From the machine's config, the user's, and those of a trusted project from the root down. */
function readOptions(cwd: string, user: UserEnvironment, facts: TreeFacts): Options {
  const userConfig = join(codexHome(user), "config.toml");
  const own = [facts.data(SYSTEM_CONFIG), facts.data(userConfig)];
  // A project's own config can't move its root.
  const root = nearestWith(cwd, stringsIn(own, "project_root_markers") ?? DEFAULT_MARKERS, facts) ?? cwd;
  const repository = repositoryOf(cwd, facts);
  const levelOf = (directory: string | undefined) =>
    directory === undefined ? undefined : lastValue(own, ["projects", directory, "trust_level"]);
  const ofProject = levelOf(root) ?? levelOf(repository);
  const project = ladder(root, cwd)
    .filter((directory) => (levelOf(directory) ?? ofProject) === "trusted")
    .map((directory) => join(directory, ".codex", "config.toml"))
    .filter((path) => path !== userConfig)
    .map((path) => facts.data(path));
  const layers = [...own, ...project];
  const asked = lastValue(layers, ["project_doc_max_bytes"]);
  const fallbacks = stringsIn(layers, "project_doc_fallback_filenames") ?? [];
  return {
    root,
    names: [...new Set([...NAMES, ...fallbacks.map(trimAsRust).filter(isBareName)])],
    listingTokens: listingTokensIn(layers),
    hasOwnSkills: lastValue(layers, ["skills", "bundled", "enabled"]) !== false,
    maxBytes: typeof asked === "number" && asked >= 0 ? asked : DEFAULT_MAX_BYTES,
    // The user is asked about a whole repository, whatever root the markers give.
    isTrusted: (levelOf(cwd) ?? levelOf(repository)) !== "untrusted",
  };
}

function listingTokensIn(layers: readonly unknown[]): number {
  if (lastValue(layers, ["skills", "include_instructions"]) === false) return 0;
  const tokens = lastValue(layers, ["skills", "max_context_tokens"]);
  if (typeof tokens === "number" && tokens > 0) return Math.min(tokens, MAX_LISTING_TOKENS);
  const window = lastValue(layers, ["model_context_window"]);
  const windowTokens = typeof window === "number" && window > 0 ? window : DEFAULT_WINDOW_TOKENS;
  return Math.max(1, Math.floor(windowTokens * LISTING_SHARE));
}

function isBareName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && basename(name) === name;
}

/** The repository that the user is asked about: for a linked working tree its main one, for a submodule none. */
function repositoryOf(cwd: string, facts: TreeFacts): string | undefined {
  const tree = nearestWith(cwd, [".git"], facts);
  if (tree === undefined || facts.at(join(tree, ".git"))?.kind === "directory") return tree;
  return treeOfLinked(tree, facts);
}

function stringsIn(layers: readonly unknown[], key: string): readonly string[] | undefined {
  const value = lastValue(layers, [key]);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : undefined;
}

/** A name that exists in a directory. */
interface Entry {
  readonly path: string;
  readonly what: Found;
}

/** With more names than this, the directory is listed: a config may contain a hundred thousand. */
const MANY_NAMES = 64;

/** The entries with these names in each of these directories, in the order of the names. */
function entriesIn(directories: readonly string[], names: readonly string[], facts: TreeFacts): Entry[][] {
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

/** The first file of each directory until the budget is spent; the last one may be cut. */
function firstOfEach(
  rungs: readonly (readonly Entry[])[],
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
      // One failure ends the search and discards what was found before.
      else if (failing !== undefined) files.push(skipped(path, "project", size, "other-failed", failing));
      else if (chosen !== undefined) files.push(shadowed(path, "project", size, "earlier-name", chosen));
      else if (what.kind !== "file") files.push(skipped(path, "project", size, whyUnusable(what)));
      else {
        // Only now does Codex notice that it can't open the file.
        if (room > 0 && isUnread(facts.start(path, Math.min(size, room)), size)) {
          return firstOfEach(rungs, maxBytes, facts, path);
        }
        chosen = path;
        const file = takeFrom(path, size, room, facts);
        room -= file.bytesShown;
        files.push(file);
      }
    }
  }
  return files;
}

/** The first path that Codex can't examine in a directory, which ends its search. */
function firstFailure(rung: readonly Entry[]): string | undefined {
  for (const { path, what } of rung) {
    if (what.kind === "file") return undefined;
    if (what.kind === "loop" || (what.kind === "unusable" && what.reason === "unreadable")) return path;
  }
  return undefined;
}

function takeFrom(path: string, size: number, room: number, facts: TreeFacts): ReachedFile {
  if (size === 0) return skipped(path, "project", size, "blank");
  if (room === 0) return leftOut(path, "project", size);
  const shown = Math.min(size, room);
  // Codex reads only the part that fits. If that is blank, it costs nothing.
  if (isBlankInRust(lossyText(facts.start(path, shown)))) {
    return shown < size ? leftOut(path, "project", size) : skipped(path, "project", size, "blank");
  }
  return shown < size ? cut(path, "project", size, shown) : loaded(path, "project", size);
}

/** The first with any text counts; a blank one is skipped. */
function homeFiles(user: UserEnvironment, facts: TreeFacts): ReachedFile[] {
  let chosen: string | undefined;
  return entriesIn([codexHome(user)], NAMES, facts)
    .flat()
    .map(({ path, what }) => {
      const size = sizeOf(what);
      if (chosen !== undefined) return shadowed(path, "home", size, "earlier-name", chosen);
      if (what.kind !== "file") return skipped(path, "home", size, whyUnusable(what));
      const bytes = facts.start(path, size);
      if (isUnread(bytes, size)) return skipped(path, "home", size, "no-permission");
      const whole = lossyText(bytes);
      const text = trimAsRust(whole);
      if (text === "") return skipped(path, "home", size, "blank");
      chosen = path;
      // Counts bytes of the file: an invalid byte takes more room in the text.
      return loaded(path, "home", size, size - (bytesIn(whole) - bytesIn(text)));
    });
}

function homeText({ path, bytesTotal }: ReachedFile, facts: TreeFacts): string {
  return trimAsRust(lossyText(facts.start(path, bytesTotal)));
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The directory of the user's own config, instructions and hooks. */
export function codexHome({ home, env }: UserEnvironment): string {
  return namedDirectory(env["CODEX_HOME"], join(home, ".codex"));
}
