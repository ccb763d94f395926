import type { FoldedTexts, Occurrence } from "./search-texts.ts";
import type { Term } from "./tokens.ts";

/*
 * How well names and descriptions answer a query: BM25F (rare words weigh more, repeated occurrences less, and an
 * occurrence in a long text less than in a short one), extended by words that are adjacent in both, and by the share of
 * a name that the query contains. The figures were tuned on public collections (docs/skills.md).
 */

export interface Relevance {
  readonly index: number;
  /** Above 0, and at most 1. */
  readonly share: number;
}

/** How quickly further occurrences stop counting. */
const SATURATION = 1.6;
/** The weight of an occurrence in the name, relative to 1 in the description. */
const NAME_WEIGHT = 2.2;
/** How much the length of a name and of a description matters: from 0, not at all, to 1. */
const NAME_LENGTH = 0.3;
const DESCRIPTION_LENGTH = 0.85;
/** The number of words in an ordinary name. */
const MEAN_NAME = 3;
/** The extra weight of two adjacent words. */
const NEIGHBOURS = 0.6;
/** The extra weight if the query contains all of a name. */
const WHOLE_NAME = 1.8;

/** @returns one for each skill that matches any part of the query, unordered */
export function relevances(texts: FoldedTexts, size: number, terms: readonly Term[]): Relevance[] {
  const scores = new Float64Array(size);
  const named = new Float64Array(size);
  const found: number[] = [];
  let best = WHOLE_NAME;
  const seen = new Set<string>();
  for (const [place, term] of terms.entries()) {
    // A sentence repeats a word for its grammar: it is not about it twice as much.
    if (seen.has(term.text)) continue;
    seen.add(term.text);
    const next = terms[place + 1];
    const occurrences = texts.find(term, next?.text === term.text ? undefined : next);
    const { frequency, inRow } = countsOf(occurrences);
    const rarity = rarityOf(size, frequency);
    const rarityInRow = NEIGHBOURS * Math.min(rarityOf(size, inRow), 1.3 * rarity);
    best += rarity * (SATURATION + 1) + (next === undefined ? 0 : rarityInRow);
    for (const { index, name, description, isFollowed } of occurrences) {
      if (scores[index] === 0) found.push(index);
      const words = name === 0 ? 1 : wordsIn(texts.nameOf(index));
      const weight =
        (NAME_WEIGHT * name) / (1 - NAME_LENGTH + (NAME_LENGTH * words) / MEAN_NAME) +
        description / (1 - DESCRIPTION_LENGTH + (DESCRIPTION_LENGTH * texts.lengthOf(index)) / texts.meanLength);
      const own = (rarity * weight * (SATURATION + 1)) / (weight + SATURATION);
      scores[index] = (scores[index] as number) + own + (isFollowed ? rarityInRow : 0);
      named[index] = (named[index] as number) + name / words;
    }
  }
  return found.map((index) => {
    const score = (scores[index] as number) + WHOLE_NAME * Math.min(1, named[index] as number);
    return { index, share: Math.min(1, score / best) };
  });
}

/**
 * How many skills have a word, and in how many the next one follows it. Skills in which words only begin alike count
 * half, unless there are few others.
 */
function countsOf(occurrences: readonly Occurrence[]): { frequency: number; inRow: number } {
  let exact = 0;
  let inRow = 0;
  for (const { name, description, isFollowed } of occurrences) {
    if (name === 1 || description >= 1) exact++;
    if (isFollowed) inRow++;
  }
  return { frequency: Math.max(exact, occurrences.length / 2), inRow };
}

/**
 * The weight of a word that this many skills have. A fourth root ranks as well as the usual logarithm, and gives the
 * same bits in every runtime.
 */
function rarityOf(size: number, frequency: number): number {
  return Math.sqrt(Math.sqrt(size / Math.max(1, frequency))) - 0.9;
}

/** Names have hyphens between their words; in leniently read headers, blanks and other marks as well. */
const BETWEEN_WORDS = /[\0-/:_]/;

function wordsIn(name: string): number {
  return name.split(BETWEEN_WORDS).length;
}
