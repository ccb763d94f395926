import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import type { PathMention } from "../lib/markdown/paths.ts";
import { entriesOf, isThere, namesIn } from "../lib/path-facts.ts";
import { isInside, ladder, withSlashes } from "../lib/paths.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import { otherProjects } from "./other-projects.ts";
import type { MentionFacts } from "./path-mentions.ts";
import { firstSegment, SKILL_DIRECTORIES } from "./skill-references.ts";
import { absentSubmodules } from "./walk.ts";

/** Looks up the mentions of one repository. */
export interface MentionLookup {
  /** What exists, for a mention in a file of a directory. */
  find(mention: PathMention, directory: string): MentionFacts;
  /** Where the mentioned path would be. */
  placesOf(mention: PathMention, directory: string): readonly string[];
  /**
   * From the root, what a path nearly leads to: itself in another letter case or with another ending, or without the
   * `../` that lead out of the repository. Undefined if there is nothing.
   */
  nearTo(mention: PathMention, directory: string): string | undefined;
  /** From the root, the only file in the repository with the name of a missing one; undefined for a common name. */
  namesakeOf(path: string): string | undefined;
  /** Whether there were too many to look up. */
  isExhausted(): boolean;
}

/** A text can name a thousand paths, and each may be in a thousand directories. */
export const MAX_LOOKS = 1_000_000;

/** `src/a.ts:12`, as a link. */
const LINE_NUMBER = /:\d+$/;

/** Endings that also occur in names of modules or headers of other packages. */
const OF_PACKAGES = /\.(?:[cm]?js|css|h|hpp|hh|dart|proto|so|go)$/;

const MODULE = /\.[cm]?jsx?$/;

/** A repository's wiki is a repository of its own. */
const WIKI = "wiki";

const THERE: MentionFacts = { isThere: true, isRooted: true, hasStart: true, isElsewhere: false };

/**
 * @param root canonical
 * @param walked the result of a walk through the repository
 */
export function mentionLookup(
  root: string,
  walked: { readonly directories: readonly string[]; isIgnored(path: string): boolean },
): MentionLookup {
  const known = new Map<string, boolean>();
  const answers = new Map<string, MentionFacts>();
  const casesAt = new Map<string, ReadonlyMap<string, string>>();
  const stemsAt = new Map<string, ReadonlySet<string>>();
  let submodules: ReadonlySet<string> | undefined;
  let parentsByName: ReadonlyMap<string, readonly string[]> | undefined;
  const isOfAnother = otherProjects(root);
  let fileByName: ReadonlyMap<string, string | undefined> | undefined;
  let looks = 0;

  return {
    placesOf,
    namesakeOf,
    nearTo,
    isExhausted: () => looks >= MAX_LOOKS,
    find(mention, directory) {
      const key = `${mention.kind} ${directory}\0${mention.path}`;
      const facts = answers.get(key) ?? look(mention, directory);
      answers.set(key, facts);
      return facts;
    },
  };

  function placesOf({ path, kind }: PathMention, directory: string): string[] {
    // A link starts from its file; a code span often starts from the root.
    const starts = kind === "link" && /^\.{1,2}\//.test(path) ? [directory] : ladder(root, directory).toReversed();
    // `@docs/a.md` is how clients mention a file.
    const plain = kind === "link" ? path.replace(LINE_NUMBER, "") : path;
    const written = [path, plain, ...(path.startsWith("@") ? [plain.slice(1)] : [])];
    return starts
      .flatMap((start) => written.map((each) => resolve(start, each)))
      .filter((place) => isInside(root, place));
  }

  function look(mention: PathMention, directory: string): MentionFacts {
    const places = placesOf(mention, directory);
    if (places.some(exists)) return THERE;
    if (mention.kind === "code") {
      const isFile = !mention.path.endsWith("/");
      // One that leads up may start from another file that the text names.
      const below = mention.path.replace(/^(?:\.{1,2}\/)+/, "");
      if ((isFile && places.some(isBegun)) || isBelowAnother(below)) return THERE;
    }
    const slash = mention.path.endsWith("/") ? sep : "";
    const above = dirname(mention.path);
    const near = nearTo(mention, directory);
    const begins =
      near !== undefined || ladder(root, directory).some((start) => exists(resolve(start, beginningOf(mention.path))));
    return {
      isThere: false,
      isRooted: begins || isNameOfDirectory(mention.path) || namesakeOf(mention.path) !== undefined,
      hasStart: begins || (above.includes("/") && isBelowAnother(above)),
      isElsewhere:
        (places.length === 0 && near === undefined) ||
        (firstSegment(mention.path) === WIKI && !exists(join(root, WIKI))) ||
        places.some((place) => walked.isIgnored(place + slash) || isInSubmodule(place)),
    };
  }

  function nearTo(mention: PathMention, directory: string): string | undefined {
    const places = placesOf(mention, directory);
    const found =
      places.length === 0
        ? insteadOfOutside(mention, directory)
        : (firstOf(places, inOtherCase) ?? firstOf(places, withOtherEnding));
    return found === undefined ? undefined : withSlashes(relative(root, found));
  }

  /** A text that was moved up has links with too many `../`. One to a plain name may mean the one further up. */
  function insteadOfOutside({ path, kind }: PathMention, directory: string): string | undefined {
    const below = path.replace(/^(?:\.\.\/)+/, "");
    const isSure = kind === "link" && below !== path && below.includes("/") && !exists(resolve(directory, path));
    const place = resolve(root, below);
    return isSure && isInside(root, place) && exists(place) ? place : undefined;
  }

  function withOtherEnding(place: string): string | undefined {
    const ending = extname(place).slice(1);
    const alike = ENDINGS_ALIKE.find((family) => family.includes(ending)) ?? [];
    const names = alike.length === 0 ? new Map() : casesIn(dirname(place));
    const stem = basename(place, `.${ending}`);
    return firstOf(alike, (other) =>
      names.has(`${stem}.${other}`) ? join(dirname(place), `${stem}.${other}`) : undefined,
    );
  }

  function inOtherCase(place: string): string | undefined {
    let found = root;
    for (const name of place.slice(root.length).split(sep)) {
      if (name === "") continue;
      const there = casesIn(found);
      const real = there.get(name) ?? there.get(name.toLowerCase());
      if (real === undefined) return undefined;
      found = join(found, real);
    }
    return found === place ? undefined : found;
  }

  function casesIn(directory: string): ReadonlyMap<string, string> {
    const cases = casesAt.get(directory) ?? casesOf(namesIn(directory));
    casesAt.set(directory, cases);
    return cases;
  }

  function namesakeOf(path: string): string | undefined {
    fileByName ??= onlyFiles(walked.directories);
    const file = path.endsWith("/") ? undefined : fileByName.get(basename(path));
    // Of a file that is still to be made there may be a template.
    return file === undefined || isOfAnother(file) ? undefined : withSlashes(relative(root, file));
  }

  function isNameOfDirectory(path: string): boolean {
    parentsByName ??= parentsOf(walked.directories);
    const first = firstSegment(path);
    const isVague = SKILL_DIRECTORIES.has(first) || OF_PACKAGES.test(path);
    return !/^\.|\/$/.test(path) && !isVague && parentsByName.has(first);
  }

  /** Beyond the limit every path counts as existing, so that nothing is reported. */
  function exists(path: string): boolean {
    if (looks >= MAX_LOOKS) return true;
    looks++;
    const answer = known.get(path) ?? isThere(path);
    known.set(path, answer);
    return answer;
  }

  /** Whether there is a file with more endings: a module is named without its own, and a template ends in another. */
  function isBegun(path: string): boolean {
    const directory = dirname(path);
    const stems = stemsAt.get(directory) ?? new Set(namesIn(directory).flatMap(stemsOf));
    stemsAt.set(directory, stems);
    const name = basename(path);
    return stems.has(name) || (MODULE.test(name) && stems.has(name.replace(MODULE, "")) && isFromTypeScript(path));
  }

  /** In TypeScript, `a.js` is what `a.ts` is imported by. */
  function isFromTypeScript(path: string): boolean {
    const stem = path.replace(MODULE, "");
    return [".ts", ".tsx", ".mts", ".cts"].some((ending) => exists(stem + ending));
  }

  /** Many texts name files relative to the package that they describe, or by its name without `src`. */
  function isBelowAnother(path: string): boolean {
    parentsByName ??= parentsOf(walked.directories);
    const first = firstSegment(path);
    const inSources = join(first, "src", path.slice(path.indexOf(first) + first.length));
    const parents = parentsByName.get(first) ?? [];
    return parents.some((parent) => exists(resolve(parent, path)) || exists(resolve(parent, inSources)));
  }

  /** The contents of a submodule that is not checked out are unknown. */
  function isInSubmodule(place: string): boolean {
    submodules ??= new Set(absentSubmodules(root));
    for (let above = place; above !== root && above !== dirname(above); above = dirname(above)) {
      if (submodules.has(above)) return true;
    }
    return false;
  }
}

