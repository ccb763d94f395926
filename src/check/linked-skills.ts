import { basename, dirname, join, relative } from "node:path";
import { entriesOf, isThere, realPathOf } from "../lib/path-facts.ts";
import { isInside, withSlashes } from "../lib/paths.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import type { Finding } from "./findings.ts";
import { installedSkills } from "./installed-skills.ts";
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
  const isInstalled = installedSkills(root);
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
    // An installer links what it brings, which says nothing about the project's own skills.
    return [...linked].flatMap(([from, names]) =>
      [true, false].flatMap((kind) => {
        const isMeant = (name: string) => isInstalled(join(from, name)) === kind;
        return forgotten(root, { directory, from, names: [...names].filter(isMeant), taken, isMeant });
      }),
    );
  });
}

interface Linking {
  /** Where the links are, and where they lead. */
  readonly directory: string;
  readonly from: string;
  readonly names: readonly string[];
  /** All names beside the links. */
  readonly taken: ReadonlySet<string>;
  /** Which skills they are compared with. */
  isMeant(name: string): boolean;
}

function forgotten(root: string, { directory, from, names, taken, isMeant }: Linking): Finding[] {
  const skills = entriesOf(from)
    .filter((entry) => entry.isDirectory() && isThere(join(from, entry.name, SKILL_FILE)))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("_") && isMeant(name));
  const without = skills.filter((name) => !taken.has(name));
  if (names.length < MIN_LINKS || without.length >= names.length) return [];
  const place = withSlashes(relative(root, directory));
  return without.map((name) => {
    const path = join(from, name, SKILL_FILE);
    const link = join(directory, name);
    return finding("skill-not-linked", {
      path,
      message: `it has no link in '${place}', as ${names.length} of its siblings have`,
      remedy: `add one: 'ln -s ${withSlashes(relative(directory, join(from, name)))} ${place}/${name}'`,
      concerns: [link],
      fix: { kind: "new-link", path: link, target: withSlashes(relative(directory, join(from, name))) },
    });
  });
}
