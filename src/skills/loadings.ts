import { basename, dirname, join } from "node:path";
import type { SkillScope } from "../config/schema.ts";
import { disk } from "../lib/fs.ts";
import type { LimitedParse } from "../lib/parse-limit.ts";
import { isSamePlace, namesIn, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { SKILL_FILE } from "./skill.ts";
import { readHeader } from "./read-header.ts";
import { judgeSkill, type Decision, type PlacedRule } from "./permissions.ts";
import { factsOfYaml } from "./header.ts";
import { fold } from "./tokens.ts";

/** A directory of skills is not looked through beyond. */
const MAX_ENTRIES = 2000;

const BOTH: readonly SkillScope[] = ["repo", "user"];

/** One for all headers that are read for an event: many of them can't add up. */
const limits = new WeakMap<Workspace, LimitedParse>();

/**
 * The skills whose text a path gives to whoever reads it: of a SKILL.md, whatever it is called here; of a directory with one; of a
 * directory of skills.
 *
 * @effect reads headers
 * @error  none: what can't be looked at gives nothing
 */
export async function skillsReadAt(world: World, workspace: Workspace, path: string): Promise<SkillLoading[]> {
  const found = lookAt(path);
  if (found === undefined) return [];
  const { realPath, isFile, isShared } = found;
  if (isFile) {
    const isSkill = basename(realPath).toLowerCase() === SKILL_FILE.toLowerCase();
    return isSkill || isShared ? [await loadingOf(world, workspace, path, realPath, isSkill)].flat() : [];
  }
  const own = lookAt(join(path, SKILL_FILE));
  if (own?.isFile === true) return loadingOf(world, workspace, join(path, SKILL_FILE), own.realPath, true);
  if (basename(realPath) !== "skills" && basename(path) !== "skills") return [];
  return skillsIn(world, workspace, path);
}

/**
 * What a client's own tool would load for a name: every skill in the directories that is called so, or says so.
 *
 * @output one that is in none of them stands for whatever has the name
 * @effect reads headers
 * @error  none
 */
export async function skillsNamed(
  world: World,
  workspace: Workspace,
  typed: string,
  directories: readonly string[],
): Promise<SkillLoading[]> {
  const name = typed.trim().replace(/^\//, "");
  // `plugin:skill`
  const names = [...new Set([name, name.slice(name.lastIndexOf(":") + 1)])];
  const wanted = new Set(names.map(fold));
  const found: SkillLoading[] = [];
  for (const directory of directories) {
    for (const loading of await skillsIn(world, workspace, directory)) {
      if (loading.names.some((own) => wanted.has(fold(own))))
        found.push({ ...loading, names: [...loading.names, ...names] });
    }
  }
  return found.length > 0 ? found : [{ names, scopes: BOTH, path: "" }];
}

async function skillsIn(world: World, workspace: Workspace, directory: string): Promise<SkillLoading[]> {
  const loadings: SkillLoading[] = [];
  for (const name of namesIn(directory).slice(0, MAX_ENTRIES)) {
    const path = join(directory, name, SKILL_FILE);
    const file = lookAt(path);
    if (file?.isFile === true) loadings.push(...(await loadingOf(world, workspace, path, file.realPath, true)));
  }
  return loadings;
}

/** By its header, and by what its directory is called, here and where it really is. */
async function loadingOf(
  world: World,
  workspace: Workspace,
  path: string,
  realPath: string,
  isSkill: boolean,
): Promise<SkillLoading[]> {
  const said = await nameInHeader(world, workspace, realPath);
  // Another file that says no name is no skill under another name.
  if (said === undefined && !isSkill) return [];
  const names = new Set(isSkill ? [basename(dirname(path)), basename(dirname(realPath))] : []);
  const scopes = new Set([path, realPath].map((place) => scopeOf(world, workspace, place)));
  return [{ names: [...(said === undefined ? [] : [said]), ...names], scopes: [...scopes], path }];
}

/** A header that can't be parsed, or not in time, is read line by line. */
async function nameInHeader(world: World, workspace: Workspace, realPath: string): Promise<string | undefined> {
  const found = readHeader(realPath);
  if (found.kind === "facts") return found.facts.name;
  if (found.kind !== "yaml") return undefined;
  const { header } = found;
  const { parseYaml } = await import("../lib/yaml.ts");
  const parsed = (await limitFor(world, workspace))(() => parseYaml(header));
  return factsOfYaml(header, parsed.kind === "unparsed" ? { kind: "error", message: "", line: 1 } : parsed).name;
}

async function limitFor(world: World, workspace: Workspace): Promise<LimitedParse> {
  const { limitParsing } = await import("../lib/parse-limit.ts");
  const limited = limits.get(workspace) ?? limitParsing(world);
  limits.set(workspace, limited);
  return limited;
}

/** Where the home directory is the root, everything is the user's own. */
function scopeOf(world: World, { root }: Workspace, path: string): SkillScope {
  const isProject = isInside(root.directory, path) || isInside(realPathOf(root.directory) ?? root.directory, path);
  return isProject && !isSamePlace(root.directory, world.home) ? "repo" : "user";
}

interface Found {
  readonly realPath: string;
  readonly isFile: boolean;
  /** It has other names. */
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

/** A skill that a tool would load, by all that it may be called and all that it may belong to. */
export interface SkillLoading {
  readonly names: readonly string[];
  readonly scopes: readonly SkillScope[];
  /** "" where it is in no file that we know. */
  readonly path: string;
}

export interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly decision: Exclude<Decision, "allow">;
  readonly rule: string;
}

/** The strictest that the rules say of any name and scope of any of them; undefined where all may be loaded. */
export function refusalOf(rules: readonly PlacedRule[], loadings: readonly SkillLoading[]): Refusal | undefined {
  let asking: Refusal | undefined;
  for (const { names, scopes, path } of loadings) {
    for (const name of names) {
      for (const scope of scopes) {
        const { decision, rule } = judgeSkill(rules, { name, scope });
        if (decision === "allow" || rule === undefined) continue;
        if (decision === "deny") return { name, path, decision, rule };
        asking ??= { name, path, decision, rule };
      }
    }
  }
  return asking;
}
