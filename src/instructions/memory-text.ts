import { withoutBom } from "../lib/text.ts";

/** A memory file as Claude Code gives it to its model. */
export interface MemoryText {
  /** Without front matter and block comments; trimmed. */
  readonly text: string;
  /** The patterns of the files with which it is loaded; empty if it is loaded with any. */
  readonly paths: readonly string[];
  /** The paths that it imports, as written. */
  readonly imports: readonly string[];
}

export function readMemory(whole: string): MemoryText {
  const { header, body } = split(withoutBom(whole));
  const paths = pathsIn(header);
  return {
    text: withoutComments(body).trim(),
    paths: paths.every((path) => path === "**") ? [] : paths,
    imports: importsIn(body),
  };
}

/** Front matter ends with the first `---` after its first line, even in the middle of a line. */
function split(text: string): { header: string; body: string } {
  const blank = /^---(\s*)/.exec(text)?.[1];
  if (blank?.includes("\n") !== true) return { header: "", body: text };
  const start = 3 + blank.lastIndexOf("\n") + 1;
  const end = text.indexOf("---", start);
  return end < 0 ? { header: "", body: text } : { header: text.slice(start, end), body: text.slice(end + 3) };
}

/** `paths` is one value, several separated by commas, or a list; a `/**` after a directory makes no difference. */
function pathsIn(header: string): string[] {
  const lines = header.split("\n").map((line) => line.trimEnd());
  const at = lines.findIndex((line) => /^paths\s*:/.test(line));
  if (at < 0) return [];
  const inline = (lines[at] as string).replace(/^paths\s*:/, "").trim();
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^\s*-\s/.test(line) && line.trim() !== "");
  const items = inline === "" ? rest.slice(0, end < 0 ? rest.length : end) : atCommas(inline.replace(/^\[|\]$/g, ""));
  return items
    .map((item) =>
      item
        .replace(/^\s*-\s/, "")
        .trim()
        .replace(/^"(.*)"$|^'(.*)'$/, "$1$2")
        .replace(/\/\*\*$/, ""),
    )
    .filter((item) => item !== "");
}

/** Those within braces don't count. */
function atCommas(text: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}") depth--;
    else if (text[at] === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/**
 * Removes comments that begin a line and are not part of another block, with the empty lines after them. If there is a
 * comment, line ends become LF.
 */
function withoutComments(body: string): string {
  if (!body.includes("<!--")) return body;
  const lines = body.replaceAll("\r\n", "\n").split("\n");
  const kept: string[] = [];
  let fence: string | undefined;
  let isInHtml = false;
  let hasEnds = true;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (line.trim() === "") isInHtml = false;
    else if (/^<\/?[a-z]/i.test(line)) isInHtml = true;
    else if (hasEnds && line.startsWith("<!--") && !isInHtml) {
      const end = lineWithEnd(lines, at);
      hasEnds = end !== undefined;
      if (end !== undefined) {
        const left = withoutSpans(lines.slice(at, end + 1).join("\n"), "<!--", "-->", "").trimStart();
        if (left !== "") kept.push(left);
        at = end;
        if (left === "") at = lastBlank(lines, at);
        continue;
      }
    }
    kept.push(line);
  }
  return kept.join("\n");
}

function lineWithEnd(lines: readonly string[], from: number): number | undefined {
  for (let at = from; at < lines.length; at++) if (lines[at]?.includes("-->")) return at;
  return undefined;
}

/** The last of the empty lines after a line, or that line. */
function lastBlank(lines: readonly string[], from: number): number {
  let at = from;
  while (lines[at + 1]?.trim() === "") at++;
  return at;
}

/** The extensions of files that can be imported; a name without an extension can be imported too. */
const TEXTS = new Set(
  (
    "md txt text json yaml yml toml xml csv html htm css scss sass less js ts tsx jsx mjs cjs mts cts py pyi pyw rb erb rake go rs java kt kts " +
    "scala c cpp cc cxx h hpp hxx cs swift sh bash zsh fish ps1 bat cmd env ini cfg conf config properties sql graphql gql proto vue svelte " +
    "astro ejs hbs pug jade php pl pm lua r dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for cmake make makefile gradle " +
    "sbt rst adoc asciidoc org tex latex lock log diff patch"
  ).split(" "),
);

/** `@name` at the beginning of a word, of emphasized text or of a link's text. */
const MENTION = /(?:^|[\s])(\*{1,3}|_{1,3}|\[)?@((?:[^\s\\]|\\ )[^\s\\]*(?:\\ [^\s\\]*)*)/g;

const CLOSERS: Readonly<Record<string, string>> = { "[": "]" };

/** The imports (`@path`) of a memory file, as written. Text in code or in a comment is no import. */
export function importsIn(text: string): string[] {
  if (!text.includes("@")) return [];
  return [...withoutCode(text).matchAll(MENTION)]
    .map(([, opener = "", path = ""]) => {
      const closer = path.indexOf(CLOSERS[opener] ?? opener);
      return opener === "" || closer < 0 ? path : path.slice(0, closer);
    })
    .map((path) =>
      path
        .split("#", 1)
        .join("")
        .replaceAll(String.raw`\ `, " "),
    )
    .filter(isPath);
}

function isPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot > 0 && !TEXTS.has(name.slice(dot + 1).toLowerCase())) return false;
  return /^(?:\.\/|~\/|\/(?!$)|[\w.-])/.test(path);
}

/** The text without fenced and indented blocks, code spans and comments. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  let isAfterBlank = true;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isIndented: boolean = isAfterBlank && /^(?: {4}|\t)/.test(line);
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (!isIndented) kept.push(line);
    // After a block of its own, an indented line is code, not part of a paragraph.
    isAfterBlank = line.trim() === "" || isIndented || mark !== undefined || line.trimEnd().endsWith("-->");
  }
  return withoutSpans(kept.join("\n"), "<!--", "-->", " ")
    .split(/\n[^\S\n]*\n/)
    .map(withoutCodeSpans)
    .join("\n\n");
}

/** A run of backticks ends at the next run of the same length. */
function withoutCodeSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const next = new Map<number, number>();
  const ends = runs.map(() => -1);
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at] as { length: number };
    ends[at] = next.get(length) ?? -1;
    next.set(length, at);
  }
  let kept = "";
  let from = 0;
  for (let at = 0; at < runs.length; at++) {
    const end = ends[at] as number;
    if (end < 0) continue;
    kept += `${paragraph.slice(from, runs[at]?.index)}x`;
    from = (runs[end]?.index ?? 0) + (runs[end]?.length ?? 0);
    at = end;
  }
  return kept + paragraph.slice(from);
}

/**
 * Removes everything from one mark to the next, including the marks; an unmatched first mark stays. Linear in the
 * text's length.
 */
function withoutSpans(text: string, open: string, close: string, instead: string): string {
  let kept = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return kept + text.slice(at);
    kept += text.slice(at, start) + instead;
    at = end + close.length;
  }
}
