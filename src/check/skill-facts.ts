import { basename, dirname, join, resolve } from "node:path";
import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import type { PathMention } from "../lib/markdown/paths.ts";
import { headingOf } from "./mention-context.ts";
import { entriesOf, isThere, realPathOf } from "../lib/path-facts.ts";
import { isInside, ladder } from "../lib/paths.ts";
import { lossyText } from "../lib/text.ts";
import { readSkill } from "../skills/read-skill.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import { firstSegment, SKILL_DIRECTORIES, skillReferences } from "./skill-references.ts";
import type { SkillFacts, SkillReference, StrayLink } from "./skill.ts";

/** The project of a skill. */
export interface SkillProject {
  readonly root: string;
  /** Whether one of its directories, but no skill, has a file of a relative path. */
  readonly hasElsewhere?: (path: string) => boolean;
  /** The names of the skills that it publishes: installers put them beside each other, whatever group they are in. */
  readonly published?: ReadonlySet<string>;
  /** Whether git would ignore a path, so that it may exist at another time. */
  readonly isIgnored?: (path: string) => boolean;
}

export type SkillFactsRead =
  | { readonly kind: "read"; readonly facts: Omit<SkillFacts, "description"> }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * Reads what the rules need to know about a skill. Opens nothing outside the skill's directory.
 *
 * @param path of its SKILL.md, canonical
 * @param ignored names of directories that are not entered
 * @param project that contains the skill, if any
 */
export function readSkillFacts(path: string, ignored: ReadonlySet<string>, project?: SkillProject): SkillFactsRead {
  const directory = dirname(path);
  const read = readSkill({ path, dir: directory }, ignored);
  if (read.kind === "unusable") return read;
  const { bytes, sizeBytes, moreFiles } = read.text;
  const text = lossyText(bytes);
  const { mentions, isCut } = skillReferences(text, frontMatterOf(text).bodyStart);
  return {
    kind: "read",
    facts: {
      path,
      text,
      textBytes: bytes.length,
      sizeBytes,
      references: lookUpReferences(directory, mentions, project, text),
      moreReferences: isCut,
      isAlone: entriesOf(directory).length === 1,
      moreFiles,
      ...findStrayLinks(directory, ignored),
    },
  };
}

/**
 * Where the references of a skill lead. Only paths in code spans are also searched outside its directory: they may
 * start from any directory above it, from a package of the project, or from another skill that the text names.
 *
 * @param directory the skill's, canonical
 * @param project that contains it, if any
 * @param text of the skill
 */
