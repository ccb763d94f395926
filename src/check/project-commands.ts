import { basename, dirname, join, resolve } from "node:path";
import { isThere } from "../lib/path-facts.ts";
import { textWithin } from "../lib/read-file.ts";
import { isTable } from "../lib/table.ts";

/*
 * The commands that a repository has: scripts of its packages, targets of its Makefiles, recipes of its justfiles.
 */

/** The files that name them, in any letter case. */
export const MANIFESTS: ReadonlySet<string> = new Set([
  "package.json",
  "makefile",
  "gnumakefile",
  "justfile",
  ".justfile",
]);

export interface ProjectCommands {
  /** The names of a runner's commands; undefined if they can't be told. */
  names(runner: "package" | "make" | "just"): ReadonlySet<string> | undefined;
  /** The scripts of the packages with a name; undefined if there is no such package. */
  scriptsOf(packageName: string): ReadonlySet<string> | undefined;
  /** Whether a target may be made by a pattern rule, or is a file. */
  isMadeOtherwise(target: string): boolean;
}

const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 5_000;

/**
 * @param root canonical
 * @param manifests the paths of all files with those names
 */
export function projectCommands(root: string, manifests: readonly string[]): ProjectCommands {
  const of = (...names: readonly string[]) =>
    manifests.filter((path) => names.includes(basename(path).toLowerCase())).slice(0, MAX_FILES);
  let packages: readonly Package[] | undefined;
  const known = new Map<string, ReadonlySet<string> | undefined>();
  const ofPackages = new Map<string, ReadonlySet<string> | undefined>();
  const patterns: Pattern[] = [];
  const readPackages = () => (packages ??= of("package.json").flatMap((path) => readPackage(root, path)));

  function read(runner: "package" | "make" | "just"): ReadonlySet<string> | undefined {
    if (runner === "package") {
      const scripts = new Set(readPackages().flatMap((each) => each.scripts));
      return scripts.size === 0 ? undefined : scripts;
    }
    const files = runner === "make" ? of("makefile", "gnumakefile") : of("justfile", ".justfile");
    if (files.length === 0 || (runner === "make" && GENERATORS.some((name) => isThere(join(root, name)))))
      return undefined;
    const names = new Set<string>();
    const seen = new Set<string>();
    const isKnown = files.every((path) =>
      (runner === "make" ? readMakefile : readJustfile)(path, { root, names, patterns, seen }),
    );
    return isKnown ? names : undefined;
  }

  function readScriptsOf(name: string): ReadonlySet<string> | undefined {
    const named = readPackages().filter((each) => each.name === name || each.name.endsWith(`/${name}`));
    return named.length === 0 ? undefined : new Set(named.flatMap(({ scripts }) => scripts));
  }

  return {
    names(runner) {
      if (!known.has(runner)) known.set(runner, read(runner));
      return known.get(runner);
    },
    scriptsOf(name) {
      if (!ofPackages.has(name)) ofPackages.set(name, readScriptsOf(name));
      return ofPackages.get(name);
    },
    isMadeOtherwise: (target) => patterns.some((pattern) => isMadeBy(pattern, target)) || isThere(join(root, target)),
  };
}

/** Files of programs that write a Makefile. */
const GENERATORS = ["CMakeLists.txt", "configure", "configure.ac", "Makefile.in", "Makefile.am", "Makefile.PL"];

interface Package {
  readonly name: string;
  readonly scripts: readonly string[];
}

function readPackage(root: string, path: string): Package[] {
  try {
    const data: unknown = JSON.parse(textWithin(root, path, MAX_BYTES) ?? "");
    if (!isTable(data)) return [];
    const { name, scripts } = data;
    return [{ name: typeof name === "string" ? name : "", scripts: isTable(scripts) ? Object.keys(scripts) : [] }];
  } catch {
    return [];
  }
}

interface Reading {
  readonly root: string;
  readonly names: Set<string>;
  readonly patterns: Pattern[];
  /** The files read so far. */
  readonly seen: Set<string>;
}

/** @returns whether all targets are known: none comes from a variable, or from a file that can't be read. */
function readMakefile(path: string, reading: Reading): boolean {
  const { names, patterns, seen } = reading;
  const text = withinRoot(path, reading);
  if (text === undefined) return seen.has(path);
  if (/\$[({](?:eval|call)\b|^\.DEFAULT:/m.test(text)) return false;
  const lines = text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/);
  return lines.every((line) => {
    const included = /^[-s]?include\s([^#]*)/.exec(line);
    if (included !== null) {
      return wordsOf(included[1]).every(
        (name) => !/[$*?[]/.test(name) && readMakefile(resolve(dirname(path), name), reading),
      );
    }
    const rule = /^([^\s#=:][^#=:]*)::?(?:[^:=]|$)/.exec(line);
    if (rule === null || /^(?:define|endef|export|override|ifn?eq|ifn?def)(?![\w-])/.test(line)) return true;
    for (const target of wordsOf(rule[1])) {
      if (target.includes("$")) return false;
      if (target.includes("%")) patterns.push(patternOf(target));
      else names.add(target);
    }
    return true;
  });
}

function wordsOf(text = ""): readonly string[] {
  return text.match(/\S+/g) ?? [];
}

/** A target with `%`: only the first one stands for anything. */
interface Pattern {
  readonly before: string;
  readonly behind: string;
}

function patternOf(target: string): Pattern {
  const at = target.indexOf("%");
  return { before: target.slice(0, at), behind: target.slice(at + 1) };
}

function isMadeBy({ before, behind }: Pattern, target: string): boolean {
  return target.length > before.length + behind.length && target.startsWith(before) && target.endsWith(behind);
}

function readJustfile(path: string, reading: Reading): boolean {
  const { names, seen } = reading;
  const text = withinRoot(path, reading);
  if (text === undefined) return seen.has(path);
  return text.split(/\r?\n/).every((line) => {
    const [isImport, single, double] = /^import\??\s+(?:'([^']+)'|"([^"]+)")/.exec(line) ?? [];
    if (isImport !== undefined) return readJustfile(resolve(dirname(path), single ?? double ?? ""), reading);
    const name = /^(?:mod\??|alias)\s+([\w-]+)/.exec(line)?.[1] ?? recipeOf(line);
    if (name !== undefined) names.add(name);
    return true;
  });
}

/** The name that stands before parameters and a colon; `name := value` is a variable. */
function recipeOf(line: string): string | undefined {
  const [head = "", name] = /^@?([A-Za-z_][\w-]*)/.exec(line) ?? [];
  const rest = line.slice(head.length);
  return /:(?:[^=]|$)/.test(rest) && !rest.trimStart().startsWith(":=") ? name : undefined;
}

/** The text of a file in the repository that was not read yet. */
function withinRoot(path: string, { root, seen }: Reading): string | undefined {
  if (seen.has(path)) return undefined;
  const text = textWithin(root, path, MAX_BYTES);
  if (text !== undefined) seen.add(path);
  return text;
}