/** The first result that is none of `undefined`. */
function firstOf<Item, Result>(items: readonly Item[], find: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Endings between which files are renamed as a project changes. */
const ENDINGS_ALIKE: readonly (readonly string[])[] = [
  ["ts", "tsx", "mts", "js", "jsx", "mjs", "cjs"],
  ["yml", "yaml"],
  ["md", "mdx"],
];

/** Names, by themselves and in small letters. */
function casesOf(names: readonly string[]): Map<string, string> {
  const cases = new Map(names.map((name) => [name.toLowerCase(), name]));
  for (const name of names) cases.set(name, name);
  return cases;
}

/** `a.config` and `a` of `a.config.js`. */
function stemsOf(name: string): string[] {
  return [...name.matchAll(/\./g)].flatMap(({ index }) => (index > 0 ? name.slice(0, index) : []));
}

/** A path up to its first name: `../other` of `../other/a.md`. */
function beginningOf(path: string): string {
  const [up = ""] = /^(?:\.{1,2}\/)*/.exec(path) ?? [];
  return up + firstSegment(path.slice(up.length));
}

/** The file of each name; undefined where several have it. */
function onlyFiles(directories: readonly string[]): Map<string, string | undefined> {
  const files = new Map<string, string | undefined>();
  for (const directory of directories) {
    for (const entry of entriesOf(directory)) {
      if (!entry.isDirectory()) files.set(entry.name, files.has(entry.name) ? undefined : join(directory, entry.name));
    }
  }
  return files;
}

/** Whether a directory, but no skill's own, has a file of a relative path. */
export function packageFiles(directories: readonly string[]): (path: string) => boolean {
  let parentsByName: ReadonlyMap<string, readonly string[]> | undefined;
  return (path) => {
    parentsByName ??= parentsOf(directories);
    const parents = parentsByName.get(firstSegment(path)) ?? [];
    return parents.some((parent) => isThere(resolve(parent, path)) && !isThere(join(parent, SKILL_FILE)));
  };
}

/** The directories that have a subdirectory of each name. */
function parentsOf(directories: readonly string[]): Map<string, string[]> {
  const parents = new Map<string, string[]>();
  for (const directory of directories) {
    const name = basename(directory);
    const known = parents.get(name);
    if (known === undefined) parents.set(name, [dirname(directory)]);
    else known.push(dirname(directory));
  }
  return parents;
}
