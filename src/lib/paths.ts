import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";

/**
 * Whether `child` is `parent` or below it, by path components: `/a/bc` is not inside `/a/b`, and a directory
 * named `..x` is an ordinary child. Both absolute and normalised.
 */
export function isInside(parent: string, child: string): boolean {
  if (child === parent || child.startsWith(parent.endsWith(sep) ? parent : parent + sep)) return true;
  // On Windows, letter case and drive letters matter.
  const way = sep === "/" ? ".." : relative(parent, child);
  return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}

/** The directories from `root` down to `directory`, both included; empty when `directory` is not inside. */
export function ladder(root: string, directory: string): string[] {
  if (!isInside(root, directory)) return [];
  const rungs = [directory];
  for (let rung = directory; rung !== root && rung !== dirname(rung);) {
    // On Windows the same directory may be written in other letter case.
    if (sep !== "/" && isInside(rung, root)) break;
    rung = dirname(rung);
    rungs.unshift(rung);
  }
  return rungs;
}

/** The directories from the file system's root, or the drive's, down to `directory`, both included. */
export function wholeLadder(directory: string): string[] {
  const rungs = [directory];
  for (let rung = directory; rung !== dirname(rung);) {
    rung = dirname(rung);
    rungs.unshift(rung);
  }
  return rungs;
}

/** The part of a ladder above the first directory with an ignored name. */
export function withoutIgnored(rungs: readonly string[], ignore: readonly string[]): readonly string[] {
  for (let index = 1; index < rungs.length; index++) {
    if (ignore.includes(basename(rungs[index] as string))) return rungs.slice(0, index);
  }
  return rungs;
}

/** A plain name in a directory. Unlike `join`, it looks for no dots, which takes as long as a look at the file. */
export function childOf(directory: string, name: string): string {
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}

/** A path with slashes between its names, on Windows too. */
export function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** Whether a program is named by its path, and not looked for on PATH. */
export function isPathOf(program: string): boolean {
  return basename(program) !== program;
}

/** The directory that an environment variable names, if it is an absolute path. */
export function namedDirectory(named: string | undefined, otherwise: string): string {
  return named && isAbsolute(named) ? named : otherwise;
}

/**
 * The user's home directory, or "" if the environment names none. On Windows each shell sets `HOME` differently, and
 * clients start hooks without it.
 */
export function homeDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const [first, second] = sep === "/" ? (["HOME", "USERPROFILE"] as const) : (["USERPROFILE", "HOME"] as const);
  return env[first] ?? env[second] ?? "";
}

/** The absolute path that a client or a command means. */
export function absolutePath(base: string, path: string): string {
  return resolve(nativePath(base), nativePath(path));
}

/** A path as this system shows it. */
export function nativePath(path: string): string {
  return sep === "/" ? path : windowsPath(path);
}

/**
 * A path as Windows shows it: Git's shell there writes `/c/Users` for `C:\Users`, and programs that resolved it
 * `\\?\C:\Users`.
 */
function windowsPath(path: string): string {
  const long = /^[\\/]{2}\?[\\/](?:(?=[a-z]:)|(UNC)[\\/])/i.exec(path);
  if (long !== null) return `${long[1] === undefined ? "" : "\\\\"}${path.slice(long[0].length)}`;
  const [found, drive = ""] = /^\/([a-z])(?=\/|$)/i.exec(path) ?? [];
  return found === undefined ? path : `${drive.toUpperCase()}:/${path.slice(found.length + 1)}`;
}

/** Whether a word may be a pattern. Brackets alone make none: they stand in the names of real files, like `[id].ts`. */
export function isPattern(word: string): boolean {
  return word.includes("*") || word.includes("?") || word.includes("{");
}
