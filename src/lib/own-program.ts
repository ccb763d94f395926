import { delimiter, extname, isAbsolute, join, resolve, sep } from "node:path";
import { isPathOf } from "./paths.ts";
import type { World } from "../world.ts";
import { disk } from "./fs.ts";
import { realPlace } from "./real-place.ts";
import { isSamePlace } from "./same-place.ts";

/**
 * The words that call this program from anywhere: its path as its user named it, so that a link that an update moves
 * stays one; or a runtime and a script.
 *
 * @effect none
 * @error  none
 */
export function ownProgram(world: World): readonly string[] {
  const { executable, calledAs, script } = world.program();
  if (script !== undefined && isAbsolute(script) && isScript(script)) return [executable, script];
  const named = namedBy(world, calledAs).find((path) => isSamePlace(path, executable));
  return [named ?? executable];
}

/** Whether a file is there that this user may run. */
export function isExecutable(path: string): boolean {
  try {
    disk.assertExecutable(path);
    return disk.lookThrough(path)?.isFile() === true;
  } catch {
    return false;
  }
}

/** Where a shell would find a program; undefined where it would not. */
export function findOnPath(world: World, name: string): string | undefined {
  return candidatesOnPath(world, name).find(isExecutable);
}

function namedBy(world: World, calledAs: string): string[] {
  if (calledAs === "") return [];
  return isPathOf(calledAs) ? [resolve(world.cwd(), calledAs)] : candidatesOnPath(world, calledAs);
}

/** In the order of PATH; relative directories in it are passed over. */
export function candidatesOnPath(world: World, name: string): string[] {
  const directories = (world.env["PATH"] ?? "").split(delimiter).filter((directory) => isAbsolute(directory));
  // Whoever says `git` on Windows means `git.exe`.
  const file = sep === "/" || extname(name) !== "" ? name : `${name}.exe`;
  return directories.map((directory) => join(directory, file));
}

/** Package managers link to a script by a name without an ending. */
function isScript(path: string): boolean {
  const place = realPlace(path);
  return place !== undefined && !place.isDirectory && /\.[cm]?[jt]s$/.test(place.path);
}

export function isFile(path: string): boolean {
  try {
    return disk.lookThrough(path)?.isFile() === true;
  } catch {
    return false;
  }
}
