import { basename, dirname, join, resolve, sep } from "node:path";
import { hasFileEnding } from "../lib/file-endings.ts";
import { proseBlocks } from "../lib/markdown/blocks.ts";
import { scanMentions, type Mention } from "../lib/markdown/inline.ts";
import { isThere } from "../lib/path-facts.ts";
import { isInside, ladder } from "../lib/paths.ts";
import { textPositions } from "../lib/text-positions.ts";
import { linkedPath } from "./skill-references.ts";
import { skillParts } from "./skill.ts";
import { absentSubmodules } from "./walk.ts";

/** What stands where a mention leads. */
export interface MentionFacts {
  /** It is there, seen from the file's directory or one above it. */
  readonly isThere: boolean;
  /** So is at least its first directory. */
  readonly isRooted: boolean;
  /** It leads out of the repository, or git would ignore it: then it may be there at another time or place. */
  readonly isElsewhere: boolean;
}

/** Endings with which a module or a header of another package is named just as well. */
const OF_PACKAGES = /\.(?:[cm]?js|css|h|hpp|hh|dart|proto|so|go)$/;

/** `internal/store.Store`, `net/http.Client`: what a package exports, wherever the package is. */
const SYMBOL = /\.[A-Z][a-z][A-Za-z0-9]*$/;

/** `api/v1/users.json` */
const VERSION = /(?:^|\/)v\d+\//;

/** Whether a mention is of something that should be there and is not. */
export function isMissing({ path, kind }: PathMention, facts: MentionFacts): boolean {
  const { isRooted, isElsewhere } = facts;
  if (facts.isThere || isElsewhere) return false;
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

/** Where mentions lead; of one repository, each path looked at once. */
export interface MentionJudge {
  factsOf(mention: PathMention, directory: string): MentionFacts;
  /** Where what is mentioned would be. */
  placesOf(mention: PathMention, directory: string): readonly string[];
  /** What could not be looked up, because it was too much; undefined where all was. */
  limit(): string | undefined;
}

/** Of one repository: a text can name a thousand paths, and each may be in a thousand directories. */
const MAX_LOOKS = 1_000_000;

/** What a walk knows of the repository. */
export interface MentionGrounds {
  readonly directories: readonly string[];
  isIgnored(path: string): boolean;
}

/**
 * @input  root: canonical; grounds: of a walk
 * @effect looks at paths inside the root; opens nothing
 * @error  none
 */
export function mentionJudge(root: string, grounds: MentionGrounds): MentionJudge {
  const known = new Map<string, boolean>();
  let submodules: ReadonlySet<string> | undefined;
  let parentsByName: ReadonlyMap<string, readonly string[]> | undefined;

  let looks = 0;

  /** What is not looked up any more counts as there: nothing is said of it. */
  function exists(path: string): boolean {
    if (looks >= MAX_LOOKS) return true;
    looks++;
    const answer = known.get(path) ?? isThere(path);
    known.set(path, answer);
    return answer;
  }

  function placesOf({ path, kind }: PathMention, directory: string): string[] {
    // A link starts from its file; what stands in backticks, often from the root.
    const starts = kind === "link" && path.startsWith(".") ? [directory] : ladder(root, directory).toReversed();
    return starts.map((start) => resolve(start, path)).filter((place) => isInside(root, place));
  }

  /** Many a text names things by the way from a package of which it speaks. */
  function isBelowAnother(path: string): boolean {
    parentsByName ??= parentsOf(grounds.directories);
    return (parentsByName.get(firstName(path)) ?? []).some((parent) => exists(resolve(parent, path)));
  }

  /** What is in one that is not checked out, nobody can tell. */
  function isInSubmodule(place: string): boolean {
    submodules ??= new Set(absentSubmodules(root));
    for (let above = place; above !== root && above !== dirname(above); above = dirname(above)) {
      if (submodules.has(above)) return true;
    }
    return false;
  }

  function look(mention: PathMention, directory: string): MentionFacts {
    const places = placesOf(mention, directory);
    if (places.some(exists)) return THERE;
    if (mention.kind === "code" && isBelowAnother(mention.path)) return THERE;
    const slash = mention.path.endsWith("/") ? sep : "";
    return {
      isThere: false,
      isRooted: ladder(root, directory).some((start) => exists(join(start, firstName(mention.path)))),
      isElsewhere:
        places.length === 0 || places.some((place) => grounds.isIgnored(place + slash) || isInSubmodule(place)),
    };
  }

  const answers = new Map<string, MentionFacts>();
  return {
    placesOf,
    limit: () => (looks < MAX_LOOKS ? undefined : `only the first ${MAX_LOOKS} places of paths are looked up`),
    factsOf(mention, directory) {
      const key = `${mention.kind} ${directory}\0${mention.path}`;
      const facts = answers.get(key) ?? look(mention, directory);
      answers.set(key, facts);
      return facts;
    },
  };
}

const THERE = { isThere: true, isRooted: true, isElsewhere: false };

/** In which directories a directory of a name stands. */
function parentsOf(directories: readonly string[]): Map<string, string[]> {
  const parents = new Map<string, string[]>();
  for (const directory of directories) {
    const name = basename(directory);
    const known = parents.get(name);
    if (known === undefined) parents.set(name, [dirname(directory)]);
    else known.push(dirname(directory));
  }
  return parents;
}

/** Behind `./`. */
function firstName(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").split("/", 1)[0] ?? "";
}

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

const NOT_NOW = new RegExp(String.raw`\b(?:${MADE}|${NEW}|${EXAMPLE}|${GONE})$`, "i");

/**
 * Whether what stands right before a path says that it is still to be made, is gone, or is only an example. The word
 * has to govern the path: "when adding a rule, see `x`" speaks of a file that is there.
 *
 * @param before the end of the line up to the path, of a bounded length
 */
export function isNotNow(before: string): boolean {
  // A colon leads over to the path: "a new file: `x`".
  return NOT_NOW.test(before.replace(/:(?=[\s*_]*$)/, ""));
}
