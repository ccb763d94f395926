import { dirname, join, relative, resolve, sep } from "node:path";
import { groupBy } from "../lib/sorting.ts";
import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import { isLinked, isRegularFile, namesIn, realPathOf } from "../lib/path-facts.ts";
import { readStart } from "../lib/read-file.ts";
import { lossyText } from "../lib/text.ts";
import type { Finding } from "./findings.ts";
import { MAX_TEXT_BYTES, type InstructionText } from "./instruction-files.ts";
import { otherProjects } from "./other-projects.ts";
import { finding } from "./rules.ts";
import { firstSegment } from "./skill-references.ts";
import type { CheckScene } from "./scene.ts";

/*
 * The rule `instructions-letter-case`: names that differ from an instruction file's only in letter case. `--fix`
 * renames a file only if nothing in the repository is known to use its present name.
 */

export function checkLetterCase(scene: CheckScene): Finding[] {
  const { root, walked, instructions, names, wellKnownNames, ownSkills } = scene;
  const ofClients = new Set(ownSkills.map(firstSegment));
  const isOfAnother = otherProjects(root);
  const wrong = [...walked.found].flatMap(([directory, found]) => {
    if (isOfTool(directory.slice(root.length) + sep, ofClients)) return [];
    // Below the root, one with a right name beside it is a page about agents.
    if (directory !== root && found.some((name) => wellKnownNames.includes(name))) return [];
    const isWrong = (name: string) => !names.includes(name) && !isOfAnother(join(directory, name));
    const others = found.filter((name) => isWrong(name) && mayInstruct(join(directory, name)));
    return others.length === 0 ? [] : [{ directory, others }];
  });
  if (wrong.length === 0) return [];
  const referrers = findReferrers(root, {
    paths: wrong.flatMap(({ directory, others }) => others.map((name) => join(directory, name))),
    links: [...walked.links, ...instructions.candidates.map(({ path }) => path)],
    texts: instructions.texts,
    names: wellKnownNames,
  });
  return wrong.flatMap(({ directory, others }) => {
    const path = (name: string) => join(directory, name);
    const whyNotRenamed = (name: string) => {
      if (isLinked(path(name))) return "rename the link";
      if (!isRegularFile(path(name))) return "it is not a regular file: replace it with one of that name";
      const referrer = referrers.get(path(name));
      return referrer && `rename it, and correct '${relative(root, referrer)}', which calls it by this name`;
    };
    return wrongLetterCase({ path, names: namesIn(directory), whyNotRenamed }, others, wellKnownNames);
  });
}

/** A prompt or a definition says in a header what it is, and a file that another one replaced says so. */
function mayInstruct(path: string): boolean {
  return textOf(path).every(
    ({ text }) => frontMatterOf(text).headerEnd === 0 && !REPLACED.test(text.slice(0, MAX_STUB)),
  );
}

const REPLACED = /\b(?:superseded|replaced by|deprecated|obsolete|(?:has )?moved to)\b/i;
const MAX_STUB = 200;

/** Pages about agents, their definitions, and rules, which may have any name. */
const OF_OTHERS = /[\\/](?:plugins|rules|\.[^\\/]+[\\/]agents)[\\/]/;
const HIDDEN = /[\\/](\.[^\\/]+)[\\/]/;

/** In a tool's own directory that is no client's, a file may have any name, too. */
function isOfTool(below: string, ofClients: ReadonlySet<string>): boolean {
  const [, hidden] = HIDDEN.exec(below) ?? [];
  return OF_OTHERS.test(below) || (hidden !== undefined && !ofClients.has(hidden));
}

const PAGE = /\.(?:mdx?|rst|html)$/i;

/** Pages that many projects have at the top, in any letter case: they don't make a directory one of pages. */
const OF_PROJECTS =
  /^(?:readme|changelog|changes|history|contributing|code[-_]of[-_]conduct|licen[cs]e|notice|security|support|authors|maintainers|governance|todo|roadmap)\b/i;

