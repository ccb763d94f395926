import { dirname, resolve, join } from "node:path";
import { isInside } from "../../lib/paths.ts";
import { lossyText, withoutBom } from "../../lib/text.ts";
import type { ReachedFile, ReachReason } from "../../report/schema.ts";
import type { TreeFacts } from "../client.ts";
import { isUnread, sizeOf, whyUnusable, loaded, shadowed, skipped } from "../native-upwards.ts";

/** A file that a client means to read. */
export interface MemoryStep {
  readonly path: string;
  readonly origin: ReachedFile["origin"];
  /** Why it is not read after all, whatever it says. */
  readonly refused?: { readonly reason: ReachReason; readonly by?: string | undefined } | undefined;
  /** It may lead anywhere, and so may what it imports. */
  readonly isFree: boolean;
  /** It may wait for files that its front matter names. */
  readonly isRule?: boolean;
  readonly importedBy?: string;
}

export type Exclusion = Extract<ReachReason, "excluded" | "maybe-excluded">;

export interface MemoryRules {
  readonly home: string;
  /** Why the user's settings keep a file from being read; undefined where they don't. */
  readonly exclusionOf: (path: string) => Exclusion | undefined;
  /** Whether a file may be read that nobody named but another file. */
  readonly isWithin: (realPath: string) => boolean;
  /** How many files may follow one another by import. */
  readonly maxDepth: number;
}

/** Files of Markdown in the order in which they are read, each followed by what it imports; none is read twice. */
export function readMemoryFiles(steps: readonly MemoryStep[], rules: MemoryRules, facts: TreeFacts): ReachedFile[] {
  const files: ReachedFile[] = [];
  const pathByRealPath = new Map<string, string>();

  function read(step: MemoryStep, depth: number): void {
    const { path, importedBy } = step;
    const origin = importedBy === undefined ? step.origin : "import";
    const what = facts.at(path);
    if (what === undefined) return;
    const size = sizeOf(what);
    const pass = (reason: ReachReason, by?: string) => void files.push(skipped(path, origin, size, reason, by));
    if (what.kind !== "file") return importedBy === undefined ? pass(whyUnusable(what)) : undefined;
    const twin = pathByRealPath.get(what.realPath);
    if (twin === path) return;
    if (twin !== undefined) return void files.push(shadowed(path, origin, size, "duplicate", twin));
    const exclusion = step.origin === "managed" ? undefined : rules.exclusionOf(path);
    if (exclusion !== undefined) return pass(exclusion);
    if (step.refused !== undefined) {
      const { reason, by } = step.refused;
      return void files.push(
        reason === "silenced"
          ? shadowed(path, origin, size, reason, by ?? "")
          : skipped(path, origin, size, reason, by),
      );
    }
    if (!step.isFree && importedBy !== undefined && !rules.isWithin(what.realPath))
      return pass("outside-root", importedBy);
    if (depth > rules.maxDepth) return pass("import-depth", importedBy);
    pathByRealPath.set(what.realPath, path);
    if (isUnread(facts.start(path, size), size)) return pass("no-permission", importedBy);
    const memory = memoryAt(path, size, facts);
    files.push(judge(step, origin, size, memory));
    // What a file imports comes even where the file itself waits.
    for (const name of memory.imports) {
      const target = name.startsWith("~/") ? resolve(rules.home, name.slice(2)) : resolve(dirname(what.realPath), name);
      read({ path: target, origin: step.origin, isFree: step.isFree, importedBy: path }, depth + 1);
    }
  }

  for (const step of steps) read(step, 0);
  return files;
}

/** By the facts that they are from: of sessions that are judged one after the other, each reads the files above it. */
const memories = new WeakMap<TreeFacts, Map<string, MemoryText>>();

/** What a file says to the model. */
export function memoryAt(path: string, sizeBytes: number, facts: TreeFacts): MemoryText {
  const known = memories.get(facts) ?? new Map<string, MemoryText>();
  memories.set(facts, known);
  const memory = known.get(path) ?? readMemory(lossyText(facts.start(path, sizeBytes)));
  known.set(path, memory);
  return memory;
}

function judge(
  { path, importedBy, isRule }: MemoryStep,
  origin: ReachedFile["origin"],
  size: number,
  { text, isConditional }: MemoryText,
): ReachedFile {
  if (text === "") return skipped(path, origin, size, "blank");
  if (isConditional && isRule === true) return skipped(path, origin, size, "conditional");
  // An invalid byte is longer in the text than in the file.
  const file = loaded(path, origin, size, Math.min(size, new TextEncoder().encode(text).length));
  return importedBy === undefined ? file : { ...file, by: importedBy };
}

/** A Markdown file as Claude Code gives it to its model. */
export interface MemoryText {
  /** Without front matter, without comments that are blocks of their own, trimmed. */
  readonly text: string;
  /** Whether it waits for files that it names: its front matter has `paths` that don't mean every file. */
  readonly isConditional: boolean;
  /** What it imports, as written there. */
  readonly imports: readonly string[];
}

