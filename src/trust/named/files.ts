import { dirname, join, relative } from "node:path";
import { isDirectory, isThere, realPathOf } from "../../lib/path-facts.ts";
import { isInside, withSlashes } from "../../lib/paths.ts";
import type { World } from "../../world.ts";
import type { AgentCommand } from "../agent-commands.ts";
import type { TrustedFile } from "../schema.ts";
import { MAX_BYTES, readSubjectBytes, type SubjectFile, type SubjectRead } from "../verify.ts";
import { placesNamedBy } from "./places.ts";

interface NamingPlaces {
  /** The definition's directory, links resolved. */
  readonly definition: string;
  /** Where the copies of its own files run: those are trusted with it, and don't count as files of the clone. */
  readonly own: string;
  /** Where the commands may run. */
  readonly cwds: readonly string[];
}

const MAX_NAMED = 200;
/** Each costs a system call. */
const MAX_CANDIDATES = 20_000;
const WAY_OUT = "move what it runs into the definition's directory, and name it there";

/**
 * The files of a clone that commands name, including their programs: they must be trusted with the definition. Files
 * that these run in turn are not included.
 *
 * @output paths from the top of their working tree, so that they are the same in another one; or why that can't be
 *          known
 */
export function readNamedFiles(world: World, commands: readonly AgentCommand[], places: NamingPlaces): SubjectRead {
  const cwds = new Set(places.cwds.map((cwd) => realPathOf(cwd) ?? cwd));
  const clones = [...new Set([places.definition, ...cwds].flatMap((place) => clonesAround(world, place)))];
  const own = realPathOf(places.own) ?? places.own;
  const found = new Map<string, SubjectFile>();
  let room = MAX_BYTES;
  let candidatesLeft = MAX_CANDIDATES;
  for (const command of commands) {
    for (const cwd of cwds) {
      const { files, run, unknown } = placesNamedBy(command, {
        cwd,
        home: world.home,
        root: topOf(clones, cwd) ?? cwd,
      });
      if (unknown !== undefined) return unusable(`${command.key}: ${unknown}; ${WAY_OUT}`);
      for (const path of new Set([...files, ...run])) {
        if (--candidatesLeft < 0) return unusable(`too many words of its commands may name a file; ${WAY_OUT}`);
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
        if (found.size >= MAX_NAMED)
          return unusable(`its commands name more than ${MAX_NAMED} files of the clone; ${WAY_OUT}`);
        found.set(name, read);
        room -= read.sizeBytes;
      }
    }
  }
  return { kind: "read", files: [...found.values()] };
}

/** The trusted files that exist, as they are now in the clone that contains the definition. */
export function rereadNamedFiles(world: World, definition: string, named: readonly TrustedFile[]): SubjectFile[] {
  const top = topAround(world, definition) ?? definition;
  return named.flatMap(({ path }) => {
    const real = realPathOf(join(top, path));
    const read = real === undefined ? "" : readSubjectBytes(real, path, MAX_BYTES);
    return typeof read === "string" ? [] : [read];
  });
}

/** The top of the working tree around a path. */
export function topAround(world: World, place: string): string | undefined {
  return topOf(clonesAround(world, place), realPathOf(place) ?? place);
}

/**
 * The repositories around a path; if there are none, the path itself. The user's home as a whole does not count as a
 * clone.
 */
function clonesAround(world: World, start: string): readonly string[] {
  const place = realPathOf(start) ?? start;
  const found: string[] = [];
  let directory = place;
  for (; directory !== world.home && directory !== dirname(directory); directory = dirname(directory)) {
    if (isThere(join(directory, ".git"))) found.push(directory);
  }
  return found.length === 0 && directory !== place ? [place] : found;
}

function topOf(clones: readonly string[], path: string): string | undefined {
  const around = clones.filter((clone) => isInside(clone, path));
  return around.toSorted((left, right) => right.length - left.length)[0];
}

function unusable(problem: string): SubjectRead {
  return { kind: "unusable", problem };
}
