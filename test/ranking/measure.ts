import MiniSearch from "minisearch";
import { bookOf } from "../../src/skills/columns.ts";
import { rankSkills } from "../../src/skills/rank.ts";
import { isStopWord } from "../../src/skills/stop-words.ts";
import type { Wanted } from "./collections.ts";

/** Indexes into a collection, best first. */
export type Search = (query: string) => readonly number[];

export interface Figures {
  readonly queries: number;
  /** The mean of 1 / the place at which the right skill is. */
  readonly mrr: number;
  /** How often it is the first, and among the first five. */
  readonly first: number;
  readonly firstFive: number;
  /** The mean for the first query of each skill alone. */
  readonly mrrOfFirst: number;
}

/** Among made-up skills; among others, MiniSearch's figures are the target. */
export const MADE_UP_TARGET = { mrr: 0.45, firstFive: 0.56 };

/** Places behind this count as not found. */
const DEPTH = 50;

export function figuresOf(wanted: readonly Wanted[], search: Search): Figures {
  const bySkill = wanted.map(({ queries }, index) =>
    queries.map((query) => search(query).slice(0, DEPTH).indexOf(index) + 1),
  );
  const places = bySkill.flat();
  const share = (of: (place: number) => number, among = places) =>
    among.reduce((sum, place) => sum + (place === 0 ? 0 : of(place)), 0) / among.length;
  return {
    queries: places.length,
    mrr: share((place) => 1 / place),
    first: share((place) => Number(place === 1)),
    firstFive: share((place) => Number(place <= 5)),
    mrrOfFirst: share(
      (place) => 1 / place,
      bySkill.flatMap((of) => of.slice(0, 1)),
    ),
  };
}

export function ourSearch(wanted: readonly Wanted[]): Search {
  const skills = wanted.map(({ name, description }, index) => ({
    name,
    description,
    path: `/${index}/SKILL.md`,
    dir: `/${index}`,
    scope: "repo" as const,
    mtimeMs: 1,
    distance: 0,
  }));
  const book = bookOf(skills);
  const texts = book.texts();
  return (text) => {
    const { results } = rankSkills({ ...book, texts: () => texts }, { text, path: undefined }, DEPTH);
    return results.map(({ skill }) => Number(skill.dir.slice(1)));
  };
}

/** MiniSearch with BM25 and our stop words, names weighted as its manual suggests. */
export function miniSearch(wanted: readonly Wanted[]): Search {
  const index = new MiniSearch({
    fields: ["name", "description"],
    processTerm: (term) => (isStopWord(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: { boost: { name: 2 }, prefix: true },
  });
  index.addAll(wanted.map(({ name, description }, id) => ({ id, name, description })));
  return (query) => index.search(query).map(({ id }) => id as number);
}
