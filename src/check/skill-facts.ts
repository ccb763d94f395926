import { basename, dirname, join, resolve } from "node:path";
import { entriesOf, isThere, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { lossyText } from "../lib/text.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import { readSkill } from "../skills/read-skill.ts";
import { extractReferences, firstSegment, type Reference } from "./skill-references.ts";
import { skillParts, type SkillFacts, type StrayLink, type JudgedReference } from "./skill.ts";

export type SkillFactsRead =
  | { readonly kind: "read"; readonly facts: Omit<SkillFacts, "description" | "frameTags"> }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * Reads what a check of a skill needs: its text as loading prints it, its links, what its references lead to.
 *
 * @input  path: of its SKILL.md, canonical; ignored: names of directories that are not looked into; root: of the project
 *         that the skill is in, if any
 * @effect reads; nothing outside the skill's directory is opened
 * @error  none
 */
export function gatherFacts(path: string, ignored: ReadonlySet<string>, root?: string): SkillFactsRead {
  const directory = dirname(path);
  const read = readSkill({ path, dir: directory }, ignored);
  if (read.kind === "unusable") return read;
  const { bytes, sizeBytes, files, moreFiles } = read.text;
  const text = lossyText(bytes);
  const { references, isCut } = extractReferences(text, skillParts(text).bodyStart);
  return {
    kind: "read",
    facts: {
      path,
      text,
      textBytes: bytes.length,
      sizeBytes,
      references: judgeReferences(directory, references, root),
      moreReferences: isCut,
      moreFiles,
      nested: files.filter((file) => basename(file) === SKILL_FILE),
      ...findStrayLinks(directory, ignored),
    },
  };
}

const MAX_DEPTH = 16;

const MAX_ENTRIES = 20_000;

export interface StrayLinks {
  readonly strayLinks: readonly StrayLink[];
  /** A limit bit: there may be more. */
  readonly moreLinks: boolean;
}

/**
 * The symbolic links in a skill's directory that lead out of it, or nowhere. None is followed. A skill inside a skill
 * answers for its own.
 *
 * @input  directory: canonical; ignored: names of directories that are not entered
 * @effect reads directories, none but `directory` and those in it
 * @error  none: what can't be looked at has no links
 */
export function findStrayLinks(directory: string, ignored: ReadonlySet<string>): StrayLinks {
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
      else if (entry.isSymbolicLink()) strayLinks.push(...judge(directory, child));
    }
  }

  enter(directory, 0);
  return { strayLinks, moreLinks };
}

function judge(directory: string, path: string): StrayLink[] {
  const real = realPathOf(path);
  if (real === undefined) return [{ path, leadsTo: "nothing" }];
  return isInside(directory, real) ? [] : [{ path, leadsTo: "outside" }];
}

/**
 * What the references of a skill lead to. Outside its directory only what stands in a code span is looked for, which in a
 * project may be named from the root.
 *
 * @input  directory: the skill's, canonical; root: of the project that it is in, if any
 * @effect none: nothing is opened
 * @error  none
 */
export function judgeReferences(directory: string, references: readonly Reference[], root?: string): JudgedReference[] {
  const known = new Map<string, boolean>();

  function exists(path: string): boolean {
    const answer = known.get(path) ?? isThere(path);
    known.set(path, answer);
    return answer;
  }

  return references.map((reference) => {
    const path = resolve(directory, reference.target);
    if (!isInside(directory, path)) return { ...reference, leadsTo: "outside", isRooted: false };
    const isRooted = exists(join(directory, firstSegment(reference.target)));
    const isSomething = exists(path) || (!isRooted && reference.kind === "code" && isFromRoot(reference.target));
    return { ...reference, leadsTo: isSomething ? "something" : "nothing", isRooted };
  });

  function isFromRoot(target: string): boolean {
    const path = root === undefined ? undefined : resolve(root, target);
    return root !== undefined && path !== undefined && isInside(root, path) && exists(path);
  }
}
