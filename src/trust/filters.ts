import { join } from "node:path";
import type { UserDirectories } from "../config/user-directories.ts";
import { checkoutFilters, filterSettings, writeConfig, type GitSetting } from "../lib/git-stand-in.ts";
import { openGit } from "../lib/git.ts";
import { readText } from "../lib/read-file.ts";
import { sha256 } from "../lib/sha256.ts";
import type { World } from "../world.ts";
import { readNamedFiles } from "./named/files.ts";
import { readRecord, storeOf } from "./records.ts";
import type { SubjectFile, SubjectRead } from "./verify.ts";

/** The trusted part of a clone's git config; the rest changes from day to day. */
const FILTERS_FILE = ".git/config (filters)";
const MAX_CONFIG_BYTES = 1024 * 1024;

interface RepositoryFilters {
  readonly settings: readonly GitSetting[];
  readonly read: SubjectRead;
}

/**
 * The filters that a clone's own git config sets up, as `git lfs install --local` does: programs that git runs.
 *
 * @input  directory: of the main working tree, links resolved
 * @output undefined if there are none
 * @effect starts git if there may be some
 */
export function filtersOf(
  world: World,
  userDirectories: UserDirectories,
  directory: string,
): RepositoryFilters | undefined {
  const config = readText(join(directory, ".git", "config"), MAX_CONFIG_BYTES);
  if (config.kind !== "text" || !/filter/i.test(config.text)) return undefined;
  const git = openGit(world, directory);
  if ("kind" in git) return { settings: [], read: { kind: "unusable", problem: git.reason } };
  git.close();
  const settings = filterSettings(git.settings);
  if (checkoutFilters(settings).size === 0) return undefined;
  return { settings, read: readFilters(world, userDirectories, directory, settings) };
}

function readFilters(
  world: World,
  userDirectories: UserDirectories,
  directory: string,
  settings: readonly GitSetting[],
): SubjectRead {
  const commands = settings.map(({ key, value }) => {
    return { key, words: ["sh", "-c", value], behind: [], kind: "command" } as const;
  });
  const named = readNamedFiles(world, commands, {
    definition: directory,
    own: storeOf(userDirectories),
    cwds: [directory],
  });
  if (named.kind === "unusable") return named;
  const [file] = named.files;
  if (file !== undefined) {
    const problem = `its filters name '${file.path}', a file that differs between branches; name a program outside the clone`;
    return { kind: "unusable", problem };
  }
  return { kind: "read", files: [fileOf(settings)] };
}

/** Whether the user trusts exactly the present settings of a repository. */
export function areFiltersTrusted(
  userDirectories: UserDirectories,
  directory: string,
  settings: readonly GitSetting[],
): boolean {
  const record = readRecord(userDirectories, "repository", directory);
  return record?.files.some(({ sha256: trusted }) => trusted === fileOf(settings).sha256) === true;
}

function fileOf(settings: readonly GitSetting[]): SubjectFile {
  const bytes = new TextEncoder().encode(writeConfig(settings));
  return { path: FILTERS_FILE, sha256: sha256(bytes), sizeBytes: bytes.length, isProgram: false, bytes };
}
