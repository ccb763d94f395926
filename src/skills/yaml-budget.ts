import { compareText } from "../lib/compare.ts";

/** Marks that make the YAML parser take its time: what is in a header beside them costs nearly nothing. */
const MARKS = /[\n:,\-?&*!"'[\]{}#]/g;
/** So many take it some seconds. Ten thousand headers as people write them have fewer. */
export const MAX_YAML_MARKS = 500_000;

/** A header that is not plain. */
export interface YamlHeader {
  readonly path: string;
  readonly header: string;
}

/**
 * The paths of those that are not parsed, because all of them together would take minutes. Which ones, does not
 * depend on the order in which they were found.
 */
export function beyondYamlBudget(headers: readonly YamlHeader[]): readonly string[] {
  const costs = headers.map(({ path, header }) => ({ path, cost: header.match(MARKS)?.length ?? 0 }));
  let room = MAX_YAML_MARKS - costs.reduce((sum, { cost }) => sum + cost, 0);
  if (room >= 0) return [];
  room = MAX_YAML_MARKS;
  return costs
    .toSorted((left, right) => compareText(left.path, right.path))
    .filter(({ cost }) => (room -= cost) < 0)
    .map(({ path }) => path);
}
