import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import {
  mentionedPaths,
  type CodePath,
  type CodeSpan,
  type PathMention,
  type PathMentions,
} from "../lib/markdown/paths.ts";
import { isSaidToBeMissing, withoutMade } from "./mention-context.ts";
import { firstSegment, SKILL_DIRECTORIES } from "./skill-references.ts";

/*
 * What the rule `instructions-missing-path` decides: which paths an instruction file mentions, and whether one that
 * does not exist is missing. Text between backticks may be anything, so most of this is about text that is not a path.
 */

export const MAX_MENTIONS = 1_000;

/** The targets of a Markdown text's links, and the code spans that can hardly be anything but paths. */
export function pathMentions(text: string): PathMentions {
  const made = new Set<string>();
  const found = mentionedPaths(text, frontMatterOf(text).bodyStart, MAX_MENTIONS, (span) =>
    pathInCode(text, span, made),
  );
  return { ...found, mentions: withoutMade(found.mentions, made) };
}

/** What exists where a mention leads. */
export interface MentionFacts {
  /** The path exists, relative to the file's directory or one above it. */
  readonly isThere: boolean;
  /** At least its first directory exists, or a directory or a file of that name elsewhere. */
  readonly isRooted: boolean;
  /** Its first directory exists where it may begin. */
  readonly hasStart: boolean;
  /** It is outside the repository, or git would ignore it, so it may exist at another time or place. */
  readonly isElsewhere: boolean;
}

/** `internal/store.Store`, `net/http.Client`: an exported symbol, wherever the package is. */
const SYMBOL = /\.[A-Z][a-z][A-Za-z0-9]*$/;
/** `api/v1/users.json` */
const VERSION = /(?:^|\/)v\d+\//;

/** Files that a program leaves where it runs. */
const OF_RUNS = /\.(?:db|sqlite3?|log|pid|sock)$/;

/** Another checkout of the same repository, which nobody commits. */
const WORKTREE = /(?:^|\/)\.(?:[\w-]+\/)?worktrees\//;

