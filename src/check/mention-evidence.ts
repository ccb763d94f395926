import { dirname } from "node:path/posix";
import type { PathMention } from "../lib/markdown/paths.ts";
import { headingOf, introductionOf, isSaidToBeGone, ITEM, sentenceBefore } from "./mention-context.ts";
import { PAGE } from "./path-mentions.ts";

/*
 * Whether a path in a code span is certainly meant to exist. Most paths that do not are examples, files to come, or files
 * of another place, and no list of the words for that is ever complete. So something must speak for a path: the words
 * around it, or what stands beside it and exists.
 */

/** Another path in the same text. */
export interface Neighbour extends PathMention {
  readonly isThere: boolean;
}

/**
 * @param hasStart its first directory exists
 * @param hasNamesake a file of that name is elsewhere, which makes it likely that it has moved
 */
export function isMeantToExist(
  text: string,
  mention: PathMention,
  {
    neighbours,
    hasStart,
    hasNamesake,
  }: { readonly neighbours: readonly Neighbour[]; readonly hasStart: boolean; readonly hasNamesake: boolean },
): boolean {
  if (OUTPUT.test(mention.path) || GONE.test(lineBefore(text, mention.at))) return false;
  if (INCLUDED.test(mention.path) && !hasNamesake) return false;
  const before = sentenceBefore(text, mention.at);
  const words = withoutSpans(before);
  if (DENIED.test(words) || (COPIED.test(before) && INTO.test(before)) || isSaidToBeGone(text, mention)) return false;
  const clause = lastClause(words);
  // Of the files that clients read, texts also speak in general.
  if (OF_CLIENTS.test(mention.path) && !hasNamesake) return SENT_DIRECTLY.test(clause);
  if (hasNamesake || isRun(text, mention) || isInListToRead(text, mention.at) || READ.test(clause)) return true;
  if (hasStart && KEY_FILES.test(headingOf(text, mention.at)) && BEGINS.test(lineBefore(text, mention.at))) return true;
  // Where not even its first directory exists, most paths are of another place, but for pages.
  return (
    (hasStart || PAGE.test(mention.path)) &&
    ([DONE, SENT_TO, CONTINUED].some((said) => said.test(clause)) ||
      SENT_BY.test(afterSpans(clause)) ||
      LABEL.test(before) ||
      isAmongOthers(mention, neighbours))
  );
}

/** What stands before the backtick at the end, which opens a span, without what is in other spans. */
function withoutSpans(before: string): string {
  const isCut = before.split("`").length % 2 === 1;
  return before.slice(isCut ? before.indexOf("`") + 1 : 0).replaceAll(/`[^`]*`/g, "``");
}

function lastClause(before: string): string {
  return before.slice(Math.max(...[";", "—", "–"].map((mark) => before.lastIndexOf(mark))) + 1);
}

/** The words behind the last span before the one at the end. */
function afterSpans(clause: string): string {
  const words = clause.endsWith("`") ? clause.slice(0, -1) : clause;
  return words.slice(words.lastIndexOf("`") + 1);
}

/** "NOT `a/b.ts`", "must not be under `a/`", "(was `a/b.md`)" */
const DENIED =
  /\b(?:not|never|no|avoid|instead of|rather than|was|were|formerly|old|pattern|wrong|correct|removed|deleted|retired|dropped|gone|pre-?existing|split from)\b|n't\b|[❌✅→]/i;

/** "Copy `a.md` into `b.md`": it is made. */
const COPIED = /\b(?:cop(?:y|ies|ied)|moves?|moved|writes?|saves?|exports?|inject(?:s|ed)?|renders?)\b/i;
const INTO = /\b(?:to|into|as)[\s*_"'(`]*$/i;

/** "These do not exist: …", earlier in the line. */
const GONE = /\b(?:(?:do|does|did)(?: not|n't) exist|no longer exists?|dead[- ]links?)\b/i;

function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_LINE), at);
  return before.slice(before.lastIndexOf("\n") + 1);
}

const MAX_LINE = 1_000;

