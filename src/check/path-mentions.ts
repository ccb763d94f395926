import { hasFileEnding } from "../lib/file-endings.ts";
import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import {
  mentionedPaths,
  type CodePath,
  type CodeSpan,
  type PathMention,
  type PathMentions,
} from "../lib/markdown/paths.ts";

/*
 * What the rule `instructions-missing-path` decides: which paths an instruction file mentions, and whether one that leads
 * nowhere is missing. Text between backticks may be anything, so most of this is about what is no path, and about paths
 * of which the text says that they are yet to be made, are gone, or are examples.
 */

export const MAX_MENTIONS = 1_000;

/** The targets of a Markdown text's links, and the code spans that are hardly anything but paths. */
export function pathMentions(text: string): PathMentions {
  return mentionedPaths(text, frontMatterOf(text).bodyStart, MAX_MENTIONS, (span) => pathInCode(text, span));
}

/** What is at the place a mention leads to. */
export interface MentionFacts {
  /** The path exists, seen from the file's directory or one above it. */
  readonly isThere: boolean;
  /** So does at least its first directory. */
  readonly isRooted: boolean;
  /** It leads out of the repository, or git would ignore it: then it may exist at another time or place. */
  readonly isElsewhere: boolean;
}

/** Endings with which a module or a header of another package is named just as well. */
const OF_PACKAGES = /\.(?:[cm]?js|css|h|hpp|hh|dart|proto|so|go)$/;
/** `internal/store.Store`, `net/http.Client`: what a package exports, wherever the package is. */
const SYMBOL = /\.[A-Z][a-z][A-Za-z0-9]*$/;
/** `api/v1/users.json` */
const VERSION = /(?:^|\/)v\d+\//;

/** Whether something should be where a mention leads, and is not. */
export function isMissing({ path, kind }: PathMention, { isThere, isRooted, isElsewhere }: MentionFacts): boolean {
  if (isThere || isElsewhere) return false;
  if (kind === "link") return true;
  if (SYMBOL.test(path) && !hasFileEnding(path)) return false;
  if (isRooted) return true;
  if (path.endsWith("/") || path.startsWith("../")) return false;
  return hasFileEnding(path) && !OF_PACKAGES.test(path) && !VERSION.test(path) && !beginsWithDomain(path);
}

/** `example.com/page.html`, `org.name/part.x` */
function beginsWithDomain(path: string): boolean {
  const first = path.slice(0, Math.max(0, path.indexOf("/")));
  return !first.startsWith(".") && first.slice(0, -1).includes(".");
}

const MAX_SPAN = 512;
/** How much of the line before a span is looked at. */
const MAX_BEFORE = 100;
const LINE_NUMBER = /(?::\d+(?:-\d+)?)+$/;

/** The whole of the span, or the file that a command in it runs. */
function pathInCode(text: string, { written, at }: CodeSpan): CodePath[] {
  if (written.length > MAX_SPAN || !written.includes("/")) return [];
  const words = [...written.matchAll(/\S+/g)];
  const word = fileAmong(words);
  const path = word?.[0].replace(LINE_NUMBER, "") ?? "";
  if (word === undefined || !isPlainPath(path, words.length > 1)) return [];
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at - 1);
  return isNotThereYet(before.slice(before.lastIndexOf("\n") + 1)) ? [] : [{ path, at: at + word.index }];
}

/** Programs that run or show the file they are given. */
const INTERPRETERS = /^(?:python3?|node|bun|deno|tsx|ruby|perl|php|bash|sh|zsh|source|cat|less)$/;

function fileAmong(words: readonly RegExpExecArray[]): RegExpExecArray | undefined {
  const [first, second] = words;
  if (first === undefined || second === undefined || first[0].startsWith("./")) return first;
  return INTERPRETERS.test(first[0]) ? second : undefined;
}

/** Characters of command lines, patterns, calls and addresses, which plain paths don't have. */
const NOT_PLAIN = /[\s*?[\]{}<>$|"'`:;,=()!^~#%&\\…\0+]|\.\.\.|\/\//;
const ENDING = /[^/]\.[A-Za-z][A-Za-z0-9]{0,9}$/;
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

/** What is between a word and the path that it governs: blanks, and marks of emphasis, quotes and brackets. */
const GAP = String.raw`[\s*_"'(]+`;

/** By one of these someone is sent to a file, which then is there; so it is where something is made by or from it. */
const SENT =
  "(?:re-?)?(?:read|see|look|follow|consult|check|run|use|open|refer|visit|update|edit|change|load|study|heed|mind|" +
  "execute|call|start|review|go|ask|try|need|know|extend|match|copy|mirror|import)(?:e?s|ed|ing)?|" +
  "by|from|via|using|per|is|are|was|were|and|or|then|if|when";

const WORD = String.raw`(?!(?:${SENT})\b)[\w-]+${GAP}`;

/** What a verb makes: "create `x`", "create tests `x`", but not "add tests for `x`". */
const THING = String.raw`(?!(?:of|for|with)\b)${WORD}`;

const ARTICLE = String.raw`(?:an?|the|this|that|its|your|their|our|each|one|any)${GAP}`;

const INTO = String.raw`(?:to|in|into|as|at|under|inside|below)${GAP}`;

/** Creating, adding, …, deleting, as it is inflected: a writer and a generator are there. */
const MAKES =
  "creat(?:es?|ed|ing)|add(?:s|ed|ing)?|generat(?:es?|ed|ing)|writ(?:es?|ing|ten)|wrote|emit(?:s|ted|ting)?|" +
  "produc(?:es?|ed|ing)|sav(?:es?|ed|ing)|stor(?:es?|ed|ing)|put(?:s|ting)?|remov(?:es?|ed|ing)|delet(?:es?|ed|ing)|" +
  `renam(?:es?|ed|ing)|replac(?:es?|ed|ing)|outputs?(?:${GAP}(?:is|are|goes|go))?`;

/** "create a log file `x`", "write the report of the day to `x`" */
const MADE = String.raw`(?:${MAKES})${GAP}(?:${ARTICLE}(?:${THING}){0,2}|(?:${THING})?|(?:${WORD}){0,5}${INTO}(?:${ARTICLE})?(?:${THING})?)`;

/** "a new page `x`" */
const NEW = String.raw`(?:new|optional(?:ly)?|(?:git)?ignored?)${GAP}(?:${THING})?(?:${INTO})?`;

/** "files such as `x`", "an example file `x`" */
const EXAMPLE = String.raw`(?:e\.?g\.?|for example|examples?|such as|like|named?|called|instead of),?${GAP}(?:${ARTICLE})?(?:files?${GAP})?`;

/** "formerly in `x`" */
const GONE = String.raw`(?:former(?:ly)?|previously|no longer|renamed from|moved from),?${GAP}(?:${INTO})?(?:${ARTICLE})?(?:files?${GAP})?`;

const NOT_THERE_YET = new RegExp(String.raw`\b(?:${MADE}|${NEW}|${EXAMPLE}|${GONE})$`, "i");

/**
 * Whether the text right before a path says that it is yet to be made, is gone, or is only an example. The word has to
 * govern the path: "when adding a rule, see `x`" speaks of a file that is there.
 *
 * @param before the end of the line up to the path, of a bounded length
 */
function isNotThereYet(before: string): boolean {
  // A colon leads over to the path: "a new file: `x`".
  return NOT_THERE_YET.test(before.replace(/:(?=[\s*_]*$)/, ""));
}
