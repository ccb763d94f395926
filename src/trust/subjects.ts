import { dirname, join, relative, sep } from "node:path";
import { askedValues } from "../config/project-layer.ts";
import { projectFile } from "../config/project-layer.ts";
import type { UserPlaces } from "../config/user-places.ts";
import type { SubjectKind } from "./schema.ts";
import type { World } from "../world.ts";
import { loadLayer } from "../config/files.ts";
import { joinMessages } from "../lib/diagnostic.ts";
import { isRegularFile } from "../lib/path-facts.ts";
import { isSamePlace } from "../lib/path-facts.ts";
import { commandsOf, readNamedFiles, topAround, withOwnFiles } from "./named-files.ts";
import { filtersOf } from "./filters.ts";
import { readAll, readNamed, type SubjectFile, type SubjectRead } from "./subject-files.ts";
import { storeOf } from "./records.ts";

/** What can be trusted as a whole: a project's config with the plugins it names, an agent definition, git's filters. */
export interface Subject {
  readonly kind: SubjectKind;
  /** Links resolved. */
  readonly directory: string;
  readonly read: SubjectRead;
  /** Files of the clone outside of it that its commands name. */
  readonly named: readonly SubjectFile[];
  /** What a project's or a repository's config asks for, or what an agent definition runs, by key. */
  readonly asked: readonly { readonly key: string; readonly value: unknown }[];
}

/**
 * What asks for trust in a directory.
 *
 * @input  directory: links resolved; cwd: where what an agent definition names may be run, as well as at the top of its
 *         working tree
 * @effect reads what is to be trusted; may remember the parsed config
 * @error  none
 */
export async function subjectsIn(world: World, places: UserPlaces, directory: string, cwd: string): Promise<Subject[]> {
  const project = await projectIn(world, places, directory);
  const others = [...definitionIn(world, places, directory, cwd), ...repositoryIn(world, places, directory)];
  return project === undefined ? others : [project, ...others];
}

/**
 * The same for the nearest directory upwards; of a file, what it is part of.
 *
 * @input  path: links resolved; isOneFile: what does not hold this very file is passed over
 */
export async function subjectsAbove(
  world: World,
  places: UserPlaces,
  path: string,
  isOneFile: boolean,
  cwd: string,
): Promise<Subject[]> {
  for (let directory = isOneFile ? dirname(path) : path; ; directory = dirname(directory)) {
    const found = await subjectsIn(world, places, directory, cwd);
    const holding = isOneFile ? found.filter((subject) => holds(subject, path)) : found;
    if (holding.length > 0 || dirname(directory) === directory) return holding;
  }
}

function holds({ directory, read }: Subject, path: string): boolean {
  return read.kind === "read" && read.files.some((file) => join(directory, file.path) === path);
}

function definitionIn(world: World, places: UserPlaces, directory: string, cwd: string): Subject[] {
  if (!isRegularFile(join(directory, "agent.json"))) return [];
  const read = readAll(directory);
  const subject = { kind: "agent", directory, read, named: [], asked: [] } as const;
  if (read.kind === "unusable") return [subject];
  const commands = commandsOf(world, read.files);
  const asked = commands.map(({ key, words }) => ({ key, value: words }));
  const own = storeOf(places);
  const cwds = [topAround(world, directory) ?? cwd, cwd];
  const named = readNamedFiles(world, withOwnFiles(commands, read.files, own), { definition: directory, own, cwds });
  if (named.kind === "unusable") return [{ ...subject, read: named }];
  return [{ ...subject, named: named.files, asked }];
}

function repositoryIn(world: World, places: UserPlaces, directory: string): Subject[] {
  const filters = filtersOf(world, places, directory);
  return filters === undefined
    ? []
    : [{ kind: "repository", directory, read: filters.read, named: [], asked: filters.settings }];
}

async function projectIn(world: World, places: UserPlaces, directory: string): Promise<Subject | undefined> {
  const own = join(directory, ".codelia");
  // The user's own config needs nobody's trust.
  if (isSamePlace(own, places.global)) return undefined;
  const place = { directories: [own], isProject: true, cache: places.cache, owner: directory };
  const { path, config, problems, asked } = await loadLayer(world, place);
  if (path === undefined) return undefined;
  const subject = { kind: "project", directory, named: [], asked: askedValues(asked?.config) } as const;
  if (config === undefined) {
    return { ...subject, read: { kind: "unusable", problem: `'${path}' can't be used: ${joinMessages(problems)}` } };
  }
  if (asked === undefined) return undefined;
  const plugins = (asked.config.plugins ?? []).map(projectFile).filter((file) => file !== undefined);
  const read = readNamed(directory, [relative(directory, path).replaceAll(sep, "/"), ...plugins]);
  if (read.kind === "read" && read.files[0]?.sha256 !== asked.sha256) {
    return { ...subject, read: { kind: "unusable", problem: `'${path}' was changed while it was read` } };
  }
  return { ...subject, read };
}
