import { isNotNow } from "./not-now.ts";
import { proseBlocks } from "../lib/markdown/markdown-blocks.ts";
import { scanMentions, type Mention } from "../lib/markdown/inline.ts";
import { linkedPath } from "./reference-target.ts";
import { skillParts } from "./skill-parts.ts";
import { textPositions } from "../lib/text-positions.ts";

/** A path that a text speaks of. */
export interface PathMention {
  /** Relative; it may lead anywhere. A slash at its end makes it a directory. */
  readonly path: string;
  /** From 1, in the whole file; the column in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /** A link is sure to mean a file; what stands in backticks may be an example, a module, a name of anything. */
  readonly kind: "link" | "code";
}

export interface PathMentions {
  readonly mentions: readonly PathMention[];
  /** There are more than MAX_MENTIONS. */
  readonly isCut: boolean;
}

export const MAX_MENTIONS = 1_000;
const MAX_SPAN = 512;
/** How much of the line before a span is looked at. */
const MAX_BEFORE = 100;

/** What stands in a command line, a pattern, a call, an address, and in no plain path. */
const NOT_PLAIN = /[\s*?[\]{}<>$|"'`:;,=()!^~#%&\\…\0+]|\.\.\.|\/\//;
const ENDING = /[^/]\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const LINE_NUMBER = /(?::\d+(?:-\d+)?)+$/;
/** Programs that run or show the file they are given. */
const INTERPRETERS = /^(?:python3?|node|bun|deno|tsx|ruby|perl|php|bash|sh|zsh|source|cat|less)$/;
/** Names that stand for others. */
const PLACEHOLDER =
  /^(?:foo|bar|baz|qux|path|to|your|my|some|example|examplefile|xxx+|x\.y\.z|name|file|dir|folder|package|feature|component|module)(?:[-_.].*)?$|^yyyy/i;
/** `YYYY-MM-DD.md`, `v1.XX.md`, `release/1.2.x` */
const PATTERN_LETTERS = /YYYY|X{2,}|N{3,}|^v?\d+(?:\.\d+)*\.x$/;
/** `application/vnd.rar`, by the trees of RFC 6838. */
const MEDIA_TYPE = /^(?:application|audio|font|image|message|model|multipart|text|video)\/(?:vnd|prs|x)\.[^/]*$/;
/** `owner/name.git` */
const REPOSITORY = /\.git$/;
const CAPITALS = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** The paths that a Markdown text speaks of: targets of links, and code spans that can't well be anything else. */
export function pathMentions(text: string): PathMentions {
  const mentions: PathMention[] = [];
  const positionOf = textPositions(text);
  let isCut = false;

  function accept(mention: Mention): boolean {
    const found = mention.kind === "code" ? inCode(text, mention) : inLink(mention);
    if (found === undefined) return true;
    isCut = mentions.length === MAX_MENTIONS;
    if (!isCut) mentions.push({ path: found.path, kind: found.kind, ...positionOf(found.at) });
    return !isCut;
  }

  for (const block of proseBlocks(text, skillParts(text).bodyStart)) {
    if (isCut) break;
    scanMentions(text, block, accept);
  }
  return { mentions, isCut };
}

type Found = Pick<PathMention, "path" | "kind"> & { readonly at: number };

function inLink({ kind, written, at }: Mention): Found | undefined {
  const path = linkedPath(written);
  // `[note]: word` is a definition to Markdown, and a remark to its author.
  return path === undefined || (kind === "definition" && !/[/.]/.test(path)) ? undefined : { path, kind: "link", at };
}

/** The whole of the span, or the file that a command in it runs. */
function inCode(text: string, { written, at }: Mention): Found | undefined {
  if (written.length > MAX_SPAN || !written.includes("/")) return undefined;
  const words = [...written.matchAll(/\S+/g)];
  const chosen = fileOf(words);
  if (chosen === undefined) return undefined;
  const path = chosen[0].replace(LINE_NUMBER, "");
  if (!isPlainPath(path, words.length > 1)) return undefined;
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at - 1);
  return isNotNow(before.slice(before.lastIndexOf("\n") + 1))
    ? undefined
    : { path, kind: "code", at: at + chosen.index };
}

function fileOf(words: readonly RegExpExecArray[]): RegExpExecArray | undefined {
  const [first, second] = words;
  if (first === undefined || second === undefined || first[0].startsWith("./")) return first;
  return INTERPRETERS.test(first[0]) ? second : undefined;
}

function isPlainPath(path: string, isInCommand: boolean): boolean {
  if (/^[/@-]/.test(path) || NOT_PLAIN.test(path) || MEDIA_TYPE.test(path) || REPOSITORY.test(path)) return false;
  const isDirectory = path.endsWith("/");
  if (isDirectory ? isInCommand : !ENDING.test(path)) return false;
  const names = path.split("/").filter((name) => name !== "" && name !== "." && name !== "..");
  return (
    names.length > (isInCommand ? 0 : 1) &&
    !names.some((name) => PLACEHOLDER.test(name) || CAPITALS.test(name) || PATTERN_LETTERS.test(name))
  );
}
