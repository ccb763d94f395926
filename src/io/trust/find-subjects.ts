import { dirname, join, relative, sep } from "node:path";
import { projectFile } from "../../core/project-layer.ts";
import type { UserPlaces } from "../../core/user-places.ts";
import type { Config } from "../../schema/config.ts";
import type { SubjectKind } from "../../schema/trust.ts";
import type { World } from "../../world.ts";
import { loadLayer } from "../config-layer.ts";
import { isRegularFile } from "../is-there.ts";
import { isSamePlace } from "../same-place.ts";
import { readAll, readNamed, type SubjectRead } from "./subject-files.ts";

/** What can be trusted as a whole: a project's config with the plugins it names, or an agent definition. */
export interface Subject {
  readonly kind: SubjectKind;
  /** Links resolved. */
  readonly directory: string;
  readonly read: SubjectRead;
  /** What a project's config asks for. */
  readonly asked: Config | undefined;
}

/**
 * What asks for trust in a directory.
 *
 * @input  directory: links resolved
 * @effect reads what is to be trusted; may remember the parsed config
 * @error  none
 */
export async function subjectsIn(world: World, places: UserPlaces, directory: string): Promise<Subject[]> {
  const project = await projectIn(world, places, directory);
  return [...(project === undefined ? [] : [project]), ...definitionIn(directory)];
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
): Promise<Subject[]> {
  for (let directory = isOneFile ? dirname(path) : path; ; directory = dirname(directory)) {
    const found = await subjectsIn(world, places, directory);
    const holding = isOneFile ? found.filter((subject) => holds(subject, path)) : found;
    if (holding.length > 0 || dirname(directory) === directory) return holding;
  }
}

function holds({ directory, read }: Subject, path: string): boolean {
  return read.kind === "read" && read.files.some((file) => join(directory, file.path) === path);
}

function definitionIn(directory: string): Subject[] {
  if (!isRegularFile(join(directory, "agent.json"))) return [];
  return [{ kind: "agent", directory, read: readAll(directory), asked: undefined }];
}

async function projectIn(world: World, places: UserPlaces, directory: string): Promise<Subject | undefined> {
  const own = join(directory, ".codelia");
  // The user's own config needs nobody's trust.
  if (isSamePlace(own, places.global)) return undefined;
  const place = { directories: [own], isProject: true, cache: places.cache, owner: directory };
  const { path, config, problems, asked } = await loadLayer(world, place);
  if (path === undefined) return undefined;
  const subject = { kind: "project", directory, asked: asked?.config } as const;
  if (config === undefined) {
    return { ...subject, read: { kind: "unusable", problem: `'${path}' can't be used: ${problems.join("; ")}` } };
  }
  if (asked === undefined) return undefined;
  const plugins = (asked.config.plugins ?? []).map(projectFile).filter((file) => file !== undefined);
  const read = readNamed(directory, [relative(directory, path).replaceAll(sep, "/"), ...plugins]);
  if (read.kind === "read" && read.files[0]?.sha256 !== asked.sha256) {
    return { ...subject, read: { kind: "unusable", problem: `'${path}' was changed while it was read` } };
  }
  return { ...subject, read };
}