/** Whether a mentioned path should exist and does not. */
export function isMissing({ path, kind }: PathMention, { isThere, isRooted, isElsewhere }: MentionFacts): boolean {
  if (isThere || isElsewhere || WORKTREE.test(path)) return false;
  // "[title](URL)"
  if (kind === "link") return !/^[A-Z_]+$/.test(path);
  if (OF_RUNS.test(path)) return false;
  if (SYMBOL.test(path) && !hasFileEnding(path)) return false;
  // Clients, tools and users keep settings and states of their own there.
  if (/^\.(?!\.?\/)(?!github\/)/.test(path) && !IN_DOT_DIRECTORIES.test(path)) return false;
  // The directory of a tool that is not used here.
  if (/^\.[\w-]+\//.test(path) && !isRooted) return false;
  if (isRooted) return true;
  // In a text about skills, a file of any skill.
  if (SKILL_DIRECTORIES.has(firstSegment(path))) return false;
  if (path.endsWith("/") || path.startsWith("../")) return false;
  return PAGE.test(path) && !VERSION.test(path) && !beginsWithDomain(path);
}

/** What people write into directories of tools. */
const IN_DOT_DIRECTORIES = /\.(?:mdx?|mdc|sh|py)$/;
/** Where not even the first directory exists, only pages are sure to be of this project. */
export const PAGE = /\.(?:mdx?|mdc|markdown|rst|adoc|txt|[A-Za-z]*ile)$/;

/** `example.com/page.html`, `org.name/part.x` */
function beginsWithDomain(path: string): boolean {
  const first = path.slice(0, Math.max(0, path.indexOf("/")));
  return !first.startsWith(".") && first.slice(0, -1).includes(".");
}

const MAX_SPAN = 512;
const LINE_NUMBER = /(?::\d+(?:-\d+)?)+$/;

/** The whole span, or the file that a command in it runs. */
function pathInCode(text: string, { written, at }: CodeSpan, made: Set<string>): CodePath[] {
  if (written.length > MAX_SPAN || !written.includes("/")) return [];
  const words = [...written.matchAll(/\S+/g)];
  const word = fileAmong(words);
  const path = word?.[0].replace(LINE_NUMBER, "") ?? "";
  if (word === undefined || !isPlainPath(path, words.length > 1)) return [];
  if (!isSaidToBeMissing(text, { written, at })) return [{ path, at: at + word.index }];
  made.add(path);
  return [];
}

/** Programs that run or show the file they are given. */
const INTERPRETERS = /^(?:python3?|node|bun|deno|tsx|ruby|perl|php|bash|sh|zsh|source|cat|less)$/;

function fileAmong(words: readonly RegExpExecArray[]): RegExpExecArray | undefined {
  const [first, second] = words;
  if (first === undefined || second === undefined || first[0].startsWith("./")) return first;
  return INTERPRETERS.test(first[0]) ? second : undefined;
}

/** Characters of command lines, patterns, calls and addresses, which plain paths don't contain. */
const NOT_PLAIN = /[\s*?[\]{}<>$|"'`:;,=()!^~#%&\\…\0+]|\.\.\.|\/\//;
const ENDING = /[^/]\.[A-Za-z][A-Za-z0-9]{0,9}$/;
/** Placeholder names. */
const PLACEHOLDER =
  /^(?:foo|bar|baz|qux|path|to|your|my|some|something|example|examplefile|xxx+|x\.y\.z|name|file|dir|folder|package|feature|component|module)(?:[-_.].*)?$|[-_]name(?:\.[a-z]+)?$|^namespace\.|Here\.[a-z]+$|^yyyy|(?:^|[-_.])xx(?:[-_.]|$)/i;
/** `FooBar.ts`, `myDomainStore.ts`, `test_ClassName.cpp`, `X.rs` */
const STAND_IN =
  /^(?:Foo|Bar|Baz|my)[A-Z]|(?:File|Class|Function|Module|Component|Feature|Page|Test)Name|^[XYZN]\.[a-z]+$/;
/** `YYYY-MM-DD.md`, `v1.XX.md`, `release/1.2.x` */
const PATTERN_LETTERS = /YYYY|X{2,}|N{3,}|[-_.a-z]NN?(?:\.|$)|[-_]X(?:\.|$)|^v?X\.Y|^v?\d+(?:\.\d+)*\.x$/;
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
    !names.some(
      (name) => PLACEHOLDER.test(name) || STAND_IN.test(name) || CAPITALS.test(name) || PATTERN_LETTERS.test(name),
    )
  );
}

/** The endings of files that people write about. After any other dot there may be a symbol, a version or a name. */
const ENDINGS = new Set(
  (
    "md mdx mdc markdown rst adoc asciidoc txt text org tex pdf " +
    "json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf config properties env xml xsd xsl xslt plist csv tsv lock " +
    "js mjs cjs jsx ts mts cts tsx vue svelte astro html htm xhtml css scss sass less styl hbs ejs pug liquid njk " +
    "py pyi pyx ipynb rb rake gemspec erb haml php phtml twig pl pm t r rmd jl lua " +
    "go rs c h cc cpp cxx hh hpp hxx m mm swift java kt kts scala groovy gradle clj cljs cljc edn cs csproj sln fs fsx vb " +
    "dart ex exs eex heex erl hrl hs lhs ml mli elm nim zig v sv vhd vhdl asm s f f90 f95 pas d cr sol move " +
    "sh bash zsh fish ps1 psm1 bat cmd awk sed mk mak cmake bazel bzl nix dhall " +
    "sql prisma graphql gql proto thrift avsc wasm wat so dll dylib a o " +
    "tf tfvars hcl tmpl tpl j2 jinja template service dockerfile containerfile " +
    "png jpg jpeg gif svg webp ico avif bmp mp3 mp4 wav webm mov woff woff2 ttf otf " +
    "zip tar gz tgz bz2 xz zst 7z jar war whl deb rpm dmg exe msi bin dat db sqlite log out snap patch diff bak example sample dist " +
    "xcconfig xcodeproj xcworkspace storyboard xib entitlements podspec strings rproj prompt rules feature spec"
  ).split(" "),
);

function hasFileEnding(path: string): boolean {
  return ENDINGS.has(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}
