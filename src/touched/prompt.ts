import { resolve } from "node:path";
import { isFull, nothingFound, touch, touchedPaths, type Found, type TouchedPath } from "./paths.ts";

const MAX_LENGTH = 4096;

/** The files that a prompt mentions: `@src/x.ts`, `@"with space.md"`, `@src/x.ts#L10-20`. */
export function pathsOfPrompt(text: string, cwd: string, home: string): TouchedPath[] {
  const found = nothingFound();
  const base = resolve(cwd);
  const word: Word = { start: 0, end: 0 };
  for (let at = text.indexOf("@"); at !== -1 && !isFull(found); at = text.indexOf("@", at + 1)) {
    if (!beginsMention(text, at)) continue;
    const mentioned = mentionAt(found, text, at + 1, word);
    const path = mentioned === "~" || mentioned.startsWith("~/") ? resolve(base, home) + mentioned.slice(1) : mentioned;
    if (path !== "" && !path.includes("://")) touch(found, base, path, "read");
  }
  return touchedPaths(found);
}

/** In `name@example.com` the sign is part of an address. */
function beginsMention(text: string, at: number): boolean {
  return at === 0 || " \t\r\n([{<\"'`,;:、。「（".includes(text[at - 1] as string);
}

/** A part of the prompt without blanks. All mentions inside it end with it: `@a@b`. */
interface Word {
  start: number;
  end: number;
}

/** Reading counts as work, and reading the same word again counts more, because mentions may overlap. */
function mentionAt(found: Found, text: string, start: number, word: Word): string {
  const quote = text[start];
  if (quote === "@") return "";
  if (quote === '"' || quote === "'") {
    const end = text.slice(start + 1, start + 1 + MAX_LENGTH).search(quote === '"' ? /["\n]/ : /['\n]/);
    found.work += (end === -1 ? MAX_LENGTH : end) >> 6;
    return end === -1 || text[start + 1 + end] === "\n" ? "" : text.slice(start + 1, start + 1 + end);
  }
  const isInside = start >= word.start && start < word.end;
  if (!isInside) Object.assign(word, { start, end: wordEnd(text, start) });
  const length = word.end - start;
  if (length >= MAX_LENGTH) return "";
  found.work += length >> (isInside ? 3 : 6);
  const path = text.slice(start, word.end).replaceAll("\\ ", " ");
  const line = path.search(/#L?\d|:\d+(?:[-:]|$)/);
  return withoutPunctuation(line === -1 ? path : path.slice(0, line));
}

/** A word ends at blanks, quotes and some signs, but not at an escaped blank. */
function wordEnd(text: string, start: number): number {
  let end = start;
  for (; end < text.length; end++) {
    if (text[end] === "\\" && text[end + 1] === " ") end++;
    else if (" \t\r\n\"'`<>|*?、。「」（）".includes(text[end] as string)) break;
  }
  return Math.min(end, text.length);
}

/** Without the punctuation of its sentence; brackets that are part of the name stay. */
function withoutPunctuation(path: string): string {
  const [round, square] = [path.indexOf("("), path.indexOf("[")];
  const opensBefore = (open: number, end: number) => open !== -1 && open < end;
  let end = path.length;
  while (end > 0) {
    const char = path[end - 1] as string;
    const isPart = (char === ")" && opensBefore(round, end)) || (char === "]" && opensBefore(square, end));
    if (isPart || !".,;:!?)]}".includes(char)) break;
    // `@..` and `@.` are directories.
    if (char === "." && (end === 1 || (end === 2 && path[0] === ".") || path.startsWith("/..", end - 3))) break;
    end--;
  }
  return path.slice(0, end);
}
