import type { PathMention } from "../lib/markdown/paths.ts";
import type { InstructionText } from "./instruction-files.ts";
import type { Neighbour } from "./mention-evidence.ts";
import type { MentionLookup } from "./mention-lookup.ts";
import { isMissing, pathMentions } from "./path-mentions.ts";

/** The paths that an instruction file mentions, looked up. */
export interface TextPaths {
  readonly mentions: readonly Neighbour[];
  readonly missing: readonly PathMention[];
  readonly isCut: boolean;
}

export function lookUpPaths({ text, directory }: InstructionText, lookup: MentionLookup): TextPaths {
  const { mentions, isCut } = pathMentions(text);
  const found = mentions.map((mention) => ({ mention, facts: lookup.find(mention, directory) }));
  return {
    mentions: found.map(({ mention, facts }) => Object.assign(mention, { isThere: facts.isThere })),
    missing: found.flatMap(({ mention, facts }) => (isMissing(mention, facts) ? mention : [])),
    isCut,
  };
}

/** Missing paths from which a text may be about another project. */
const MANY_PATHS = 3;

/** Such texts from which a repository may be a collection. */
const MANY_TEXTS = 10;

/**
 * The texts about other projects: templates, copies, and rules that are installed elsewhere. Most of the paths that they
 * mention do not exist. Where many texts are such, those that mention fewer paths are as well.
 *
 * @param found what each text mentions
 * @param hasNamesake whether a file of that name is elsewhere: it has moved within this project
 */
export function textsOfOthers(
  found: ReadonlyMap<InstructionText, TextPaths>,
  root: string,
  hasNamesake: (path: string) => boolean,
): ReadonlySet<string> {
  const counted = [...found].map(([{ path, directory }, { mentions, missing }]) => {
    const lost = countOf(missing.filter((mention) => !hasNamesake(mention.path)));
    return { path, isNested: directory !== root, lost, known: countOf(mentions.filter(({ isThere }) => isThere)) };
  });
  const others = counted.filter(({ isNested, lost, known }) => isNested && lost >= MANY_PATHS && known < lost);
  const lacking = counted.filter(({ isNested, lost, known }) => isNested && lost > known);
  const isCollection = others.length >= MANY_TEXTS && others.length >= lacking.length / 4;
  const all = isCollection ? counted.filter(({ isNested }) => isNested) : others;
  return new Set(all.map(({ path }) => path));
}

/** Whether most of what a text names is missing, even at the root: it may be a beginning that others copy. */
export function isBeginning({ mentions, missing }: TextPaths, more: { readonly lost: number; readonly found: number }) {
  const lost = countOf(missing) + more.lost;
  return lost >= MANY_PATHS && countOf(mentions.filter(({ isThere }) => isThere)) + more.found < lost;
}

function countOf(mentions: readonly PathMention[]): number {
  return new Set(mentions.map(({ path }) => path)).size;
}
