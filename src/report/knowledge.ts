import type { Giver } from "../clients/record.ts";
import { FILE_HEADER } from "../instructions/elements.ts";
import { withoutEnd } from "../lib/text.ts";

/**
 * What a model knows of the instruction files, by the texts that it was given, from any source and in any frame: a
 * file's lines are searched in order. Pure.
 */

/** A file as it is now, without blank lines. */
export interface KnownFile {
  readonly path: string;
  readonly lines: readonly string[];
}

/**
 * `cut`: the beginning or another part; `stale`: another text under the file's name; `named`: only its path.
 */
export type Extent = "whole" | "cut" | "stale" | "named" | "none";

interface Evidence {
  readonly extent: Extent;
  /** Who gave it, or named it. */
  readonly by: Giver | "codelia" | undefined;
}

interface Heard {
  readonly lines: Set<number>;
  isNamed: boolean;
  /** Lines under its name that are not in it. */
  others: number;
  by: Evidence["by"];
}

interface Knowledge {
  /**
   * @input path: the file that contains the text, if known; isShown: a tool was to show that file, and may have shown
   *        other things with it
   */
  hear(text: string, by: Giver, path?: string, isShown?: boolean): void;
  forget(): void;
  of(path: string): Evidence;
}

type Place = readonly [file: number, line: number];

/** The lines of files, for look-up. */
export interface FileIndex {
  readonly files: readonly KnownFile[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly places: ReadonlyMap<string, readonly Place[]>;
  /** How long their lines are. */
  readonly lengths: ReadonlySet<number>;
  /** How what concerns a file may begin: its first line, a heading, its name. */
  readonly beginnings: readonly string[];
}

export function indexFiles(files: readonly KnownFile[]): FileIndex {
  const places = new Map<string, Place[]>();
  for (const [file, { lines }] of files.entries()) {
    for (const [line, text] of lines.entries()) {
      const known = places.get(text);
      if (known === undefined) places.set(text, [[file, line]]);
      else known.push([file, line]);
    }
  }
  const lengths = new Set([...places.keys()].flatMap(possibleLengths));
  const beginnings = [
    ...new Set([...HEADINGS, NAME_MARK, ...files.flatMap(({ lines: [first = ""] }) => beginningsOf(first))]),
  ];
  return { files, places, lengths, beginnings, numbers: new Map(files.map(({ path }, index) => [path, index])) };
}

/** A file's first line is searched by this much of it: few files begin differently. */
const BEGINNING_LENGTH = 2;

/** In both ways of writing `<`. */
function beginningsOf(line: string): string[] {
  const beginning = line.slice(0, BEGINNING_LENGTH);
  const written = [...beginning].reduce<string[]>(
    (before, each) => before.flatMap((start) => (each === "<" ? [`${start}<`, `${start}&lt;`] : [start + each])),
    [""],
  );
  return written.filter((text) => text !== "");
}

/** Each `<` may be written as `&lt;`. */
function possibleLengths(line: string): number[] {
  const signs = line.split("<").length - 1;
  return Array.from({ length: signs + 1 }, (_, index) => line.length + index * ("&lt;".length - 1));
}

/** The non-blank lines of a text, without what a reader adds around them. */
export function meaningfulLines(text: string): string[] {
  const lines: string[] = [];
  eachLine(text, 0, (from, to) => void lines.push(plain(text.slice(from, to))));
  return lines;
}

/** Iterates over the non-blank lines: their start and end, without blanks and a file tool's line number. */
function eachLine(text: string, start: number, take: (from: number, to: number) => void): void {
  for (let begin = start, newline = 0; begin < text.length; begin = newline + 1) {
    newline = text.indexOf("\n", begin);
    if (newline < 0) newline = text.length;
    let from = afterBlanks(text, begin);
    const digits = afterDigits(text, from);
    if (digits > from && (text[digits] === "\t" || text[digits] === "→")) from = afterBlanks(text, digits + 1);
    const to = beforeBlanks(text, from, newline);
    if (from < to) take(from, to);
  }
}

function afterBlanks(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === 0x20 || text.charCodeAt(end) === 0x09) end++;
  return end;
}