export interface NamedPlace {
  readonly path: (name: string) => string;
  /** Everything in the directory. */
  readonly names: readonly string[];
  /** The remedy for a file that others refer to by another name. */
  readonly whyNotRenamed: (name: string) => string | undefined;
}

/**
 * @param found names that may be wrong
 * @param known names of instruction files
 */
export function wrongLetterCase(place: NamedPlace, found: readonly string[], known: readonly string[]): Finding[] {
  const alike = groupBy(place.names, (name) => name.toLowerCase());
  let areTherePages: boolean | undefined;
  // Among other pages whose names are not all in capitals, `agents.md` is a page about agents.
  const isPage = (name: string) => !isShouted(name) && (areTherePages ??= hasPages(place.names, known));
  return found.flatMap((name) => {
    const right = known.find((other) => other !== name && isSame(other, name));
    if (right === undefined || known.includes(name) || isPage(name)) return [];
    const path = place.path(name);
    const message = `on most systems clients look for '${right}', and don't find it by this name`;
    const rival = alike.get(name.toLowerCase())?.find((other) => other !== name);
    const hindrance =
      rival === undefined ? place.whyNotRenamed(name) : `'${rival}' is beside it: keep one of them, as '${right}'`;
    const fix = { kind: "rename", from: path, to: place.path(right) } as const;
    const way = hindrance === undefined ? { remedy: "rename it", fix } : { remedy: hindrance };
    return [finding("instructions-letter-case", { path, message, ...way })];
  });
}

function hasPages(names: readonly string[], known: readonly string[]): boolean {
  const pages = names.filter((other) => PAGE.test(other) && !isShouted(other) && !OF_PROJECTS.test(other));
  const isOfAgents = (other: string) => known.some((one) => isSame(one, other));
  return pages.length >= MANY_PAGES || pages.some((other) => !isOfAgents(other));
}

/** From so many on, pages that have the names of agents are about these. */
const MANY_PAGES = 3;

function isShouted(name: string): boolean {
  const stem = name.replace(/\.[^.]*$/, "");
  return stem === stem.toUpperCase();
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

interface Sources {
  /** The files to check, which may name each other, with the names to search for in texts. */
  readonly paths: readonly string[];
  readonly names: readonly string[];
  readonly links: readonly string[];
  readonly texts: readonly Pick<InstructionText, "path" | "text">[];
}

/** For the path of a file, one that uses that path: a link to it, or a text that imports or mentions it. */
function findReferrers(root: string, { paths, names, links, texts }: Sources): ReadonlyMap<string, string> {
  const referrers = new Map<string, string>();
  for (const link of links) {
    const end = isLinked(link) ? realPathOf(link) : undefined;
    if (end !== undefined) referrers.set(end, link);
  }
  for (const { path, text } of [...texts, ...paths.flatMap(textOf)]) {
    for (const written of writtenPaths(text, names)) {
      for (const start of [dirname(path), root]) {
        const place = resolve(start, written);
        if (place !== path) referrers.set(place, path);
      }
    }
  }
  return referrers;
}

function textOf(path: string): { path: string; text: string }[] {
  const read = readStart(path, MAX_TEXT_BYTES);
  return read.kind === "read" ? [{ path, text: lossyText(read.bytes) }] : [];
}

/** Between white space, quotes, brackets, or after the sign of an import. */
const WORD = /[^\s"'`()[\]<>{}@=:,;|*]+/g;
const MAX_LENGTH = 512;

/**
 * The paths in a text that end with one of the names, in any letter case.
 *
 * @param names of letters, digits and dots
 */
export function writtenPaths(text: string, names: readonly string[]): string[] {
  const ending = new RegExp(
    `(?:${names.map((name) => name.replaceAll(".", String.raw`\.`)).join("|")})(?![\\w-])`,
    "gi",
  );
  return [...text.matchAll(WORD)].flatMap(([word]) =>
    [...word.matchAll(ending)].map(({ 0: name, index }) => {
      const end = index + name.length;
      return word.slice(Math.max(0, end - MAX_LENGTH), end);
    }),
  );
}
