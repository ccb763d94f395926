import { readBlocks } from "../lib/markdown/blocks.ts";
import { scanMentions } from "../lib/markdown/inline.ts";
import type { PathMention } from "../lib/markdown/paths.ts";
import { textPositions } from "../lib/text-positions.ts";
import { isNoImport, sentenceBefore } from "./mention-context.ts";

/*
 * Files of a skill that its text names without backticks. Prose may name any path, so only those count that begin with a
 * directory of skills, and that the text sends to, or lists.
 */

/** Each costs a look at the words around it. */
const MAX_PATHS = 1_000;
const MAX_LINE = 1_000;

/** Inputs and outputs of a skill's programs are often called `assets/…`; they are none of its files. */
const PATH = /\b(?:scripts|references)\/[\w./-]+/g;
const ENDING = /\.(?:md|py|sh|rb|[cm]?[jt]s)$/;

/**
 * @param from where the body begins
 * @param made gets those that the text says to be made, gone or an example
 */
export function plainPaths(text: string, from: number, made: Set<string>): PathMention[] {
  const found: PathMention[] = [];
  const positionOf = textPositions(text);
  let pathsLeft = MAX_PATHS;
  for (const { start, end } of text.search(PATH) < 0 ? [] : readBlocks(text, from).prose) {
    const marked: { readonly start: number; readonly end: number }[] = [];
    scanMentions(text, { start, end }, ({ written, at }) => marked.push({ start: at, end: at + written.length }) > 0);
    let next = 0;
    for (const { 0: run, index } of text.slice(start, end).matchAll(PATH)) {
      if (pathsLeft-- <= 0) return found;
      const at = start + index;
      while ((marked[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++;
      const path = run.replace(/\.$/, "");
      if ((marked[next]?.start ?? at + 1) <= at || !ENDING.test(path)) continue;
      if (isNoImport(text, at)) made.add(path);
      else if (isNamed(text, at, path)) found.push({ path, at, kind: "code", ...positionOf(at) });
    }
  }
  return found;
}

/** Whether the text sends to a path, or a line, a list item or a table cell is about it. */
function isNamed(text: string, at: number, path: string): boolean {
  const before = text.slice(Math.max(0, at - MAX_LINE), at);
  const own = before.slice(before.lastIndexOf("\n") + 1);
  const [rest = ""] = text.slice(at + path.length, at + path.length + MAX_LINE).split("\n", 1);
  if (!/(?:^|[\s*])$/.test(own) || !/^[\s*,.;:)|]|^$/.test(rest)) return false;
  if (SENT.test(sentenceBefore(text, at))) return true;
  return (ITEM.test(own) && AFTER_ITEM.test(rest)) || (CELL.test(own) && /^[*\s]*\|/.test(rest));
}

const SENT = /\b(?:read|see|follow|consult|refer to|run|execute|load|use|using|check)\s+\**$/i;
const ITEM = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\**$/;
const AFTER_ITEM = /^[*\s]*(?:$|[-–—:(])/;
const CELL = /^[ \t]*\|[ \t]*\**$/;
