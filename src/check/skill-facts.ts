import { basename, dirname, join, resolve } from "node:path";
import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import type { PathMention } from "../lib/markdown/paths.ts";
import { entriesOf, isThere, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { lossyText } from "../lib/text.ts";
import { readSkill } from "../skills/read-skill.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import { firstSegment, skillReferences } from "./skill-references.ts";
import type { SkillFacts, SkillReference, StrayLink } from "./skill.ts";

export type SkillFactsRead =
  | { readonly kind: "read"; readonly facts: Omit<SkillFacts, "description"> }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * Reads what the rules about a skill need to know. Nothing outside the skill's directory is opened.
 *
 * @param path of its SKILL.md, canonical
 * @param ignored names of directories that are not entered
 * @param root of the project that the skill is in, if any
 */
export function readSkillFacts(path: string, ignored: ReadonlySet<string>, root?: string): SkillFactsRead {
  const directory = dirname(path);
  const read = readSkill({ path, dir: directory }, ignored);
  if (read.kind === "unusable") return read;
  const { bytes, sizeBytes, files, moreFiles } = read.text;
  const text = lossyText(bytes);
  const { mentions, isCut } = skillReferences(text, frontMatterOf(text).bodyStart);
  return {
    kind: "read",
    facts: {
      path,
      text,
      textBytes: bytes.length,
      sizeBytes,
      references: lookUpReferences(directory, mentions, root),
      moreReferences: isCut,
      moreFiles,
      nested: files.filter((file) => basename(file) === SKILL_FILE),
      ...findStrayLinks(directory, ignored),
    },
  };
}

/**
 * Where the references of a skill lead. Only paths in code spans are looked for outside its directory too: in a project
 * they may start from the root.
 *
 * @param directory the skill's, canonical
 * @param root of the project that it is in, if any
 */
export function lookUpReferences(
  directory: string,
  references: readonly PathMention[],
  root?: string,
): SkillReference[] {
  const known = new Map<string, boolean>();

  return references.map((reference) => {
    const path = resolve(directory, reference.path);
    if (!isInside(directory, path)) return { ...reference, leadsTo: "outside", isRooted: false };
    const isRooted = exists(join(directory, firstSegment(reference.path)));
    const isSomething = exists(path) || (!isRooted && reference.kind === "code" && existsFromRoot(reference.path));
    return { ...reference, leadsTo: isSomething ? "something" : "nothing", isRooted };
  });

  function exists(path: string): boolean {
    const answer = known.get(path) ?? isThere(path);
    known.set(path, answer);
    return answer;
  }

  function existsFromRoot(way: string): boolean {
    if (root === undefined) return false;
    const path = resolve(root, way);
    return isInside(root, path) && exists(path);
  }
}

const MAX_DEPTH = 16;
const MAX_ENTRIES = 20_000;

/**
 * The symbolic links in a skill's directory that lead out of it, or nowhere. None is followed. A skill inside a skill
 * answers for its own.
 *
 * @param directory canonical
 * @param ignored names of directories that are not entered
 */
export function findStrayLinks(
  directory: string,
  ignored: ReadonlySet<string>,
): Pick<SkillFacts, "strayLinks" | "moreLinks"> {
  const strayLinks: StrayLink[] = [];
  let entriesLeft = MAX_ENTRIES;
  let moreLinks = false;

  function enter(path: string, depth: number): void {
    const entries = entriesOf(path);
    if (depth > 0 && entries.some(({ name }) => name === SKILL_FILE)) return;
    for (const entry of entries) {
      if (ignored.has(entry.name)) continue;
      if (entriesLeft-- <= 0 || depth > MAX_DEPTH) {
        moreLinks = true;
        return;
      }
      const child = join(path, entry.name);
      if (entry.isDirectory()) enter(child, depth + 1);
      else if (entry.isSymbolicLink()) examine(child);
    }
  }

  function examine(link: string): void {
    const end = realPathOf(link);
    if (end === undefined) strayLinks.push({ path: link, leadsTo: "nothing" });
    else if (!isInside(directory, end)) strayLinks.push({ path: link, leadsTo: "outside" });
  }

  enter(directory, 0);
  return { strayLinks, moreLinks };
}
