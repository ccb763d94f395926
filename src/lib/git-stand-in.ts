import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  harmlessConfig,
  hasConfigEach,
  readSettings,
  sparseSettings,
  writeConfig,
  type GitSetting,
} from "./git-config.ts";
import { disk, errnoOf } from "./fs.ts";
import type { Repository } from "./git-repository.ts";
import { readText } from "./read-file.ts";
import { realPathOf } from "./same-place.ts";
import { createFile, removeTreeQuietly } from "./write-file.ts";

export interface StandIn {
  readonly directory: string;
  /** What the clone's own config says; little of it is in force. */
  readonly settings: readonly GitSetting[];
  /**
   * Puts these settings in force as well.
   *
   * @error whatever the disk throws
   */
  allow(settings: readonly GitSetting[]): void;
  remove(): void;
}

export type StandInMade = StandIn | { readonly kind: "refused"; readonly reason: string };

/** Lists the settings of a config that it is given as text. */
export type ListConfig = (config: string, cwd: string) => string | { readonly reason: string };

const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_EXCLUDES_BYTES = 4 * 1024 * 1024;
/** What is shared beside the objects, which git is told of by a variable. */
const SHARED = ["refs", "packed-refs", "shallow", "reftable", "lfs"];
/** What git knows of linked working trees; the first one that is made comes here too. */
export const WORKTREES = "worktrees";
/** Nothing is added to a log, as nobody knows what stands in its place. */
const ALWAYS: readonly GitSetting[] = [{ key: "core.logallrefupdates", value: "false" }];

/**
 * A directory for git to use in place of the one that all working trees of a clone share. It leads to the same objects
 * and branches, but its config is ours: git reads neither the clone's config nor what that includes, and finds no hooks.
 * git's manual has this under `GIT_COMMON_DIR`.
 *
 * @effect a temporary directory, gone with `remove`
 * @error  none
 */
export function makeStandIn(repository: Repository, list: ListConfig): StandInMade {
  let directory: string | undefined;
  try {
    const made = disk.realPath(disk.makeTemporary(join(tmpdir(), "codelia-git-")));
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

/** What the clone's config says, or why it can't be read. */
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
  // In a directory that several tools share it may be a link.
  const read = readText(realPathOf(path) ?? path, MAX_CONFIG_BYTES);
  if (read.kind === "absent") return [];
  if (read.kind !== "text") return `'${path}' can't be read (${read.kind === "unusable" ? read.reason : read.kind})`;
  const listed = list(read.text, cwd);
  return typeof listed === "string" ? readSettings(listed) : `'${path}' can't be read (${listed.reason})`;
}

function fill(directory: string, commonDirectory: string, config: string): void {
  create(join(directory, "config"), config);
  // Of the main working tree, which in a linked one is another's.
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