/** What is to be done with a file that exists, in the same sentence. */
const READ = /\b(?:read|see|follow|consult|check|refer|run|open|visit|study|review)\b/i;
const DONE = /\b(?:edit(?:ing)?|chang(?:e|ing)|updat(?:e|ing)|modify(?:ing)?|us(?:e|es|ing))\b/i;
const SENT_TO =
  /\b(?:defined in|described in|documented in|explained in|specified in|implemented in|lives? in|look(?:s|ing)? at|extend(?:s|ing)?|mirrors?|import(?:s|ed|ing)?|keep(?:s|ing)? to|adhere to|comply with|heed|load)\b/i;
/** "by `a/b.md`"; not "per-repo" */
const SENT_BY = /(?:^|[\s(])(?:by|via|per)\s/i;
const SENT_DIRECTLY = /\b(?:read|see|follow|consult|heed)(?:s|ing)?\s[^`]{0,20}`?$/i;
const OF_CLIENTS = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|SKILL|copilot-instructions)\.md$|\.mdc$/;
const CONTINUED = /^\s*(?:and|then|also|again)\b/i;

/** "## Key files", "## Where to look", above a list that begins with the path or a table with a cell that does. */
const KEY_FILES =
  /\b(?:key|important|main|core|critical|essential)\b[^\n]{0,20}\bfiles?\b|\bwhere to (?:look|find|start)\b/i;
const BEGINS = /^[\s>]*(?:[-*+]|\d+[.)])[\s*_]*`?$|\|[\s*_]{0,8}`?$/;

/** "**Reference**: `a/b.md`" */
const LABEL =
  /\b(?:doc(?:s|ument|umentation)?|reference|guide|spec(?:ification)?|source|details|location|incident|runbook)s?[*_]*:[*_]*\s*`?$/i;

/** Whether it is a program that a command runs. */
function isRun(text: string, { at, path }: PathMention): boolean {
  return text[at - 1] !== "`" || /^\.\/.*\.(?:sh|py|[cm]?[jt]s)$/.test(path);
}

/** "Read these files:", above the list in which it stands. */
function isInListToRead(text: string, at: number): boolean {
  const window = text.slice(Math.max(0, at - MAX_LIST), at);
  const begin = window.lastIndexOf("\n") + 1;
  if (!ITEM.test(window.slice(begin))) return false;
  const introduction = introductionOf(window.slice(0, Math.max(0, begin - 1)));
  return /:[*_]*\s*$/.test(introduction) && /^\W*(?:read|see|follow|consult)\b/i.test(introduction);
}

const MAX_LIST = 2_000;

/** How many lines away others are looked for. A list of directories may name some that are still to come. */
const NEAR_LINES = 8;
const NEAR_LINES_OF_DIRECTORY = 0;

/** Whether other files of the same directory are named beside it, and exist. */
function isAmongOthers({ path, line }: PathMention, neighbours: readonly Neighbour[]): boolean {
  if (DATA.test(path)) return false;
  const directory = directoryOf(path);
  const near = path.endsWith("/") ? NEAR_LINES_OF_DIRECTORY : NEAR_LINES;
  return neighbours.some(
    (other) => other.isThere && Math.abs(other.line - line) <= near && directoryOf(other.path) === directory,
  );
}

/** What programs and people leave beside files of a project. */
const DATA = /\.(?:json|jsonl|ya?ml|toml|csv|tsv|txt|env|lock)$/;

/** What a build or a report writes. */
const OUTPUT =
  /(?:^|\/)(?:generated|__generated__|dist|coverage)\/|(?:^|\/)reports?\/[^/]*\.(?:json|csv|html|xml)$|\.(?:generated|gen|g)\.[a-z]+$/;

/** `fmt/core.h`: how a header of another package is included. */
const INCLUDED = /^[\w.-]+\/[\w.-]+\.(?:h|hh|hpp|hxx)$/;

/** Whether a link is quoted as an example: `e.g. "… [more](page.md)"` */
export function isQuotedExample(text: string, { at }: PathMention): boolean {
  return QUOTED_EXAMPLE.test(lineBefore(text, at));
}

const QUOTED_EXAMPLE = /(?:\be\.g\.|\bfor example|\bexamples?:),?\s?["“][^"”]{0,200}$/i;

function directoryOf(path: string): string {
  return dirname(path.replace(/^(?:\.\/)+/, ""));
}
