import { dirname, join, relative } from "node:path";
import { loadLayer, projectSource } from "../config/files.ts";
import { askedValues, projectFile } from "../config/project-layer.ts";
import type { UserDirectories } from "../config/user-directories.ts";
import { joinMessages } from "../lib/diagnostic.ts";
import { isRegularFile, isSameFile } from "../lib/path-facts.ts";
import { withSlashes } from "../lib/paths.ts";
import type { World } from "../world.ts";
import { commandsOf, withOwnFiles } from "./agent-commands.ts";
import { filtersOf } from "./filters.ts";
import { readNamedFiles, topAround } from "./named/files.ts";
import { storeOf } from "./records.ts";
import type { SubjectKind } from "./schema.ts";
import { readAll, readNamed, type SubjectFile, type SubjectRead } from "./verify.ts";

/**
 * Something that is trusted as a whole: a project's config with its plugins, an agent definition, or a repository's git
 * filters.
 */
export interface Subject {
  readonly kind: SubjectKind;
  /** Links resolved. */
  readonly directory: string;
  readonly read: SubjectRead;
  /** Files of the clone outside `directory` that its commands name. */
  readonly named: readonly SubjectFile[];
  /** What a project's or a repository's config asks for, or what an agent definition runs, by key. */
  readonly asked: readonly { readonly key: string; readonly value: unknown }[];
}

/**
 * What asks for trust in a directory.
 *
 * @input  directory: links resolved; cwd: where an agent definition's commands may run, besides the top of its working
 *          tree
 * @effect may cache the parsed config
 */
export async function subjectsIn(
  world: World,
  userDirectories: UserDirectories,
  directory: string,
  cwd: string,
): Promise<Subject[]> {
  const project = await projectIn(world, userDirectories, directory);
  const others = [
    ...definitionIn(world, userDirectories, directory, cwd),
    ...repositoryIn(world, userDirectories, directory),
  ];
  return project === undefined ? others : [project, ...others];
}

/**
 * The same for the nearest directory upwards.
 *
 * @input  path: links resolved; isOneFile: skip subjects that don't include this file
 */
export async function subjectsAbove(
  world: World,
  userDirectories: UserDirectories,
  path: string,
  isOneFile: boolean,
  cwd: string,
): Promise<Subject[]> {
  for (let directory = isOneFile ? dirname(path) : path; ; directory = dirname(directory)) {
    const found = await subjectsIn(world, userDirectories, directory, cwd);
    const holding = isOneFile ? found.filter((subject) => contains(subject, path)) : found;
    if (holding.length > 0 || dirname(directory) === directory) return holding;
  }
}

function contains({ directory, read }: Subject, path: string): boolean {
  return read.kind === "read" && read.files.some((file) => join(directory, file.path) === path);
}

function definitionIn(world: World, userDirectories: UserDirectories, directory: string, cwd: string): Subject[] {
  if (!isRegularFile(join(directory, "agent.json"))) return [];
  const read = readAll(directory);
  const subject = { kind: "agent", directory, read, named: [], asked: [] } as const;
  if (read.kind === "unusable") return [subject];
  const commands = commandsOf(world, read.files);
  const asked = commands.map(({ key, words }) => ({ key, value: words }));
  const own = storeOf(userDirectories);
  const cwds = [topAround(world, directory) ?? cwd, cwd];
  const named = readNamedFiles(world, withOwnFiles(commands, read.files, own), { definition: directory, own, cwds });
  if (named.kind === "unusable") return [{ ...subject, read: named }];
  return [{ ...subject, named: named.files, asked }];
}

function repositoryIn(world: World, userDirectories: UserDirectories, directory: string): Subject[] {
  const filters = filtersOf(world, userDirectories, directory);
  return filters === undefined
    ? []
    : [{ kind: "repository", directory, read: filters.read, named: [], asked: filters.settings }];
}

async function projectIn(
  world: World,
  userDirectories: UserDirectories,
  directory: string,
): Promise<Subject | undefined> {
  // The user's own config needs no trust.
  if (isSameFile(join(directory, ".codelia"), userDirectories.global)) return undefined;
  const { path, config, problems, asked } = await loadLayer(world, projectSource(directory, userDirectories));
  if (path === undefined) return undefined;
  const subject = { kind: "project", directory, named: [], asked: askedValues(asked?.config) } as const;
  if (config === undefined) {
    return { ...subject, read: { kind: "unusable", problem: `'${path}' can't be used: ${joinMessages(problems)}` } };
  }
  if (asked === undefined) return undefined;
  const plugins = (asked.config.plugins ?? []).map(projectFile).filter((file) => file !== undefined);
  const read = readNamed(directory, [withSlashes(relative(directory, path)), ...plugins]);
  if (read.kind === "read" && read.files[0]?.sha256 !== asked.sha256) {
    return { ...subject, read: { kind: "unusable", problem: `'${path}' was changed while it was read` } };
  }
  return { ...subject, read };
}
