import { basename, extname, join, relative, sep } from "node:path";
import { visible } from "../lib/escape.ts";
import { gatherInstructions, targetsOf } from "../instructions/gather.ts";
import { isInside, ladder, withoutIgnored } from "../lib/paths.ts";
import { textAt } from "../lib/read-file.ts";
import { allOf, counted } from "../lib/words.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { discoverSkills } from "../skills/discover.ts";
import type { ClientProfile } from "./client.ts";
import { loadProfiles } from "./registry.ts";
import { diskFacts } from "./tree-facts.ts";

/** An instruction file with a name that only one client reads. */
export interface OwnNamed {
  readonly path: string;
  readonly title: string;
  /** For `agents.fallbackFilenames`. */
  readonly name: string;
}

const MAX_TEXT_BYTES = 256 * 1024;

/**
 * The nearest such file where a session begins, if it finds no instruction file there that codelia reads.
 *
 * @effect reads
 */
export async function findOwnNamed(world: World, workspace: Workspace): Promise<OwnNamed | undefined> {
  const { root, cwd, settings } = workspace;
  if (!settings.agents.enabled) return undefined;
  const { files } = await gatherInstructions(world, workspace, targetsOf(workspace, [cwd]));
  if (files.length > 0) return undefined;
  const directories = withoutIgnored(ladder(root.directory, cwd), settings.agents.ignore).toReversed();
  for (const { title, ownNames = [] } of await loadProfiles()) {
    for (const path of directories.flatMap((directory) => ownNames.map((name) => join(directory, name)))) {
      const text = textAt(path, MAX_TEXT_BYTES);
      if (text !== undefined && text.trim() !== "") return { path, title, name: basename(path) };
    }
  }
  return undefined;
}

/** Where clients look for skills that codelia is not told to read, each directory once. */
export function ownSkillDirectories(clients: readonly ClientProfile[], { settings }: Workspace): string[] {
  const own = new Set(clients.flatMap(({ ownSkills = [] }) => ownSkills));
  return [...own].filter((directory) => !settings.skills.directories.includes(directory));
}

/** The names of directories that may hold skills. */
export function skillHolders(ownSkills: readonly string[], { settings }: Workspace): ReadonlySet<string> {
  const directories = [...settings.skills.directories, ...ownSkills];
  return new Set([".agents", ...directories.map((path) => path.split("/")[0] ?? "")]);
}

/** The same place, with skills only there. Clients have fewer rules for the headers of their own skills. */
export function withSkillsOnlyIn(directories: readonly string[], workspace: Workspace): Workspace {
  const { settings } = workspace;
  return {
    ...workspace,
    settings: { ...settings, skills: { ...settings.skills, directories, validation: "lenient" } },
  };
}

/**
 * How many skills of each directory only some clients list where a session begins, in words, with the remedy.
 *
 * @effect reads; may cache what it read of skills
 */
export async function ownSkillsSentences(world: World, workspace: Workspace): Promise<string[]> {
  const { book } = await discoverSkills(world, workspace);
  const known = new Set(book.all().map(({ path }) => path));
  const clients = await loadProfiles();
  const isListedBy = listedBy(world, workspace);
  const found: { readonly name: string; readonly skills: number; readonly titles: readonly string[] }[] = [];
  for (const name of ownSkillDirectories(clients, workspace)) {
    const { book: own } = await discoverSkills(world, withSkillsOnlyIn([name], workspace));
    // A directory of two names, one of them a link, counts once.
    const fresh = own.all().filter(({ path }) => !known.has(path));
    for (const scope of ["repo", "user"] as const) {
      const skills = fresh.filter((skill) => skill.scope === scope);
      const readers = clients.filter((client) => skills.some((skill) => isListedBy(client, skill.path)));
      const listed = skills.filter(({ path }) => readers.some((client) => isListedBy(client, path)));
      if (listed.length === 0) continue;
      for (const { path } of listed) known.add(path);
      const titles = readers.map(({ title }) => title);
      found.push({ name: scope === "user" ? `~/${name}` : name, skills: listed.length, titles });
    }
  }
  const names = found.map(({ name }) => name.replace(/^~\//, ""));
  const all = [...new Set([...workspace.settings.skills.directories, ...names])].join(", ");
  return found.map(({ name, skills, titles }) => {
    const where = `only ${allOf(titles)} ${titles.length === 1 ? "lists" : "list"} ${counted(skills, "skill")} of '${name}'`;
    return `${where}; for all clients set 'skills.directories' to [${all}]`;
  });
}

/** Whether a client lists a skill where a session begins; what is in a hidden directory there is the client's own. */
function listedBy(world: World, { cwd }: Workspace): (client: ClientProfile, path: string) => boolean {
  const facts = diskFacts(world);
  const directoriesOf = new Map<ClientProfile, readonly string[]>();
  return (client, path) => {
    const user = { home: world.home, env: world.env };
    const directories =
      directoriesOf.get(client) ??
      (client.skillDirectories?.(cwd, user, facts) ?? []).flatMap((directory) => facts.realPath(directory) ?? []);
    directoriesOf.set(client, directories);
    return directories.some((directory) => isInside(directory, path) && !isHidden(relative(directory, path)));
  };
}

function isHidden(way: string): boolean {
  return way.split(sep).some((name) => name.startsWith("."));
}

/** The warning, with the remedy. */
export function ownNamedSentence({ path, title, name }: OwnNamed, workspace: Workspace): string {
  return `only ${title} reads '${visible(path)}'; for all clients ${howToRead(name, workspace)}`;
}

/** What to write, and where, for codelia to read a further name. */
export function howToRead(name: string, { layers, root }: Workspace): string {
  const config = layers.find(({ isProject }) => isProject)?.source ?? join(root.directory, ".codelia", "config.yaml");
  return `put '${LINES[extname(config)]?.(name) ?? yamlLine(name)}' into '${visible(config)}'`;
}

function yamlLine(name: string): string {
  return `agents: { fallbackFilenames: [${name}] }`;
}

function jsonLine(name: string): string {
  return `"agents": { "fallbackFilenames": ["${name}"] }`;
}

const LINES: Readonly<Record<string, (name: string) => string>> = {
  ".json": jsonLine,
  ".jsonc": jsonLine,
  ".toml": (name) => `agents.fallbackFilenames = ["${name}"]`,
};
