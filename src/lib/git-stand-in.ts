import { temporaryPath } from "./temporary.ts";
import { join } from "node:path";
import { disk, errnoOf } from "./fs.ts";
import type { Repository } from "./git-repository.ts";
import { realPathOf } from "./path-facts.ts";
import { readText } from "./read-file.ts";
import { createFile, removeTreeQuietly } from "./write-file.ts";

interface StandIn {
  readonly directory: string;
  /** The clone's own config; most of it is not applied. */
  readonly settings: readonly GitSetting[];
  /**
   * Applies these settings as well.
   *
   * @error any disk error
   */
  allow(settings: readonly GitSetting[]): void;
  remove(): void;
}

type StandInMade = StandIn | { readonly kind: "refused"; readonly reason: string };

/** Lists the settings of a config that it is given as text. */
type ListConfig = (config: string, cwd: string) => string | { readonly reason: string };

const MAX_CONFIG_BYTES = 1024 * 1024;

const MAX_EXCLUDES_BYTES = 4 * 1024 * 1024;

/** What working trees share, except the objects, which an environment variable names. */
const SHARED = ["refs", "packed-refs", "shallow", "reftable", "lfs"];

/** Where git keeps its linked working trees; the first new one goes here too. */
export const WORKTREES = "worktrees";

/** Reflogs are not shared, so nothing may be written to them. */
const ALWAYS: readonly GitSetting[] = [{ key: "core.logallrefupdates", value: "false" }];

/**
 * A directory that git uses instead of the one that all working trees of a clone share. It has the same objects and
 * branches, but its config is ours: git reads neither the clone's config nor its includes, and finds no hooks.
 * Documented in git's manual under `GIT_COMMON_DIR`.
 *
 * @effect a temporary directory, deleted by `remove`
 */
export function makeStandIn(repository: Repository, list: ListConfig): StandInMade {
  let directory: string | undefined;
  try {
    const made = disk.realPath(disk.makeTemporary(temporaryPath("codelia-git-")));
    directory = made;
    const settings = settingsOf(repository, made, list);
    if (typeof settings === "string") {
      removeTreeQuietly(made);
      return { kind: "refused", reason: settings };
    }
    const config = harmlessConfig([...settings, ...ALWAYS]);
    fill(made, repository.commonDirectory, config);
    const path = join(made, "config");
    return {
      directory: made,
      settings,
      allow(more) {
        disk.remove(path);
        create(path, config + writeConfig(more));
      },
      remove: () => removeTreeQuietly(made),
    };
  } catch (error) {
    if (directory !== undefined) removeTreeQuietly(directory);
    return { kind: "refused", reason: `no temporary directory can be made (${errnoOf(error)})` };
  }
}

/** The settings of the clone's config, or why it can't be read. */
function settingsOf(
  { gitDirectory, commonDirectory }: Repository,
  cwd: string,
  list: ListConfig,
): readonly GitSetting[] | string {
  const shared = settingsIn(join(commonDirectory, "config"), cwd, list);
  if (typeof shared === "string" || !hasConfigEach(shared)) return shared;
  const own = settingsIn(join(gitDirectory, "config.worktree"), cwd, list);
  return typeof own === "string" ? own : [...shared, ...sparseSettings(own)];
}

function settingsIn(path: string, cwd: string, list: ListConfig): readonly GitSetting[] | string {
  // In a directory shared by several tools it may be a link.
  const read = readText(realPathOf(path) ?? path, MAX_CONFIG_BYTES);
  if (read.kind === "absent") return [];
  if (read.kind !== "text") return `'${path}' can't be read (${read.kind === "unusable" ? read.reason : read.kind})`;
  const listed = list(read.text, cwd);
  return typeof listed === "string" ? readSettings(listed) : `'${path}' can't be read (${listed.reason})`;
}

function fill(directory: string, commonDirectory: string, config: string): void {
  create(join(directory, "config"), config);
  // In a linked working tree, this is the HEAD of the main one.
  const head = readText(join(commonDirectory, "HEAD"), MAX_EXCLUDES_BYTES);
  if (head.kind === "text") create(join(directory, "HEAD"), head.text);
  disk.makeLink(join(commonDirectory, WORKTREES), join(directory, WORKTREES));
  for (const name of SHARED) {
    if (disk.look(join(commonDirectory, name)) !== undefined)
      disk.makeLink(join(commonDirectory, name), join(directory, name));
  }
  disk.makeDirectory(join(directory, "info"));
  const excludes = readText(join(commonDirectory, "info", "exclude"), MAX_EXCLUDES_BYTES);
  if (excludes.kind === "text") create(join(directory, "info", "exclude"), excludes.text);
}

