import { basename, dirname, join, relative } from "node:path";
import { entriesOf, isThere, realPathOf } from "../lib/path-facts.ts";
import { isInside, withSlashes } from "../lib/paths.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";

/** Clients look for skills in a directory of this name in one of their own. */
const SKILLS = "skills";

/** One link may be a choice; two are a habit. */
const MIN_LINKS = 2;

/**
 * The rule `skill-not-linked`: of the skills in one directory most have a link in another client's directory, and a few
 * were forgotten.
 *
 * @param root canonical
 */
export function skillsNotLinked(root: string): Finding[] {
  const places = entriesOf(root).filter((entry) => entry.isDirectory() && entry.name.startsWith("."));
  return places.flatMap(({ name: place }) => {
    const directory = join(root, place, SKILLS);
    if (realPathOf(directory) !== directory) return [];
    const entries = entriesOf(directory);
    const linked = new Map<string, Set<string>>();
    for (const entry of entries.filter((each) => each.isSymbolicLink())) {
      const real = realPathOf(join(directory, entry.name));
      if (real === undefined || !isInside(root, real) || basename(real) !== entry.name) continue;
      const from = dirname(real);
      linked.set(from, (linked.get(from) ?? new Set()).add(entry.name));
    }
    const taken = new Set(entries.map(({ name }) => name));
    return [...linked].flatMap(([from, names]) => forgotten(root, { directory, from, names, taken }));
  });
}

interface Linking {
  /** Where the links are, and where they lead. */
  readonly directory: string;
  readonly from: string;
  readonly names: ReadonlySet<string>;
  /** All names beside the links. */
  readonly taken: ReadonlySet<string>;
}

function forgotten(root: string, { directory, from, names, taken }: Linking): Finding[] {
  const skills = entriesOf(from)
    .filter((entry) => entry.isDirectory() && isThere(join(from, entry.name, SKILL_FILE)))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("_"));
  const without = skills.filter((name) => !taken.has(name));
  if (names.size < MIN_LINKS || without.length >= names.size) return [];
  const place = withSlashes(relative(root, directory));
  return without.map((name) => {
    const path = join(from, name, SKILL_FILE);
    const link = join(directory, name);
    return finding("skill-not-linked", {
      path,
      message: `it has no link in '${place}', as ${names.size} of its siblings have`,
      remedy: `add one: 'ln -s ${withSlashes(relative(directory, join(from, name)))} ${place}/${name}'`,
      concerns: [link],
      fix: { kind: "new-link", path: link, target: withSlashes(relative(directory, join(from, name))) },
    });
  });
}
