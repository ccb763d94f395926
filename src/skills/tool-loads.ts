import { basename, dirname, join } from "node:path";
import type { SkillScope } from "../config/schema.ts";
import { disk } from "../lib/fs.ts";
import { isSameFile, namesIn, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { factsOfYaml } from "./header.ts";
import type { ToolLoad } from "./permissions.ts";
import { readHeader, yamlHeaderReader } from "./read-header.ts";
import { SKILL_FILE } from "./skill.ts";
import { fold } from "./tokens.ts";

/*
 * Which skills a client's tool would load, so that the permission rules can be applied. What can't be accessed loads
 * nothing.
 */

/** How many entries of a directory of skills are examined. */
const MAX_ENTRIES = 2000;

const BOTH: readonly SkillScope[] = ["repo", "user"];

/**
 * The skills whose text a tool gets by reading a path: a SKILL.md, under whatever name; a directory with one; or a
 * directory of skills.
 */
export async function skillsReadAt(world: World, workspace: Workspace, path: string): Promise<ToolLoad[]> {
  const found = lookAt(path);
  if (found === undefined) return [];
  const { realPath, isFile, isShared } = found;
  if (isFile) {
    const isSkill = basename(realPath).toLowerCase() === SKILL_FILE.toLowerCase();
    return isSkill || isShared ? loadsOf(world, workspace, path, realPath, isSkill) : [];
  }
  const own = lookAt(join(path, SKILL_FILE));
  if (own?.isFile === true) return loadsOf(world, workspace, join(path, SKILL_FILE), own.realPath, true);
  return [realPath, path].some((name) => basename(name) === "skills") ? skillsIn(world, workspace, path) : [];
}

/**
 * What a client's own tool would load by name: every skill in the directories whose directory or header has that name.
 * If there is none, an unknown skill of that name.
 */
export async function skillsNamed(
  world: World,
  workspace: Workspace,
  typed: string,
  directories: readonly string[],
): Promise<ToolLoad[]> {
  const name = typed.trim().replace(/^\//, "");
  // `plugin:skill`
  const names = [...new Set([name, name.slice(name.lastIndexOf(":") + 1)])];
  const wanted = new Set(names.map(fold));
  const found: ToolLoad[] = [];
  for (const directory of directories) {
    for (const load of await skillsIn(world, workspace, directory)) {
      if (load.names.some((own) => wanted.has(fold(own)))) found.push({ ...load, names: [...load.names, ...names] });
    }
  }
  return found.length > 0 ? found : [{ names, scopes: BOTH, path: "" }];
}

async function skillsIn(world: World, workspace: Workspace, directory: string): Promise<ToolLoad[]> {
  const loads: ToolLoad[] = [];
  for (const name of namesIn(directory).slice(0, MAX_ENTRIES)) {
    const path = join(directory, name, SKILL_FILE);
    const file = lookAt(path);
    if (file?.isFile === true) loads.push(...(await loadsOf(world, workspace, path, file.realPath, true)));
  }
  return loads;
}

/** Named by its header and by its directory, both as given and resolved. */
async function loadsOf(
  world: World,
  workspace: Workspace,
  path: string,
  realPath: string,
  isSkill: boolean,
): Promise<ToolLoad[]> {
  const name = await nameInHeader(world, workspace, realPath);
  // A file of another name is a skill only if its header has a name.
  if (name === undefined && !isSkill) return [];
  const names = new Set(isSkill ? [basename(dirname(path)), basename(dirname(realPath))] : []);
  const scopes = new Set([path, realPath].map((each) => scopeOf(world, workspace, each)));
  return [{ names: [...(name === undefined ? [] : [name]), ...names], scopes: [...scopes], path }];
}

/** Shared by all headers that are read for an event. */
const yamlReaders = new WeakMap<Workspace, ReturnType<typeof yamlHeaderReader>>();

async function nameInHeader(world: World, workspace: Workspace, realPath: string): Promise<string | undefined> {
  const found = readHeader(realPath);
  if (found.kind === "facts") return found.facts.name;
  if (found.kind !== "yaml") return undefined;
  const readYaml = yamlReaders.get(workspace) ?? yamlHeaderReader(world);
  yamlReaders.set(workspace, readYaml);
  const read = await readYaml(found.header);
  // A header that can't be parsed in time is read line by line, like invalid YAML.
  const facts = "reason" in read ? factsOfYaml(found.header, { kind: "error", message: "", line: 1 }) : read;
  return facts.name;
}

/** If the home directory is the root, everything is the user's own. */
function scopeOf(world: World, { root }: Workspace, path: string): SkillScope {
  const { directory } = root;
  const isProject = isInside(directory, path) || isInside(realPathOf(directory) ?? directory, path);
  return isProject && !isSameFile(directory, world.home) ? "repo" : "user";
}

interface Found {
  readonly realPath: string;
  readonly isFile: boolean;
  readonly isShared: boolean;
}

function lookAt(path: string): Found | undefined {
  try {
    const stats = disk.lookThrough(path);
    if (stats === undefined || (!stats.isFile() && !stats.isDirectory())) return undefined;
    return { realPath: disk.realPath(path), isFile: stats.isFile(), isShared: stats.nlink > 1 };
  } catch {
    return undefined;
  }
}
