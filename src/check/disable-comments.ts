import { RULE_NAMES, type RuleName } from "../config/rule-names.ts";
import { readBlocks } from "../lib/markdown/blocks.ts";
import { groupBy } from "../lib/sorting.ts";
import { didYouMean } from "../lib/words.ts";
import type { Finding } from "./findings.ts";
import { lstatOf } from "../lib/path-facts.ts";
import { textAt } from "../lib/read-file.ts";
import { finding, type Rule } from "./rules.ts";

/*
 * Comments that disable rules in one Markdown file:
 *
 *     <!-- codelia-disable-next-line RULE, …: REASON -->
 *     <!-- codelia-disable RULE, …: REASON -->  …  <!-- codelia-enable RULE, … -->
 *     <!-- codelia-disable-file RULE, …: REASON -->
 *
 * Each stands alone on its line, outside of code.
 */

interface DisableComment {
  readonly line: number;
  readonly rule: string;
  /** The lines that it is about. */
  readonly from: number;
  to: number;
}

/** Rules that report only with some flags, or only where the whole repository is checked. */
const DEPENDING: ReadonlySet<string> = new Set<RuleName>([
  "instructions-shadowed",
  "instructions-left-out",
  "instructions-cut",
  "instructions-own-name",
  "baseline-stale",
]);

const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * The findings without those that comments in their files disable.
 *
 * @effect reads the Markdown files among `checked` whose texts are not given
 */
export function enabledFindings(
  findings: readonly Finding[],
  checked: readonly string[],
  rules: readonly Rule[],
  texts: readonly { readonly path: string; readonly text: string }[] = [],
): Finding[] {
  const known = new Map(texts.map(({ path, text }) => [path, text]));
  const checkable = new Set<string>(rules.map(({ id }) => id));
  const byPath = groupBy(findings, ({ path }) => path);
  const paths = new Set([...byPath.keys(), ...checked]);
  return [...paths].flatMap((path) => {
    const found = byPath.get(path) ?? [];
    const text = known.get(path) ?? (isReadable(path) ? textAt(path, MAX_TEXT_BYTES) : undefined);
    return text === undefined ? found : withoutDisabled(path, text, found, checkable);
  });
}

/** A link may lead out of the repository. */
function isReadable(path: string): boolean {
  return path.endsWith(".md") && lstatOf(path)?.isFile() === true;
}

/**
 * The findings of one file without those that its comments disable, and a finding for each comment that disables
 * nothing.
 *
 * @param checkable the rules that were checked
 */
export function withoutDisabled(
  path: string,
  text: string,
  findings: readonly Finding[],
  checkable: ReadonlySet<string>,
): readonly Finding[] {
  const comments = disableComments(text);
  if (comments.length === 0) return findings;
  const used = new Set<DisableComment>();
  const left = findings.filter(({ rule, line = 1 }) => {
    const disabling = comments.filter((each) => each.rule === rule && each.from <= line && line <= each.to);
    for (const each of disabling) used.add(each);
    return disabling.length === 0;
  });
  const unused = comments.filter((each) => !used.has(each)).flatMap((each) => unusedComment(path, each, checkable));
  return [...left, ...unused];
}

function unusedComment(path: string, { rule, line }: DisableComment, checkable: ReadonlySet<string>): Finding[] {
  const isKnown = (RULE_NAMES as readonly string[]).includes(rule);
  if (isKnown && (DEPENDING.has(rule) || !checkable.has(rule))) return [];
  const message = isKnown
    ? `it disables '${rule}', which reports nothing here`
    : `there is no rule '${rule}'${didYouMean(rule, RULE_NAMES)}`;
  return [finding("disable-unused", { path, line, message, remedy: isKnown ? "remove it" : "correct or remove it" })];
}

const START = "<!--";
const END = "-->";
const PREFIX = "codelia-";
const KINDS = ["disable-next-line", "disable-file", "disable", "enable"] as const;

/** A hostile file could have a million. */
const MAX_COMMENTS = 1_000;

function disableComments(text: string): DisableComment[] {
  if (!text.includes(PREFIX)) return [];
  const { code } = readBlocks(text, 0);
  const lines = text.split("\n");
  const comments: DisableComment[] = [];
  /** Those for the next line that has text: blank lines and further comments of ours are passed. */
  let waiting: { line: number; rule: string }[] = [];
  let nextCode = 0;
  let at = 0;
  for (const [index, written] of lines.entries()) {
    const line = index + 1;
    const end = at + written.length;
    while (nextCode < code.length && (code[nextCode]?.end ?? 0) <= at) nextCode++;
    const isCode = (code[nextCode]?.start ?? Number.POSITIVE_INFINITY) < end;
    const said = isCode ? undefined : commentIn(written);
    at = end + 1;
    if (said === undefined) {
      if (written.trim() === "") continue;
      comments.push(...waiting.map((each) => ({ line: each.line, rule: each.rule, from: line, to: line })));
      waiting = [];
    }
    if (comments.length + waiting.length > MAX_COMMENTS) break;
    for (const rule of said?.rules ?? []) {
      if (said?.kind === "disable-next-line") waiting.push({ line, rule });
      else if (said?.kind === "disable-file") comments.push({ line, rule, from: 1, to: lines.length });
      else if (said?.kind === "disable") comments.push({ line, rule, from: line, to: lines.length });
      else {
        const open = comments.findLast((each) => each.rule === rule && each.to === lines.length);
        if (open !== undefined) open.to = line;
      }
    }
  }
  return [...comments, ...waiting.map(({ line, rule }) => ({ line, rule, from: 0, to: 0 }))];
}

function commentIn(line: string): { kind: (typeof KINDS)[number]; rules: string[] } | undefined {
  const plain = line.trim();
  if (!plain.startsWith(START) || !plain.endsWith(END) || plain.length < START.length + END.length) return undefined;
  const said = plain.slice(START.length, -END.length).trim();
  const kind = KINDS.find((each) => said === PREFIX + each || said.startsWith(`${PREFIX}${each} `));
  if (kind === undefined) return undefined;
  const [names = ""] = said.slice(PREFIX.length + kind.length).split(":", 1);
  return {
    kind,
    rules: names
      .split(",")
      .flatMap((name) => name.trim().split(" ", 1))
      .filter((name) => name !== ""),
  };
}
