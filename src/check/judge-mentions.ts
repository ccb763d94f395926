import { basename, dirname, join, resolve, sep } from "node:path";
import { isInside, ladder } from "../lib/paths.ts";
import type { MentionFacts } from "./judge-mention.ts";
import type { PathMention } from "./path-mentions.ts";
import { isThere } from "../lib/is-there.ts";
import { absentSubmodules } from "./submodules.ts";

/** Where mentions lead; of one repository, each path looked at once. */
export interface MentionJudge {
  factsOf(mention: PathMention, directory: string): MentionFacts;
  /** Where what is mentioned would be. */
  placesOf(mention: PathMention, directory: string): readonly string[];
  /** What could not be looked up, because it was too much; undefined where all was. */
  limit(): string | undefined;
}

/** Of one repository: a text can name a thousand paths, and each may be in a thousand directories. */
const MAX_LOOKS = 1_000_000;

/** What a walk knows of the repository. */
export interface MentionGrounds {
  readonly directories: readonly string[];
  isIgnored(path: string): boolean;
}

/**
 * @input  root: canonical; grounds: of a walk
 * @effect looks at paths inside the root; opens nothing
 * @error  none
 */
export function mentionJudge(root: string, grounds: MentionGrounds): MentionJudge {
  const known = new Map<string, boolean>();
  let submodules: ReadonlySet<string> | undefined;
  let parentsByName: ReadonlyMap<string, readonly string[]> | undefined;

  let looks = 0;

  /** What is not looked up any more counts as there: nothing is said of it. */
  function exists(path: string): boolean {
    if (looks >= MAX_LOOKS) return true;
    looks++;
    const answer = known.get(path) ?? isThere(path);
    known.set(path, answer);
    return answer;
  }

  function placesOf({ path, kind }: PathMention, directory: string): string[] {
    // A link starts from its file; what stands in backticks, often from the root.
    const starts = kind === "link" && path.startsWith(".") ? [directory] : ladder(root, directory).toReversed();
    return starts.map((start) => resolve(start, path)).filter((place) => isInside(root, place));
  }

  /** Many a text names things by the way from a package of which it speaks. */
  function isBelowAnother(path: string): boolean {
    parentsByName ??= parentsOf(grounds.directories);
    return (parentsByName.get(firstName(path)) ?? []).some((parent) => exists(resolve(parent, path)));
  }

  /** What is in one that is not checked out, nobody can tell. */
  function isInSubmodule(place: string): boolean {
    submodules ??= new Set(absentSubmodules(root));
    for (let above = place; above !== root && above !== dirname(above); above = dirname(above)) {
      if (submodules.has(above)) return true;
    }
    return false;
  }

  function look(mention: PathMention, directory: string): MentionFacts {
    const places = placesOf(mention, directory);
    if (places.some(exists)) return THERE;
    if (mention.kind === "code" && isBelowAnother(mention.path)) return THERE;
    const slash = mention.path.endsWith("/") ? sep : "";
    return {
      isThere: false,
      isRooted: ladder(root, directory).some((start) => exists(join(start, firstName(mention.path)))),
      isElsewhere:
        places.length === 0 || places.some((place) => grounds.isIgnored(place + slash) || isInSubmodule(place)),
    };
  }

  const answers = new Map<string, MentionFacts>();
  return {
    placesOf,
    limit: () => (looks < MAX_LOOKS ? undefined : `only the first ${MAX_LOOKS} places of paths are looked up`),
    factsOf(mention, directory) {
      const key = `${mention.kind} ${directory}\0${mention.path}`;
      const facts = answers.get(key) ?? look(mention, directory);
      answers.set(key, facts);
      return facts;
    },
  };
}

const THERE = { isThere: true, isRooted: true, isElsewhere: false };

/** In which directories a directory of a name stands. */
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

/** Behind `./`. */
function firstName(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").split("/", 1)[0] ?? "";
}
