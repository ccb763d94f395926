import { join, relative, dirname, resolve } from "node:path";
import { isRegularFile, namesIn, isLinked, realPathOf } from "../lib/path-facts.ts";
import { readStart } from "../lib/read-file.ts";
import { lossyText } from "../lib/text.ts";
import type { Finding } from "./findings.ts";
import { MAX_TEXT_BYTES } from "./instruction-texts.ts";
import type { InstructionText } from "./instructions.ts";
import { finding } from "./rules.ts";
import type { CheckScene } from "./scene.ts";

/**
 * Names that are an instruction file's but for their letter case. One is repaired where nothing that is known of the
 * repository calls the file by the name that it has.
 *
 * @effect reads
 * @error  none
 */
export function checkLetterCase({ root, walked, instructions, names, wellKnownNames }: CheckScene): Finding[] {
  const wrong = [...walked.found].flatMap(([directory, found]) => {
    const others = found.filter((name) => !names.includes(name));
    return others.length === 0 ? [] : [{ directory, others }];
  });
  if (wrong.length === 0) return [];
  const paths = wrong.flatMap(({ directory, others }) => others.map((name) => join(directory, name)));
  const links = [...walked.links, ...instructions.candidates.map(({ path }) => path)];
  const referrerOf = referrers(root, { paths, links, texts: instructions.texts, names: wellKnownNames });
  return wrong.flatMap(({ directory, others }) => {
    const whyNotRenamed = (name: string) => {
      const path = join(directory, name);
      if (!isRegularFile(path)) return "it is no regular file: put one of that name in its place";
      const referrer = referrerOf(path);
      return referrer && `rename it, and correct '${relative(root, referrer)}', which calls it by this name`;
    };
    const place = { path: (name: string) => join(directory, name), names: namesIn(directory), whyNotRenamed };
    return wrongLetterCase(place, others, wellKnownNames);
  });
}

const PAGE = /\.(?:mdx?|rst|html)$/i;

/** What stands at the top of many a project, in whatever letter case: no sign of a directory of pages. */
const OF_PROJECTS =
  /^(?:readme|changelog|changes|history|contributing|code[-_]of[-_]conduct|licen[cs]e|notice|security|support|authors|maintainers|governance|todo|roadmap)\b/i;

export interface NamedPlace {
  readonly path: (name: string) => string;
  /** All that stands in the directory. */
  readonly names: readonly string[];
  /** What is to be done about a file that would be lost to somebody under another name. */
  readonly whyNotRenamed: (name: string) => string | undefined;
}

/**
 * Names that are an instruction file's but for letter case: a system that tells cases apart finds none.
 *
 * @param found those that may be such; known: names of instruction files
 */
export function wrongLetterCase(place: NamedPlace, found: readonly string[], known: readonly string[]): Finding[] {
  const alike = byLetters(place.names);
  let areTherePages: boolean | undefined;
  // Where other pages stand beside it whose names are not all in capitals, `agents.md` is a page about agents.
  const isPage = (name: string) => !isShouted(name) && (areTherePages ??= hasPages(place.names, known));
  return found.flatMap((name) => {
    const right = known.find((other) => other !== name && isSame(other, name));
    if (right === undefined || known.includes(name) || isPage(name)) return [];
    const path = place.path(name);
    const message = `on most systems clients look for '${right}', and don't find it by this name`;
    const rival = alike.get(name.toLowerCase())?.find((other) => other !== name);
    const hindrance =
      rival === undefined ? place.whyNotRenamed(name) : `'${rival}' stands beside it: keep one of them, as '${right}'`;
    const fix = { kind: "rename", from: path, to: place.path(right) } as const;
    const said = hindrance === undefined ? { remedy: "rename it", fix } : { remedy: hindrance };
    return [finding("instructions-letter-case", { path, message, ...said })];
  });
}

function hasPages(names: readonly string[], known: readonly string[]): boolean {
  return names.some((other) => {
    const isOfAgents = known.some((one) => isSame(one, other));
    return PAGE.test(other) && !isShouted(other) && !isOfAgents && !OF_PROJECTS.test(other);
  });
}

function byLetters(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const letters = name.toLowerCase();
    const group = groups.get(letters);
    if (group === undefined) groups.set(letters, [name]);
    else group.push(name);
  }
  return groups;
}

function isShouted(name: string): boolean {
  const stem = name.replace(/\.[^.]*$/, "");
  return stem === stem.toUpperCase();
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

export interface ReferrerGrounds {
  /** The files that are asked about, which may speak of each other; their names, and paths of links. */
  readonly paths: readonly string[];
  readonly names: readonly string[];
  readonly links: readonly string[];
  readonly texts: readonly Pick<InstructionText, "path" | "text">[];
}

/**
 * Answers which file calls another one by its path: a link to it, or a text that imports or mentions it.
 *
 * @input  root: canonical
 * @effect reads what is asked about
 * @error  none: what can't be read refers to nothing
 */
export function referrers(root: string, grounds: ReferrerGrounds): (path: string) => string | undefined {
  const known = new Map<string, string>();
  for (const link of grounds.links) {
    const place = isLinked(link) ? realPathOf(link) : undefined;
    if (place !== undefined) known.set(place, link);
  }
  for (const { path, text } of [...grounds.texts, ...grounds.paths.flatMap(textOf)]) {
    for (const written of writtenPaths(text, grounds.names)) {
      for (const start of [dirname(path), root]) {
        const place = resolve(start, written);
        if (place !== path) known.set(place, path);
      }
    }
  }
  return (path) => known.get(path);
}

function textOf(path: string): { path: string; text: string }[] {
  const read = readStart(path, MAX_TEXT_BYTES);
  return read.kind === "read" ? [{ path, text: lossyText(read.bytes) }] : [];
}

/** What a path in a text is set off with: white space, quotes, brackets, the sign of an import. */
const BEFORE = /[\s"'`()[\]<>{}@=:,;|*]/;

const AFTER = /[\w-]/;

const MAX_LENGTH = 512;

/**
 * The paths in a text that end with one of some names, in whatever letter case, wherever in it they stand.
 *
 * @param names of letters, digits and dots
 */
export function writtenPaths(text: string, names: readonly string[]): string[] {
  const wanted = new RegExp(names.map((name) => name.replaceAll(".", String.raw`\.`)).join("|"), "gi");
  const paths: string[] = [];
  for (const { 0: name, index } of text.matchAll(wanted)) {
    const end = index + name.length;
    if (AFTER.test(text[end] ?? "")) continue;
    let start = index;
    while (start > 0 && end - start < MAX_LENGTH && !BEFORE.test(text[start - 1] as string)) start--;
    paths.push(text.slice(start, end));
  }
  return paths;
}
