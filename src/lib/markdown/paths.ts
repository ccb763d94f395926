import { textPositions } from "../text-positions.ts";
import { readBlocks } from "./blocks.ts";
import { scanMentions, type Mention } from "./inline.ts";

/** A path that a Markdown text names. */
export interface PathMention {
  /** Relative, decoded; it may lead anywhere. */
  readonly path: string;
  /** From 1, in the whole file; the column in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /** Offset in the text. */
  readonly at: number;
  /** A link certainly means a file. Text between backticks may be an example, a module, or any name. */
  readonly kind: "link" | "code";
}

export interface PathMentions {
  readonly mentions: readonly PathMention[];
  /** There are more. */
  readonly isCut: boolean;
}

/** A code span, and where the text between its backticks begins. */
export type CodeSpan = Pick<Mention, "written" | "at">;

export interface CodePath {
  readonly path: string;
  /** Offset in the text. */
  readonly at: number;
}

/**
 * The paths that a text names in its prose: the targets of links, images and definitions, and the paths that
 * `pathsInCode` finds in code spans. Leaves out code blocks, which contain examples with files yet to be made, raw HTML
 * and autolinks.
 *
 * @param from where the body begins
 */
export function mentionedPaths(
  text: string,
  from: number,
  max: number,
  pathsInCode: (span: CodeSpan) => readonly CodePath[],
): PathMentions {
  const mentions: PathMention[] = [];
  const positionOf = textPositions(text);
  let isCut = false;

  function accept(mention: Mention): boolean {
    const isCode = mention.kind === "code";
    for (const { path, at } of isCode ? pathsInCode(mention) : linkTarget(mention)) {
      isCut = mentions.length === max;
      if (isCut) break;
      mentions.push({ path, kind: isCode ? "code" : "link", at, ...positionOf(at) });
    }
    return !isCut;
  }

  for (const block of readBlocks(text, from).prose) {
    if (isCut) break;
    scanMentions(text, block, accept);
  }
  return { mentions, isCut };
}

function linkTarget({ kind, written, at }: Mention): CodePath[] {
  const path = linkedPath(written);
  // `[note]: word` is a definition in Markdown, but was meant as a remark.
  return path === undefined || (kind === "definition" && !/[/.]/.test(path)) ? [] : [{ path, at }];
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** An e-mail address linked without `mailto:`; `logo@2x.png` is a file. */
const ADDRESS = /^[^\s/@]+@[^\s/@]+\.(?!(?:png|jpe?g|gif|svg|webp|avif|ico|pdf)$)[a-z]{1,24}$/i;
const PLACEHOLDER = /[<>{}$*…\0]|\.\.\./;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const MAX_TARGET = 1024;

/**
 * The relative path that a link's target names. Undefined for a URL, an anchor, an absolute path, a pattern or a
 * placeholder.
 */
function linkedPath(written: string): string | undefined {
  if (written.length > MAX_TARGET) return undefined;
  const plain = written.replaceAll(ESCAPED, "$1").replaceAll("&amp;", "&");
  if (/^[/\\~#?]/.test(plain) || SCHEME.test(plain) || PLACEHOLDER.test(plain)) return undefined;
  const path = decoded(plain.split(/[#?]/, 1)[0] ?? "");
  return path === "" || ADDRESS.test(path) || /^[/\\]/.test(path) || PLACEHOLDER.test(path) ? undefined : path;
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    // An invalid escape is literal.
    return path;
  }
}
