import { basename, dirname, join, resolve, sep } from "node:path";
import type { PathMention } from "../lib/markdown/paths.ts";
import { isThere } from "../lib/path-facts.ts";
import { isInside, ladder } from "../lib/paths.ts";
import { keptFindings, type Finding } from "./findings.ts";
import type { InstructionText } from "./instruction-files.ts";
import { isMissing, MAX_MENTIONS, pathMentions, type MentionFacts } from "./path-mentions.ts";
import { finding } from "./rules.ts";
import { absentSubmodules } from "./walk.ts";

/*
 * The rule `instructions-missing-path`: looks up the paths that instruction files mention. What counts as a path, and as
 * missing, is decided in `path-mentions.ts`.
 */

/** Looks up the mentions of one repository. */
export interface MentionLookup {
  /** What is there, for a mention in a file of a directory. */
  find(mention: PathMention, directory: string): MentionFacts;
  /** Where what is mentioned would be. */
  placesOf(mention: PathMention, directory: string): readonly string[];
  /** Whether there were too many to look up. */
  isExhausted(): boolean;
}

export function missingPaths({ path, directory, text }: InstructionText, lookup: MentionLookup): Finding[] {
  const { mentions, isCut } = pathMentions(text);
  const missing = mentions
    .filter((mention) => isMissing(mention, lookup.find(mention, directory)))
    .map((mention) =>
      finding("instructions-missing-path", {
        path,
        line: mention.line,
        column: mention.column,
        message: `'${mention.path}' is not there`,
        remedy: "add it or correct the path",
        concerns: lookup.placesOf(mention, directory),
      }),
    );
  const findings = keptFindings(missing);
  if (!isCut) return findings;
  const message = `only its first ${MAX_MENTIONS} paths are looked up`;
  return [...findings, finding("check-limit", { path, message, about: "paths" })];
}

/** The finding for what the lookup left out. */
export function exhaustedLookup(root: string, lookup: MentionLookup): Finding[] {
  const message = `only the first ${MAX_LOOKS} places of paths are looked up`;
  return lookup.isExhausted() ? [finding("check-limit", { path: root, message })] : [];
}

/** A text can name a thousand paths, and each may be in a thousand directories. */
const MAX_LOOKS = 1_000_000;

const THERE: MentionFacts = { isThere: true, isRooted: true, isElsewhere: false };

/**
 * @param root canonical
 * @param walked what a walk through the repository found
 */
export function mentionLookup(
  root: string,
  walked: { readonly directories: readonly string[]; isIgnored(path: string): boolean },
): MentionLookup {
  const known = new Map<string, boolean>();
  const answers = new Map<string, MentionFacts>();
  let submodules: ReadonlySet<string> | undefined;
  let parentsByName: ReadonlyMap<string, readonly string[]> | undefined;
  let looks = 0;

  return {
    placesOf,
    isExhausted: () => looks >= MAX_LOOKS,
    find(mention, directory) {
      const key = `${mention.kind} ${directory}\0${mention.path}`;
      const facts = answers.get(key) ?? look(mention, directory);
      answers.set(key, facts);
      return facts;
    },
  };

  function placesOf({ path, kind }: PathMention, directory: string): string[] {
    // A link starts from its file; a code span, often from the root.
    const starts = kind === "link" && path.startsWith(".") ? [directory] : ladder(root, directory).toReversed();
    return starts.map((start) => resolve(start, path)).filter((place) => isInside(root, place));
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
        places.length === 0 || places.some((place) => walked.isIgnored(place + slash) || isInSubmodule(place)),
    };
  }

  /** Past the limit everything counts as there, so that nothing is reported. */
  function exists(path: string): boolean {
    if (looks >= MAX_LOOKS) return true;
    looks++;
    const answer = known.get(path) ?? isThere(path);
    known.set(path, answer);
    return answer;
  }

  /** Many texts name files from the package that they are about. */
  function isBelowAnother(path: string): boolean {
    parentsByName ??= parentsOf(walked.directories);
    return (parentsByName.get(firstName(path)) ?? []).some((parent) => exists(resolve(parent, path)));
  }

  /** Nobody can tell what is in a submodule that is not checked out. */
  function isInSubmodule(place: string): boolean {
    submodules ??= new Set(absentSubmodules(root));
    for (let above = place; above !== root && above !== dirname(above); above = dirname(above)) {
      if (submodules.has(above)) return true;
    }
    return false;
  }
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

/** The first name in a path, after any `./`. */
function firstName(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").split("/", 1)[0] ?? "";
}
