import { dirname, isAbsolute, join, posix, relative } from "node:path";
import { commandsIn, type AgentCommand } from "./agent-commands.ts";
import { placesNamedBy } from "./named/places.ts";
import { isInside, withSlashes } from "../lib/paths.ts";
import type { World } from "../world.ts";
import { isDirectory } from "../lib/path-facts.ts";
import { isThere } from "../lib/path-facts.ts";
import { parseJsonc } from "../lib/jsonc.ts";
import { limitParsing } from "../lib/parse-limit.ts";
import { realPathOf } from "../lib/path-facts.ts";
import type { TrustedFile } from "./schema.ts";
import { MAX_BYTES, readSubjectBytes, type SubjectFile, type SubjectRead } from "./subject-files.ts";

const MAX_NAMED = 200;
/** Each costs a look at the disk. */
const MAX_LOOKS = 20_000;
/** As much as a definition may have. */
const MAX_DEFINITION_BYTES = 256 * 1024;
const WAY_OUT = "put what is to run into the definition's directory, and name that";

export interface NamingPlaces {
  /** The definition's directory, links resolved. */
  readonly definition: string;
  /** Where its own files are run from: these are trusted with it, and no files of the clone. */
  readonly own: string;
  /** Where the commands may be run. */
  readonly cwds: readonly string[];
}

/** The commands of a definition, as its `agent.json` has them; none where that is no JSON, as it does not run then. */
export function commandsOf(world: World, files: readonly SubjectFile[]): AgentCommand[] {
  const file = files.find(({ path }) => path === "agent.json");
  if (file === undefined || file.sizeBytes > MAX_DEFINITION_BYTES) return [];
  const text = new TextDecoder().decode(file.bytes);
  const parsed = limitParsing(world)(() => parseJsonc(text));
  return parsed.kind === "data" ? commandsIn(parsed.data) : [];
}

/** The commands as they run: a word that is the name of a file of the definition is its copy, which is in `own`. */
export function withOwnFiles(
  commands: readonly AgentCommand[],
  files: readonly SubjectFile[],
  own: string,
): AgentCommand[] {
  const names = new Set(files.map(({ path }) => path));
  const place = (word: string) => (!isAbsolute(word) && names.has(posix.normalize(word)) ? join(own, word) : word);
  return commands.map(({ key, words, behind, kind }) => ({
    key,
    words: words.map(place),
    behind: behind.map(place),
    kind,
  }));
}

/**
 * The files of a clone that commands name, their programs included: what has to be trusted beside the definition. What
 * these files run in turn is not among them.
 *
 * @output paths from the top of their working tree, so that they are the same in another one; or why it can't be told
 * @effect reads
 * @error  none
 */
export function readNamedFiles(world: World, commands: readonly AgentCommand[], places: NamingPlaces): SubjectRead {
  const cwds = new Set(places.cwds.map((cwd) => realPathOf(cwd) ?? cwd));
  const clones = [...new Set([places.definition, ...cwds].flatMap((place) => clonesAround(world, place)))];
  const own = realPathOf(places.own) ?? places.own;
  const found = new Map<string, SubjectFile>();
  let room = MAX_BYTES;
  let looksLeft = MAX_LOOKS;
  for (const command of commands) {
    for (const cwd of cwds) {
      const { files, run, hidden } = placesNamedBy(command, { cwd, home: world.home, root: topOf(clones, cwd) ?? cwd });
      if (hidden !== undefined) return unusable(`${command.key}: ${hidden}; ${WAY_OUT}`);
      for (const path of new Set([...files, ...run])) {
        if (--looksLeft < 0) return unusable(`they have too many words that may name a file; ${WAY_OUT}`);
        const real = isThere(path) ? realPathOf(path) : undefined;
        const top = topOf(clones, path) ?? (real && topOf(clones, real));
        if (real === undefined || top === undefined || isInside(own, real)) continue;
        const name = withSlashes(relative(top, isInside(top, path) ? path : real));
        if (isDirectory(real)) {
          if (run.has(path)) return unusable(`${command.key} runs the directory '${name}' of the clone; ${WAY_OUT}`);
          continue;
        }
        const read = readSubjectBytes(real, name, room);
        if (typeof read === "string") return unusable(`${command.key}: ${read}; ${WAY_OUT}`);
        const other = found.get(name);
        if (other !== undefined && other.sha256 === read.sha256) continue;
        if (other !== undefined) return unusable(`${command.key}: there are two files '${name}'; ${WAY_OUT}`);
        if (found.size >= MAX_NAMED) return unusable(`they name more than ${MAX_NAMED} files of the clone; ${WAY_OUT}`);
        found.set(name, read);
        room -= read.sizeBytes;
      }
    }
  }
  return { kind: "read", files: [...found.values()] };
}

/**
 * What was trusted of a clone, as it is in the clone that the definition is in.
 *
 * @output those that are there
 * @effect reads
 * @error  none
 */
export function readNamedAgain(world: World, definition: string, named: readonly TrustedFile[]): SubjectFile[] {
  const top = topAround(world, definition) ?? definition;
  return named.flatMap(({ path }) => {
    const real = realPathOf(join(top, path));
    const read = real === undefined ? "" : readSubjectBytes(real, path, MAX_BYTES);
    return typeof read === "string" ? [] : [read];
  });
}

/** The top of the working tree that a place is in. */
export function topAround(world: World, place: string): string | undefined {
  return topOf(clonesAround(world, place), realPathOf(place) ?? place);
}

/** The repositories that a place is in; without any, the place itself. What is the user's whole home is no clone. */
function clonesAround(world: World, start: string): readonly string[] {
  const place = realPathOf(start) ?? start;
  const found: string[] = [];
  let directory = place;
  for (; directory !== world.home && directory !== dirname(directory); directory = dirname(directory)) {
    if (isThere(join(directory, ".git"))) found.push(directory);
  }
  return found.length === 0 && directory !== place ? [place] : found;
}

/** The nearest of them around a path. */
function topOf(clones: readonly string[], path: string): string | undefined {
  const around = clones.filter((clone) => isInside(clone, path));
  return around.toSorted((left, right) => right.length - left.length)[0];
}

function unusable(problem: string): SubjectRead {
  return { kind: "unusable", problem };
}
