import { basename, dirname, join, relative } from "node:path";
import { remember } from "../clients/tree-facts.ts";
import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import { isLinked, realPathOf } from "../lib/path-facts.ts";
import { withSlashes } from "../lib/paths.ts";
import { readText, textWithin } from "../lib/read-file.ts";
import { valueAt } from "../lib/table.ts";
import { MAX_TEXT_BYTES } from "./instruction-files.ts";
import type { CheckScene } from "./scene.ts";

/*
 * Whether it is meant that one file hides another from a client: the client is given the same in another way, or the
 * file is for others.
 */

/**
 * @param by what hides the file
 * @param beside the same where the file is, if it is there
 */
export function isMeantHidden(beside: string, by: string, path: string, root: string): boolean {
  return (
    givesAllOf(beside, path, root) ||
    isForOthers(by, path) ||
    isForAnotherClient(path, root) ||
    isShipped(path, root) ||
    isPageOfTests(path, root) ||
    OF_PRODUCT.test(path)
  );
}

/** Where a text waits to be installed elsewhere. */
const OF_PRODUCT = /[\\/](?:context|prompts?)[\\/][^\\/]+$/;

/** Whether a file says nearly the same as the one beside it that it hides, or one of them sends its reader to the other. */
function givesAllOf(by: string, path: string, root: string): boolean {
  const [shown, hidden] = [by, path].map((each) => textWithin(root, each, MAX_TEXT_BYTES));
  if (shown === undefined || hidden === undefined) return false;
  // A guide of its own for one client, or the source of what was made for others.
  if (shown.length >= Math.max(OWN_GUIDE, hidden.length / 4)) return true;
  if (hidden.slice(0, MAX_NOTICE).includes(basename(by))) return true;
  const known = new Set(linesOf(shown));
  const lines = linesOf(hidden);
  const isSame = lines.filter((line) => known.has(line)).length >= lines.length * SAME;
  const isNamed = shown.toLowerCase().includes(basename(path).toLowerCase());
  return isSame || isNamed || (lines.length < 4 && hidden.includes(basename(by)));
}

/** What the reader of a file is told of others further down. */
export interface Pointers {
  /** Whether it names one by its path. */
  names(by: string, path: string): boolean;
  /**
   * Whether it, or the AGENTS.md beside it that it names, sends its reader on to one, by its path or in general ("Read
   * the nearest `AGENTS.md`"). Where most of those have a file of its name beside them, it is a habit.
   */
  sendOn(by: string, path: string): boolean;
}

export function pointersIn({ root, instructions }: CheckScene): Pointers {
  const directories = new Map<string, string[]>();
  for (const { path, directory } of instructions.candidates) {
    if (directory !== root) directories.set(directory, [...(directories.get(directory) ?? []), basename(path)]);
  }
  const holders = [...directories.values()].filter((names) => names.includes("AGENTS.md"));
  const saidBy = remember((by) => {
    const text = textWithin(root, by, MAX_TEXT_BYTES) ?? "";
    const place = basename(dirname(by)).startsWith(".") ? dirname(dirname(by)) : dirname(by);
    const beside = text.includes("AGENTS.md") ? textWithin(root, join(place, "AGENTS.md"), MAX_TEXT_BYTES) : "";
    return `${text}\n${beside ?? ""}`.replaceAll("\\", "/");
  });
  const sendsOn = remember((by) => saidBy(by).split("\n").some(sendsToOthers));
  const isHabit = (name: string) => holders.filter((names) => names.includes(name)).length * 2 >= holders.length;
  const names = (by: string, path: string) =>
    [path, realPathOf(path) ?? path].some((each) => saidBy(by).includes(withSlashes(relative(root, each))));
  return { names, sendOn: (by, path) => (sendsOn(by) || names(by, path)) && !isHabit(basename(by)) };
}

/** "Read the nearest `AGENTS.md`" */
function sendsToOthers(line: string): boolean {
  return [...line.matchAll(/AGENTS\.md/g)].some(({ index }) => {
    const before = line.slice(Math.max(0, index - MAX_ORDER), index);
    const after = line.slice(index, index + MAX_ORDER);
    const isOrdered = ORDERS.test(before) || HOLDS.test(after);
    return isOrdered && (OF_OTHERS.test(before) || IN_OTHERS.test(after));
  });
}

const MAX_ORDER = 160;
const ORDERS = /\b(?:read|follow|prefer|consult|check|see|look|open|obey|apply)\b|[读讀看参參遵以]/i;
const OF_OTHERS =
  /(?:\b(?:nearest|nearer|closest|closer|nested|scoped|needed|relevant|applicable|respective|child|(?:sub-?director|director)(?:y|ies)(?:'s)?|(?:per-)?(?:package|crate|module|directory)(?:-(?:level|specific))?)(?: [\w-]{1,20})?|子目[录錄]|最近的?) ?[`*_]{0,3}$/i;
/** "Nested `AGENTS.md` files take precedence" */
const HOLDS =
  /^AGENTS\.md[`*_]{0,3}(?: files?)? (?:appl(?:y|ies)|cover|govern|override|add|take|hold|contain|describe)s?\b/i;
/** "`AGENTS.md` in each package" */
const IN_OTHERS =
  /^AGENTS\.md[`*_]{0,3}(?: files?)? (?:in|of|for|under|within) (?:each|every|that|(?:the|its) (?:nearest|closest|relevant|respective|corresponding|affected))\b/i;

const OWN_GUIDE = 512;

/** How much of a file may be a notice about what it was made from. */
const MAX_NOTICE = 512;

/**
 * Whether a file further up that hides another is a whole guide for one client, beside one for the others that it does
 * not import: then the files further down are for the others, too.
 */
function isForOthers(by: string, path: string): boolean {
  const beside = join(dirname(by), basename(path));
  if (dirname(by) === dirname(path) || isLinked(by) || isLinked(beside)) return false;
  const [shown, other] = [by, beside].map((each) => readText(each, MAX_TEXT_BYTES));
  if (shown?.kind !== "text" || other?.kind !== "text" || shown.text.includes(`@${basename(path)}`)) return false;
  return Math.min(shown.text.length, other.text.length) >= WHOLE_GUIDE;
}

const WHOLE_GUIDE = 1024;

const OTHER_CLIENTS = /\b(?:codex|cursor|copilot|gemini|opencode|jules|amp|cline|windsurf)\b/i;

/** "# Context for Codex CLI" */
function isForAnotherClient(path: string, root: string): boolean {
  const [title = ""] = textWithin(root, path, MAX_TEXT_BYTES)?.trimStart().split("\n", 1) ?? [];
  return title.startsWith("#") && OTHER_CLIENTS.test(title) && !/claude/i.test(title);
}

const OF_TESTS = /[\\/]tests?[\\/]/;

/** Whether it is input for a test: instruction files have no header. */
function isPageOfTests(path: string, root: string): boolean {
  const text = OF_TESTS.test(path.slice(root.length)) ? textWithin(root, path, MAX_TEXT_BYTES) : undefined;
  return text !== undefined && frontMatterOf(text).headerEnd > 0;
}

/** Whether a package takes it along, for those who install the package. */
function isShipped(path: string, root: string): boolean {
  const manifest = textWithin(root, join(dirname(path), "package.json"), MAX_TEXT_BYTES);
  try {
    const files = valueAt(JSON.parse(manifest ?? "null"), "files");
    return Array.isArray(files) && files.includes(basename(path));
  } catch {
    return false;
  }
}

/** The share of equal lines from which two files are copies of each other. */
const SAME = 0.9;

function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}
