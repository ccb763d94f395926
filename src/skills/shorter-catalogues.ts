import { renderSkillsContext, type ShownCatalogue } from "./skills-context.ts";

/** Of what gives way, so much stays with each step. */
const KEPT = 0.8;

/**
 * The skills of a start, whole and then ever shorter, down to the rules alone; each says what it leaves out. Of the
 * catalogue and the skills loaded before, the longer list gives way.
 */
export function* shorterCatalogues(catalogue: ShownCatalogue, loaded: readonly string[]): Generator<string> {
  let [shown, named] = [catalogue.skills.length, loaded.length];
  while (shown > 0 || named > 0) {
    yield renderShort(catalogue, loaded, shown, named);
    if (named > shown) named = Math.floor(named * KEPT);
    else shown = Math.floor(shown * KEPT);
  }
  yield leastCatalogue(catalogue, loaded);
}

/** The least that may be said of the skills; "" where there are none. */
export function leastCatalogue(catalogue: ShownCatalogue, loaded: readonly string[]): string {
  return renderShort(catalogue, loaded, 0, 0);
}

function renderShort(catalogue: ShownCatalogue, loaded: readonly string[], shown: number, named: number): string {
  const skills = catalogue.skills.slice(0, shown);
  const truncated = catalogue.truncated || shown < catalogue.skills.length;
  return renderSkillsContext({ skills, truncated }, loaded.slice(0, named), loaded.length - named);
}
