import { basename, dirname, join, resolve, sep } from "node:path";
import { isInside, ladder } from "../lib/paths.ts";
import { textWithin } from "../lib/read-file.ts";
import { valueAt } from "../lib/table.ts";
import { acceptSkill } from "../skills/header-rules.ts";
import { readHeader, unparsedHeader, yamlHeaderReader } from "../skills/read-header.ts";
import { SKILL_FILE, type SkillProblem } from "../skills/skill.ts";
import type { World } from "../world.ts";
import { isForOthers } from "./other-projects.ts";
import type { Surveyed } from "./skill-survey.ts";
import type { WalkedRepository } from "./walk.ts";

// Skills that a repository publishes: nobody reads them where they are, their users install them.

/** Installers and the clients' plugins look for skills in a directory of this name. */
const SKILLS = "skills";
/** `.claude-plugin` and those of other clients. */
const PLUGIN = /^\.[a-z]{1,20}-plugin$/;
const MAX_MANIFEST_BYTES = 1024 * 1024;
/** So many skills directly in the root are a collection; one may be part of a product. */
const MIN_AT_TOP = 2;

/** What is in these is to test something or to show it, or was published by others. */
const NOT_PUBLISHED = /[\\/](?:tests?|__tests__|evals?|samples?|demos?|vendor|third[-_]party)[\\/]/i;

/**
 * The skills that a repository publishes, of those that the walk found: in `skills` of its root, as installers look for
 * them, or in the root itself; in `skills` of a plugin, which is a directory with a plugin's manifest, or one that the repository's marketplace
 * names; where a manifest or the marketplace says that skills are; and in `skills` of a package that npm publishes with
 * them. What lies in a skill's directory is its own, even with a SKILL.md. Links are not followed: what they lead to is
 * published from where it is.
 *
 * @param root canonical
 */
export function publishedSkills(root: string, walked: WalkedRepository): PublishedSkills {
  const found = walked.skillFiles.map((path) => dirname(path));
  if (found.length === 0) return { directories: [], paths: [] };
  const places = new Set([join(root, SKILLS), ...pluginDirectories(root, walked), ...packageDirectories(root, found)]);
  const atTop = found.filter((directory) => dirname(directory) === root && !basename(directory).startsWith("."));
  const isCollection = atTop.length >= MIN_AT_TOP;
  const named = found.filter((directory) => {
    if (isCollection && dirname(directory) === root) return atTop.includes(directory);
    const above = ladder(root, dirname(directory));
    // A page about all of them is often beside them.
    const isOne = places.has(directory) && basename(directory) !== SKILLS;
    return isOne || above.some((rung) => places.has(rung));
  });
  const skills = new Set(named);
  const isPart = (directory: string) => ladder(root, dirname(directory)).some((rung) => skills.has(rung));
  const paths = named.filter((directory) => !isPart(directory) && !isUnmeant(dirname(directory), root));
  const directories = [...places].filter((place) => !skills.has(place) && !isUnmeant(place, root));
  return { directories, paths: paths.map((directory) => join(directory, SKILL_FILE)) };
}

function isUnmeant(directory: string, root: string): boolean {
  return isForOthers(directory, root) || NOT_PUBLISHED.test(directory.slice(root.length) + sep);
}

export interface PublishedSkills {
  /** Where published skills may be. */
  readonly directories: readonly string[];
  /** Of their SKILL.md. */
  readonly paths: readonly string[];
}

/** Where the plugins of a repository have their skills. */
function pluginDirectories(root: string, { directories }: WalkedRepository): string[] {
  return directories
    .filter((directory) => PLUGIN.test(basename(directory)))
    .flatMap((directory) => {
      const plugin = dirname(directory);
      const manifest = dataAt(root, join(directory, "plugin.json"));
      const own = manifest === undefined ? [] : skillsOf(root, plugin, manifest);
      const marketplace = plugin === root ? dataAt(root, join(directory, "marketplace.json")) : undefined;
      return own.concat(marketplaceDirectories(root, marketplace));
    });
}

function marketplaceDirectories(root: string, marketplace: unknown): string[] {
  const plugins = valueAt(marketplace, "plugins");
  const pluginRoot = valueAt(marketplace, "metadata", "pluginRoot");
  const base = typeof pluginRoot === "string" ? resolve(root, pluginRoot) : root;
  return (Array.isArray(plugins) ? plugins : []).flatMap((entry) => {
    // A plugin of another repository has an object here.
    const source = valueAt(entry, "source");
    if (typeof source !== "string") return [];
    const starts = source.startsWith(".") ? root : base;
    return skillsOf(root, resolve(starts, source), entry);
  });
}

/** The usual directory of a plugin, and those that its description names. */
function skillsOf(root: string, plugin: string, description: unknown): string[] {
  const named = valueAt(description, SKILLS);
  const names = [SKILLS, ...(Array.isArray(named) ? named : [named])];
  const paths = names.flatMap((name) => (typeof name === "string" ? resolve(plugin, name) : []));
  return paths.filter((path) => path !== root && isInside(root, path));
}

/** Where packages have skills that npm publishes with them. */
function packageDirectories(root: string, found: readonly string[]): string[] {
  const holders = new Set(found.flatMap((directory) => ladder(root, dirname(directory))));
  return [...holders].filter((holder) => {
    if (basename(holder) !== SKILLS) return false;
    const files = valueAt(dataAt(root, join(dirname(holder), "package.json")), "files");
    return Array.isArray(files) && files.some((entry) => /^(?:\.\/)?skills(?:\/|$)/.test(String(entry)));
  });
}

function dataAt(root: string, path: string): unknown {
  try {
    return JSON.parse(textWithin(root, path, MAX_MANIFEST_BYTES) ?? "");
  } catch {
    return undefined;
  }
}

/**
 * What the headers of published skills say.
 *
 * @param paths of SKILL.md files
 * @effect reads
 */
export async function surveyPublished(world: World, paths: readonly string[]): Promise<Surveyed[]> {
  const readYaml = yamlHeaderReader(world);
  const surveyed: Surveyed[] = [];
  for (const path of paths) surveyed.push(await surveyOne(path, readYaml));
  return surveyed;
}

async function surveyOne(path: string, readYaml: ReturnType<typeof yamlHeaderReader>): Promise<Surveyed> {
  // It has no name: no list and no permission of this project is about it.
  const surveyed = { path, name: undefined, duplicate: undefined };
  const nothing = (problems: SkillProblem[]) => ({ ...surveyed, hasText: false, description: undefined, problems });
  const header = readHeader(path);
  if (header.kind === "absent" || header.kind === "special") return nothing([]);
  if (header.kind === "unusable") {
    return nothing([{ path, message: header.reason, rule: "skill-unreadable", severity: "error" }]);
  }
  const facts = header.kind === "facts" ? header.facts : await readYaml(header.header);
  if ("reason" in facts) return nothing([unparsedHeader(path, facts.reason)]);
  const accepted = acceptSkill(path, facts, [basename(dirname(path))], "lenient");
  return accepted.kind === "skill"
    ? { ...surveyed, hasText: true, description: accepted.description, problems: [...accepted.warnings] }
    : { ...surveyed, hasText: true, description: undefined, problems: [...accepted.errors] };
}
