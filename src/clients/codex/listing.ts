import { basename, dirname } from "node:path";
import { compareText } from "../../lib/sorting.ts";
import type { Table } from "../../lib/table.ts";
import { textIn, type ListedSkill, type ShownSkill } from "../skill-listing.ts";

// The list of skills that Codex gives its model, as of 0.169.

/** Its own skills, which come first, with the lengths of their descriptions. */
const OWN_SKILLS: readonly (readonly [name: string, length: number])[] = [
  ["imagegen", 570],
  ["openai-docs", 624],
  ["skill-creator", 106],
  ["skill-installer", 225],
];
const MAX_DESCRIPTION = 1024;
const BYTES_A_TOKEN = 4;

/**
 * What Codex lists of a project's skills: whole, if all have room. Else it takes the names of all, and gives their
 * descriptions one character after the other in turn until the room is used up. If it has no room for all names, it leaves
 * out those that no longer fit.
 *
 * @param tokens that the list may have
 * @param hasOwn its own skills are listed too
 */
export function shownInCodex(skills: readonly ListedSkill[], tokens: number, hasOwn: boolean): ShownSkill[] {
  const places = [...new Set(skills.map(({ place }) => place))];
  const entries = skills.map((skill) => {
    const { path, place, header } = skill;
    // Each directory has a short name at the top of the list.
    const short = `r${places.indexOf(place) + 1}${path.slice(place.length).replaceAll("\\", "/")}`;
    return { path, name: textIn(header, "name") || directoryOf(path), characters: wantedOf(header), short };
  });
  const sorted = entries.toSorted(
    (left, right) => compareText(left.name, right.name) || compareText(left.path, right.path),
  );
  const own = (hasOwn ? OWN_SKILLS : []).map(([name, length]) => {
    return { path: undefined, name, characters: [..."x".repeat(length)], short: `r0/${name}/SKILL.md` };
  });
  const all = [...own, ...sorted];
  const taken = shareOut(all.map(costsOf), tokens);
  return all.flatMap(({ path, name, short, characters }, index): ShownSkill[] => {
    const shown = taken[index];
    if (path === undefined) return [];
    const text = characters.slice(0, shown).join("");
    const entry = shown === undefined ? undefined : `- ${name}:${text === "" ? "" : ` ${text}`} (file: ${short})`;
    return [{ path, entry, shown: shown ?? 0, wanted: characters.length }];
  });
}

function directoryOf(path: string): string {
  return basename(dirname(path));
}

/** The description in one line, and not longer than it may be. */
function wantedOf(header: Table): string[] {
  const characters = [...textIn(header, "description").split(/\s+/).join(" ")];
  return characters.length > MAX_DESCRIPTION ? [...characters.slice(0, MAX_DESCRIPTION - 3), ..."..."] : characters;
}

/** What an entry costs with none of the characters of its description, with one of them, with two … */
function costsOf({
  name,
  short,
  characters,
}: {
  name: string;
  short: string;
  characters: readonly string[];
}): number[] {
  let bytes = Buffer.byteLength(`- ${name}: (file: ${short})\n`);
  const costs = [Math.ceil(bytes / BYTES_A_TOKEN)];
  bytes++;
  for (const character of characters) {
    bytes += Buffer.byteLength(character);
    costs.push(Math.ceil(bytes / BYTES_A_TOKEN));
  }
  return costs;
}

/** How many characters each entry gets; undefined if it is left out. */
function shareOut(costs: readonly (readonly number[])[], tokens: number): (number | undefined)[] {
  const total = (of: (each: readonly number[]) => number) => costs.reduce((sum, each) => sum + of(each), 0);
  if (total((each) => each.at(-1) ?? 0) <= tokens) return costs.map((each) => each.length - 1);
  let left = tokens - total((each) => each[0] ?? 0);
  if (left < 0) return leaveOut(costs, tokens);
  const taken = costs.map(() => 0);
  for (let isGiven = true; isGiven;) {
    isGiven = false;
    for (const [index, each] of costs.entries()) {
      const now = taken[index] ?? 0;
      const more = (each[now + 1] ?? Number.POSITIVE_INFINITY) - (each[now] ?? 0);
      if (more > left) continue;
      taken[index] = now + 1;
      left -= more;
      isGiven = true;
    }
  }
  return taken;
}

function leaveOut(costs: readonly (readonly number[])[], tokens: number): (number | undefined)[] {
  let used = 0;
  return costs.map(([cost = 0]) => {
    if (used + cost > tokens) return undefined;
    used += cost;
    return 0;
  });
}
