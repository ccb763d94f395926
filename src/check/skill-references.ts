import { proseBlocks } from "../lib/markdown/blocks.ts";
import { scanMentions, type Mention } from "../lib/markdown/inline.ts";
import { textPositions } from "../lib/text-positions.ts";

/** A file that the text of a skill refers to. */
export interface Reference {
  /** A relative path, decoded; it may lead anywhere. */
  readonly target: string;
  /** From 1, in the whole file; the column in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly kind: Mention["kind"];
}

export interface References {
  readonly references: readonly Reference[];
  /** There are more than MAX_REFERENCES. */
  readonly isCut: boolean;
}

export const MAX_REFERENCES = 500;

/**
 * The files that a Markdown text refers to: the targets of links, images and definitions, and paths in code spans.
 *
 * Blocks of code are left out, fenced and indented ones: what stands in them is an example, in which files appear
 * that the reader is to make. So are raw HTML and autolinks.
 *
 * @param text the whole file
 * @param from where its body begins
 */
export function extractReferences(text: string, from: number): References {
  const references: Reference[] = [];
  const positionOf = textPositions(text);
  let isCut = false;

  function accept(mention: Mention): boolean {
    for (const { path, at } of pathsOf(mention)) {
      if (references.length === MAX_REFERENCES) {
        isCut = true;
        return false;
      }
      references.push({ target: path, kind: mention.kind, ...positionOf(at) });
    }
    return true;
  }

  for (const block of proseBlocks(text, from)) {
    if (isCut) break;
    scanMentions(text, block, accept);
  }
  return { references, isCut };
}

function pathsOf({ kind, written, at }: Mention): { path: string; at: number }[] {
  if (kind === "code") return codePaths(written).map((found) => ({ path: found.path, at: at + found.at }));
  const path = linkedPath(written);
  // `[note]: word` is a definition to Markdown, and a remark to its author.
  return path === undefined || (kind === "definition" && !/[/.]/.test(path)) ? [] : [{ path, at }];
}

/** The directories that the specification names: what begins with one of them is meant to be a file of the skill. */
export const SKILL_DIRECTORIES: ReadonlySet<string> = new Set(["scripts", "references", "assets"]);

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Of mail, written as a link without `mailto:`; `logo@2x.png` is a file. */
const ADDRESS = /^[^\s/@]+@[^\s/@]+\.(?!(?:png|jpe?g|gif|svg|webp|avif|ico|pdf)$)[a-z]{1,24}$/i;

const PLACEHOLDER = /[<>{}$*…\0]|\.\.\./;

/** What stands in a path of a command line or of a pattern, and in no plain name of a file. */
const NOT_PLAIN = /[\s*?[\]{}<>$|"'`:;,=()!^~#%&\\…\0]|\.\.\./;

const EXTENSION = /[^/]\.[A-Za-z0-9]{1,10}$/;

const ESCAPED = /\\([!-/:-@[-`{-~])/g;

const MAX_TARGET = 1024;

/**
 * The relative path that a link's target names; undefined for what names no file of the skill: an URL, an anchor,
 * an absolute path, a pattern, a placeholder.
 */
export function linkedPath(written: string): string | undefined {
  if (written.length > MAX_TARGET) return undefined;
  const plain = written.replaceAll(ESCAPED, "$1").replaceAll("&amp;", "&");
  if (/^[/\\~#?]/.test(plain) || SCHEME.test(plain) || PLACEHOLDER.test(plain)) return undefined;
  const path = decoded(plain.split(/[#?]/, 1)[0] ?? "");
  return path === "" || ADDRESS.test(path) || /^[/\\]/.test(path) || PLACEHOLDER.test(path) ? undefined : path;
}

/**
 * The relative paths in a code span: the whole of it where it looks like a file (`references/checklist.md`), else the
 * words of a command that begin in a directory that the specification names (`python scripts/run.py --fast`).
 */
export function codePaths(written: string): { path: string; at: number }[] {
  if (written.length > MAX_TARGET || !written.includes("/")) return [];
  const words = [...written.matchAll(/\S+/g)].map((match) => ({ path: match[0], at: match.index }));
  const files = words.filter(({ path }) => isPlainFile(path));
  return words.length === 1 ? files : files.filter(({ path }) => SKILL_DIRECTORIES.has(firstSegment(path)));
}

/** Behind a leading `./`. */
export function firstSegment(path: string): string {
  return (path.startsWith("./") ? path.slice(2) : path).split("/", 1)[0] ?? "";
}

function isPlainFile(word: string): boolean {
  return (
    word.includes("/") &&
    !/^[/@-]/.test(word) &&
    !NOT_PLAIN.test(word) &&
    EXTENSION.test(word) &&
    !word.split("/").includes("..")
  );
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    // Then the sign stands for itself.
    return path;
  }
}
