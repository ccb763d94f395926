import { resolve } from "node:path";
import { isFull, nothingFound, touch, touchedPaths, type Found, type TouchedPath } from "./touched.ts";

const MAX_LENGTH = 4096;

/** The files that a prompt mentions: `@src/x.ts`, `@"with space.md"`, `@src/x.ts#L10-20`; no address, no lone name. */
export function pathsOfPrompt(text: string, cwd: string, home: string): TouchedPath[] {
  const found = nothingFound();
  const base = resolve(cwd);
  for (let at = text.indexOf("@"); at !== -1 && !isFull(found); at = text.indexOf("@", at + 1)) {
    if (!isFree(text, at)) continue;
    const mentioned = mentionAt(found, text, at + 1);
    const path = mentioned === "~" || mentioned.startsWith("~/") ? resolve(base, home) + mentioned.slice(1) : mentioned;
    if (path !== "" && !path.includes("://")) touch(found, base, path, "read");
  }
  return touchedPaths(found);
}

/** Behind a letter it is an address: `name@example.com`. */
function isFree(text: string, at: number): boolean {
  return at === 0 || " \t\r\n([{<\"'`,;:、。「（".includes(text[at - 1] as string);
}

/** Mentions may stand in each other, each as long as it may be: what was read counts, whatever comes of it. */
function mentionAt(found: Found, text: string, start: number): string {
  const quote = text[start];
  if (quote === "@") return "";
  if (quote === '"' || quote === "'") {
    const end = text.slice(start + 1, start + 1 + MAX_LENGTH).search(quote === '"' ? /["\n]/ : /['\n]/);
    found.work += (end === -1 ? MAX_LENGTH : end) >> 6;
    return end === -1 || text[start + 1 + end] === "\n" ? "" : text.slice(start + 1, start + 1 + end);
  }
  let path = "";
  let index = start;
  for (; index < text.length && index - start < MAX_LENGTH; index++) {
    const char = text[index] as string;
    if (char === "\\" && text[index + 1] === " ") {
      path += " ";
      index++;
    } else if (" \t\r\n\"'`<>|*?、。「」（）".includes(char)) break;
    else path += char;
  }
  found.work += (index - start) >> 6;
  if (index - start >= MAX_LENGTH) return "";
  const line = path.search(/#L?\d|:\d+(?:[-:]|$)/);
  return withoutPunctuation(line === -1 ? path : path.slice(0, line));
}

/** A sentence goes on behind a file's name; brackets that belong to it stay. */
function withoutPunctuation(path: string): string {
  let end = path.length;
  while (end > 0) {
    const char = path[end - 1] as string;
    const isPart =
      (char === ")" && path.lastIndexOf("(", end) !== -1) || (char === "]" && path.lastIndexOf("[", end) !== -1);
    if (isPart || !".,;:!?)]}".includes(char)) break;
    // `@..` and `@.` are directories.
    if (char === "." && (end === 1 || path.slice(0, end) === ".." || path.slice(0, end).endsWith("/.."))) break;
    end--;
  }
  return path.slice(0, end);
}