export function readMemory(whole: string): MemoryText {
  const { header, body } = split(withoutBom(whole));
  const paths = pathsIn(header);
  return {
    text: withoutComments(body).trim(),
    isConditional: paths.some((path) => path !== "**"),
    imports: importsIn(body),
  };
}

/** Front matter ends with the first `---` after its first line, wherever that stands. */
function split(text: string): { header: string; body: string } {
  const blank = /^---(\s*)/.exec(text)?.[1];
  if (blank?.includes("\n") !== true) return { header: "", body: text };
  const start = 3 + blank.lastIndexOf("\n") + 1;
  const end = text.indexOf("---", start);
  return end < 0 ? { header: "", body: text } : { header: text.slice(start, end), body: text.slice(end + 3) };
}

/** `paths`, one value, several with commas, or a list; an ending `/**` adds nothing to a directory. */
function pathsIn(header: string): string[] {
  const lines = header.split("\n").map((line) => line.trimEnd());
  const at = lines.findIndex((line) => /^paths\s*:/.test(line));
  if (at < 0) return [];
  const inline = (lines[at] as string).replace(/^paths\s*:/, "").trim();
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^\s*-\s/.test(line) && line.trim() !== "");
  const items = inline === "" ? rest.slice(0, end < 0 ? rest.length : end) : inline.replace(/^\[|\]$/g, "").split(",");
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

/**
 * Takes out comments that begin a line and stand in no other block, with the empty lines after them. Without any the
 * text stays as it is; with one its line ends become those of Unix.
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

/** The last of the empty lines that follow one, or that line. */
function lastBlank(lines: readonly string[], from: number): number {
  let at = from;
  while (lines[at + 1]?.trim() === "") at++;
  return at;
}

/** By extension; a name without one is read too. */
const TEXTS = new Set(
  (
    "md txt text json yaml yml toml xml csv html htm css scss sass less js ts tsx jsx mjs cjs mts cts py pyi pyw rb erb rake go rs java kt kts " +
    "scala c cpp cc cxx h hpp hxx cs swift sh bash zsh fish ps1 bat cmd env ini cfg conf config properties sql graphql gql proto vue svelte " +
    "astro ejs hbs pug jade php pl pm lua r dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for cmake make makefile gradle " +
    "sbt rst adoc asciidoc org tex latex lock log diff patch"
  ).split(" "),
);

/** `@name` at the beginning of a word, of what is emphasized, or of a link's words. */
const MENTION = /(?:^|[\s])(\*{1,3}|_{1,3}|\[)?@((?:[^\s\\]|\\ )[^\s\\]*(?:\\ [^\s\\]*)*)/g;

const CLOSERS: Readonly<Record<string, string>> = { "[": "]" };

/** What a Markdown file of Claude Code's imports with `@`, as written there: not in code, not in a comment. */
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

/** Blank in the place of fenced and indented blocks, code spans and comments. */
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
    // What ends a block of its own can't be gone on with by an indented line.
    isAfterBlank = line.trim() === "" || isIndented || mark !== undefined || line.trimEnd().endsWith("-->");
  }
  return withoutSpans(kept.join("\n"), "<!--", "-->", " ")
    .split(/\n[^\S\n]*\n/)
    .map(withoutCodeSpans)
    .join("\n\n");
}

/** A run of backticks ends with the next of its length. */
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

const MAX_DEPTH = 16;

const MAX_FILES = 1000;

/**
 * The Markdown files in a directory of rules and below, in the order in which the file system lists them. A link is
 * named by what it leads to, and must lead into a directory.
 */
export function rulesIn(
  directory: string,
  isWithin: (realPath: string) => boolean,
  origin: ReachedFile["origin"],
  facts: TreeFacts,
): MemoryStep[] {
  const steps: MemoryStep[] = [];
  const visited = new Set<string>();

  function walk(place: string, depth: number): void {
    const real = facts.realPath(place);
    if (real === undefined || visited.has(real) || depth > MAX_DEPTH) return;
    visited.add(real);
    for (const name of facts.list(place)) {
      const path = join(real, name);
      const what = facts.at(path);
      if (what?.kind === "directory") walk(path, depth + 1);
      else if (what?.kind === "file" && name.endsWith(".md") && steps.length < MAX_FILES) {
        // What is not below the directory itself was reached by a link.
        const isOut = !isInside(directory, what.realPath) && !isWithin(what.realPath);
        const refused = isOut && origin !== "home" ? { reason: "outside-root" as const } : undefined;
        steps.push({ path: what.realPath, origin, isFree: origin === "home", isRule: true, refused });
      }
    }
  }

  walk(directory, 0);
  return steps;
}

/** A text without what stands between two marks, the marks included; a first without a second stays. Linear in its length. */
export function withoutSpans(text: string, open: string, close: string, instead: string): string {
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