function create(path: string, text: string): void {
  const made = createFile(path, text);
  if (made.kind === "failed") throw Object.assign(new Error(made.errno), { code: made.errno });
}

/** One setting of a git config, as `git config --null --list` prints it: section and name in lower case. */
export interface GitSetting {
  readonly key: string;
  readonly value: string;
}

/**
 * The settings of a clone's config that are applied: how its files and objects are stored, and names of branches and
 * remotes. None of them can name a program or a file to read.
 */
const HARMLESS = new Set([
  "core.repositoryformatversion",
  "core.bare",
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.autocrlf",
  "core.eol",
  "core.checkstat",
  "core.trustctime",
  "core.longpaths",
  "user.name",
  "user.email",
]);

const HARMLESS_OF_NAMED = /^(?:branch\..+\.(?:remote|merge)|remote\..+\.(?:url|fetch|gh-resolved))$/s;

const EXTENSION = /^extensions\.[a-z]+$/;

/** In a clone with several working trees these may be in the config of one of them. */
const SPARSE = new Set(["core.sparsecheckout", "core.sparsecheckoutcone"]);

/** These say where missing objects come from, and that there is another config. */
const EXTENSIONS_LEFT_OUT = new Set(["extensions.partialclone", "extensions.worktreeconfig"]);

const PLAIN_VALUE = /^[A-Za-z0-9_-]*$/;

/** The entries of `git config --null --list`; a name without a value is `true`. */
export function readSettings(listed: string): GitSetting[] {
  const entries = listed.split("\0").filter((entry) => entry !== "");
  return entries.map((entry) => {
    const end = entry.indexOf("\n");
    return end < 0 ? { key: entry, value: "true" } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
  });
}

/** Only the harmless settings, in their order. */
export function harmlessConfig(settings: readonly GitSetting[]): string {
  return writeConfig(settings.filter(isHarmless));
}

function isHarmless({ key, value }: GitSetting): boolean {
  if (EXTENSION.test(key)) return !EXTENSIONS_LEFT_OUT.has(key) && PLAIN_VALUE.test(value);
  return HARMLESS.has(key) || SPARSE.has(key) || HARMLESS_OF_NAMED.test(key);
}

/** Those that decide which files a working tree has. */
export function sparseSettings(settings: readonly GitSetting[]): GitSetting[] {
  return settings.filter(({ key }) => SPARSE.has(key));
}

const FILTER = /^filter\.(.+)\.(?:clean|smudge|process|required)$/s;

/** Those that name programs that change files on checkout and check-in. */
export function filterSettings(settings: readonly GitSetting[]): GitSetting[] {
  return settings.filter(({ key }) => FILTER.test(key));
}

/** The names of the filters that change files on checkout. */
export function checkoutFilters(settings: readonly GitSetting[]): Set<string> {
  const changing = settings.filter(({ key, value }) => /\.(?:smudge|process)$/.test(key) && value !== "");
  return new Set(changing.flatMap(({ key }) => FILTER.exec(key)?.[1] ?? []));
}

/** Whether each working tree has a config of its own as well. */
export function hasConfigEach(settings: readonly GitSetting[]): boolean {
  return settings.some(({ key, value }) => key === "extensions.worktreeconfig" && value !== "false");
}

/** The text of a config with only these settings. */
export function writeConfig(settings: readonly GitSetting[]): string {
  return settings.map(({ key, value }) => `${sectionOf(key)}\n\t${nameIn(key)} = ${quoted(value)}\n`).join("");
}

/** `remote.a.b.url` is `url` in the section `[remote "a.b"]`. */
function sectionOf(key: string): string {
  const [section, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const name = key.slice(0, section);
  return section === last ? `[${name}]` : `[${name} "${key.slice(section + 1, last).replaceAll(/["\\]/g, "\\$&")}"]`;
}

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