function beforeBlanks(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && text.charCodeAt(end - 1) <= 0x20) end--;
  return end;
}

function afterDigits(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  return end;
}

/** With the one character that a bundle may write differently. */
function plain(line: string): string {
  return line.includes("&lt;") ? line.replaceAll("&lt;", "<") : line;
}

const HEADINGS = [`${FILE_HEADER} `, "Contents of "];
/** Where a file's text ends in a bundle. */
const ENDS = ["</", "[shown: ", "--- project-doc ---"];
const NAME_MARK = "- /";
/** What a tool answers that did not show the file. */
const SHOWS_NOTHING = /^\s*(?:$|<)|No such file|File unchanged/;
const NAMED = /^- (\/.*?)(?: \(mtime: |$)/;

export function newKnowledge(index: FileIndex): Knowledge {
  let heard = new Map<number, Heard>();

  function entry(file: number): Heard {
    const known = heard.get(file) ?? { lines: new Set<number>(), isNamed: false, others: 0, by: undefined };
    heard.set(file, known);
    return known;
  }

  function hear(text: string, given: Giver, path?: string, isShown = false): void {
    const by = given === "hook" && (text.includes("<agents_") || text.includes("codelia")) ? "codelia" : given;
    let section = path === undefined || (isShown && SHOWS_NOTHING.test(text)) ? undefined : index.numbers.get(path);
    const begin = section === undefined ? firstConcern(index, text) : 0;
    if (begin < 0) return;
    const shown = isShown ? section : undefined;
    // The line with which each file continues, if the previous lines were its own.
    let open = new Map<number, number>();
    eachLine(text, begin, (from, to) => {
      // Nearly all lines of a session belong to no file, and are not extracted from the text.
      const isOther = section === undefined && !index.lengths.has(to - from) && !isSign(text.charCodeAt(from));
      if (isOther) {
        if (open.size > 0) open = new Map();
        return;
      }
      const line = plain(text.slice(from, to));
      const headed = headingOf(line);
      if (headed !== undefined) {
        section = index.numbers.get(headed);
        open = new Map();
        return;
      }
      if (ENDS.some((end) => line.startsWith(end))) {
        section = undefined;
        return;
      }
      const next = new Map<number, number>();
      for (const [file, at] of index.places.get(line) ?? []) {
        if (at !== 0 && open.get(file) !== at && section !== file) continue;
        const known = entry(file);
        known.lines.add(at);
        if (known.lines.size === index.files[file]?.lines.length || known.by === undefined) known.by = by;
        next.set(file, at + 1);
      }
      open = next;
      if (section !== undefined && section !== shown && !next.has(section)) entry(section).others++;
      const named = line.startsWith(NAME_MARK) ? index.numbers.get(NAMED.exec(line)?.[1] ?? "") : undefined;
      if (named === undefined) return;
      const known = entry(named);
      known.isNamed = true;
      known.by ??= by;
    });
    if (shown === undefined || heard.get(shown)?.lines.size) return;
    const known = entry(shown);
    known.others++;
    known.by = by;
  }

  return {
    hear,
    forget: () => void (heard = new Map()),
    of(path) {
      const file = index.numbers.get(path);
      const known = file === undefined ? undefined : heard.get(file);
      if (file === undefined || known === undefined) return { extent: "none", by: undefined };
      return { extent: extentOf(known, index.files[file]?.lines.length ?? 0), by: known.by };
    },
  };
}

/**
 * Where the first line begins that concerns a file: outside a file's own text only its first line, a heading with its
 * path, and its name do. -1 if there is none, as in nearly all texts of a session; so this goes by searches for a few
 * words, which take a fraction of the time of looking at each line.
 */
function firstConcern(index: FileIndex, text: string): number {
  let first = text.length;
  for (const beginning of index.beginnings) {
    for (let at = text.indexOf(beginning); at >= 0 && at < first; at = text.indexOf(beginning, at + 1)) {
      if (isAtStart(text, at) && concernsFile(index, text, at)) first = at;
    }
  }
  return first === text.length ? -1 : text.lastIndexOf("\n", first) + 1;
}

/** Whether a line's text may begin here: before it are blanks and a line number at most. */
function isAtStart(text: string, at: number): boolean {
  const before = at === 0 ? "\n" : text[at - 1];
  return before === "\n" || before === " " || before === "\t" || before === "→";
}

function concernsFile({ places, numbers }: FileIndex, text: string, at: number): boolean {
  const newline = text.indexOf("\n", at);
  const line = plain(text.slice(at, beforeBlanks(text, at, newline < 0 ? text.length : newline)));
  const heading = headingOf(line);
  if (heading !== undefined) return numbers.has(heading);
  const isNamed = line.startsWith(NAME_MARK) && numbers.has(NAMED.exec(line)?.[1] ?? "");
  return isNamed || places.get(line)?.some(([, number]) => number === 0) === true;
}

function extentOf({ lines, others, isNamed }: Heard, total: number): Extent {
  if (lines.size === total) return "whole";
  if (others > 0) return "stale";
  if (lines.size > 0) return "cut";
  return isNamed ? "named" : "none";
}

/**
 * Whether a line with this first character may be a heading, the end of a text, or a file's name: `I`, `C`, `<`, `[`,
 * `-`.
 */
function isSign(first: number): boolean {
  return first === 0x49 || first === 0x43 || first === 0x3c || first === 0x5b || first === 0x2d;
}

/** The file that a line announces; undefined if it announces none. */
function headingOf(line: string): string | undefined {
  const heading = HEADINGS.find((each) => line.startsWith(each));
  if (heading === undefined) return undefined;
  const [path = ""] = line.slice(heading.length).split(" (", 1);
  return withoutEnd(path, ":");
}

export interface WatchedSkill {
  readonly name: string;
  readonly description: string;
  /** As in the session. */
  readonly path: string;
}

export interface SkillCounts {
  /** Contexts. */
  listed: number;
  loaded: number;
}

interface SkillWatch {
  /** The client or a hook gave a text. */
  hear(text: string): void;
  /** A tool of the client loads a skill by its name. */
  load(name: string): void;
  /** The context ends or is compacted. */
  end(of: (path: string) => Evidence): void;
}

/** As much of a description as every listing shows, unless it shows none. */
const SHOWN_LENGTH = 40;
/** Where a listing may write a character in another way. */
const SPECIAL = /[<>&"'\s]/;

/**
 * Notes which skills a model was told of, and which it loaded, in the contexts of a session. A skill's text is among the
 * files whose lines are searched, so what is known of it says whether it was loaded.
 *
 * @input counts: by path, to be added to
 */
export function watchSkills(skills: readonly WatchedSkill[], counts: ReadonlyMap<string, SkillCounts>): SkillWatch {
  let listed = new Set<string>();
  let loaded = new Set<string>();
  const marks = skills.map(({ name, description, path }) => {
    const words = description.slice(0, SHOWN_LENGTH).split(SPECIAL);
    return { name, path, words: words.toSorted((left, right) => right.length - left.length).slice(0, 3) };
  });
  return {
    hear(text) {
      for (const { name, path, words } of marks) {
        if (listed.has(path)) continue;
        const isDescribed = () => text.includes(name) && words.every((word) => text.includes(word));
        if (text.includes(path) || isDescribed()) listed.add(path);
      }
    },
    load(name) {
      const bare = name.slice(name.lastIndexOf(":") + 1);
      for (const skill of skills) if (skill.name === name || skill.name === bare) loaded.add(skill.path);
    },
    end(of) {
      for (const { path } of skills) {
        const count = counts.get(path);
        if (count === undefined) continue;
        if (listed.has(path)) count.listed++;
        if (loaded.has(path) || of(path).extent === "whole") count.loaded++;
      }
      listed = new Set();
      loaded = new Set();
    },
  };
}