export function lookUpReferences(
  directory: string,
  references: readonly PathMention[],
  project?: SkillProject,
  text = "",
): SkillReference[] {
  const known = new Map<string, boolean>();
  let siblings: readonly string[] | undefined;
  // Links to where no such directory is: the skill was copied from another project.
  const isCopied = references.some(({ path, kind }) => kind === "link" && isOfAnotherPlace(path));

  return references.map((reference) => {
    const path = resolve(directory, reference.path);
    if (!isInside(directory, path)) return { ...reference, leadsTo: endOutside(reference, path), isRooted: false };
    const isRooted = exists(join(directory, firstSegment(reference.path)));
    // Readers who start from the root find it there.
    const isFromRoot = !isRooted && !SKILL_DIRECTORIES.has(firstSegment(reference.path)) && isAtRoot(reference.path);
    const isSomething =
      exists(path) ||
      isFromRoot ||
      project?.isIgnored?.(path) === true ||
      (reference.kind === "code" && (isIgnoredAbove(reference.path) || isElsewhere(reference.path, isRooted))) ||
      isOfSiblingInSentence(reference);
    return { ...reference, leadsTo: isSomething ? "something" : "nothing", isRooted };
  });

  /** A project's skill may refer to other files of the project. */
  function endOutside({ path: written, at }: PathMention, path: string): SkillReference["leadsTo"] {
    if (project === undefined || !isInside(project.root, path)) return "outside";
    const isSomething = isCopied || WEB_ADDRESS.test(written) || exists(path) || project.isIgnored?.(path) === true;
    return isSomething || isNotTakenAlong(path, at) || isInstalledBeside(written) ? "something" : "nothing";
  }

  /** "../../AGENTS.md", "../other/SKILL.md": what a published skill has around it where its users install it. */
  function isInstalledBeside(written: string): boolean {
    if (project?.published?.has(basename(directory)) !== true) return false;
    const [, sibling = ""] = /^\.\.\/([^/]+)\/SKILL\.md$/.exec(written) ?? [];
    const isPage = /^\.\.\/\.\.\/(?:AGENTS|CLAUDE|GEMINI)\.md$/.test(written);
    return project.published.has(sibling) || (isPage && isAtRoot(basename(written)));
  }

  /** Whether a link leaves the skill for a directory that is not there. */
  function isOfAnotherPlace(written: string): boolean {
    const path = resolve(directory, written);
    if (project === undefined || isInside(directory, path) || !isInside(project.root, path)) return false;
    if (exists(path) || WEB_ADDRESS.test(written)) return false;
    const [up = ""] = /^(?:\.{1,2}\/)*/.exec(written) ?? [];
    const below = written.slice(up.length);
    const first = firstSegment(below);
    const isAbove = ladder(project.root, directory).some((above) => exists(join(above, below)));
    const isSibling = basename(path) === SKILL_FILE && up === "../";
    return below.includes("/") && !isSibling && !isAbove && !exists(resolve(directory, up, first));
  }

  function exists(path: string): boolean {
    const answer = known.get(path) ?? isThere(path);
    known.set(path, answer);
    return answer;
  }

  function isAtRoot(way: string): boolean {
    return project !== undefined && exists(join(project.root, way));
  }

  function isIgnoredAbove(way: string): boolean {
    return (
      project !== undefined && ladder(project.root, directory).some((above) => project.isIgnored?.(join(above, way)))
    );
  }

  function isElsewhere(way: string, isRooted: boolean): boolean {
    if (project === undefined) return false;
    const isAbove = !isRooted && ladder(project.root, directory).some((above) => exists(join(above, way)));
    return isAbove || project.hasElsewhere?.(way) === true || namedSiblings().some((other) => exists(join(other, way)));
  }

  /** "See [it](references/a.md) from the other skill" */
  function isOfSiblingInSentence({ path, at }: PathMention): boolean {
    const [line = ""] = text.slice(at, at + MAX_LINE).split("\n", 1);
    const name = /\b(?:from|of|in) the [`*_]*([a-z0-9-]+)[`*_]* skill\b/.exec(line)?.[1];
    return name !== undefined && exists(join(dirname(directory), name, path));
  }

  /** A related skill of the same author, in a list of such, that was not taken along; one with a longer name is meant. */
  function isNotTakenAlong(path: string, at: number): boolean {
    const other = dirname(path);
    if (basename(path) !== SKILL_FILE || dirname(other) !== dirname(directory)) return false;
    const isRenamed = entriesOf(dirname(directory)).some(({ name }) => name.endsWith(`-${basename(other)}`));
    return !isRenamed && RELATED.test(headingOf(text, at));
  }

  /** The skills beside it that the text names. */
  function namedSiblings(): readonly string[] {
    const beside = dirname(directory);
    siblings ??= entriesOf(beside)
      .filter(({ name }) => [`\`${name}\``, `:${name}\``, `${name}/`].some((written) => text.includes(written)))
      .map(({ name }) => join(beside, name));
    return siblings;
  }
}

const MAX_LINE = 200;
const RELATED = /\b(?:related|references|see also)\b/i;

/** `../blob/main/README.md`: relative to a page of the project on the web, as in a comment on a pull request. */
const WEB_ADDRESS = /^(?:\.\.\/)+(?:blob|tree|raw|issues|pull|wiki|releases)\//;

const MAX_DEPTH = 16;
const MAX_ENTRIES = 20_000;

/**
 * The symbolic links in a skill's directory that lead out of it, or dangle. None is followed. A skill inside a skill is
 * checked by itself.
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
