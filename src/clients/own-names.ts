import { basename, extname, join } from "node:path";
import { visible } from "../lib/escape.ts";
import { gatherInstructions, targetsOf } from "../instructions/gather.ts";
import { ladder, withoutIgnored } from "../lib/paths.ts";
import { textAt } from "../lib/read-file.ts";
import { counted } from "../lib/words.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { discoverSkills } from "../skills/discover.ts";
import type { ClientProfile } from "./client.ts";
import { loadProfiles } from "./registry.ts";

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

/** Where clients look for skills that codelia is not told to read. */
export function ownSkillDirectories(clients: readonly ClientProfile[], { settings }: Workspace): string[] {
  const own = clients.flatMap(({ ownSkills = [] }) => ownSkills);
  return own.filter((directory) => !settings.skills.directories.includes(directory));
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
 * How many skills each client alone lists where a session begins, in words, with the remedy.
 *
 * @effect reads; may cache what it read of skills
 */
export async function ownSkillsSentences(world: World, workspace: Workspace): Promise<string[]> {
  const { book } = await discoverSkills(world, workspace);
  const known = new Set(book.all().map(({ path }) => path));
  const sentences: string[] = [];
  for (const client of await loadProfiles()) {
    const directories = ownSkillDirectories([client], workspace);
    if (directories.length === 0) continue;
    const { book: own } = await discoverSkills(world, withSkillsOnlyIn(directories, workspace));
    const count = own.all().filter(({ path }) => !known.has(path)).length;
    if (count === 0) continue;
    const where = `only ${client.title} lists ${counted(count, "skill")} of '${directories.join("', '")}'`;
    const all = [...workspace.settings.skills.directories, ...directories].join(", ");
    sentences.push(`${where}; for all clients set 'skills.directories' to [${all}]`);
  }
  return sentences;
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
