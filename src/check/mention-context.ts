import type { CodeSpan, PathMention } from "../lib/markdown/paths.ts";

/*
 * What the words around a path in a code span say about it: whether the file is new, gone, elsewhere or an example, so
 * that it need not exist.
 */

/** How much of a text is examined: before a span, after it, and up to the line that introduces its list. */
const MAX_BEFORE = 200;
const MAX_AFTER = 80;
const MAX_LIST = 2_000;
const MAX_SECTION = 20_000;

/** Whether the text says that a path need not exist here. */
export function isSaidToBeMissing(text: string, { written, at }: CodeSpan): boolean {
  return (
    isSaidBefore(text, at - 1) ||
    isOfSeparateRepository(text, { written, at }) ||
    isSaidAfter(text.slice(at + written.length, at + written.length + MAX_AFTER)) ||
    isListedSo(text, at) ||
    isInColumnOfOthers(text, at) ||
    isMatchOfPattern(text, at) ||
    isTitleOfBlock(text, { written, at }) ||
    GONE_SECTION.test(headingOf(text, at))
  );
}

/** "`a/b.md`: the guide (coming soon)", "`a/` and `b/` are deleted" */
const TO_COME =
  /\b(?:coming soon|not yet|deferred|to be (?:added|created|written|defined)|planned|todo|tbd|(?:is|are|was|were) (?:deleted|removed|retired|gone|(?:intentionally )?unused)|n(?:ever|either was ever) (?:implemented|written|added)|superseded|only while|eliminad[oa]s?|borrad[oa]s?|removid[oa]s?|supprimée?s?|gelöscht|entfernt)\b|已删除|已移除|削除/i;

/** Whether the rest of the line says that the file is gone, or still to come. */
export function isSaidToBeGone(text: string, { at }: { readonly at: number }): boolean {
  return TO_COME.test(restOfLine(text, at));
}

const MAX_REST = 200;

function restOfLine(text: string, at: number): string {
  return text.slice(at, at + MAX_REST).split("\n", 1)[0] ?? "";
}

/** Without the paths in code that the text says elsewhere to be made, gone or an example. */
export function withoutMade(mentions: readonly PathMention[], made: ReadonlySet<string>): readonly PathMention[] {
  return mentions.filter(({ kind, path }) => kind === "link" || !made.has(path));
}

/** Whether a path stands alone above a block of code, which shows what is to be written into it. */
function isTitleOfBlock(text: string, { written, at }: CodeSpan): boolean {
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at);
  const isFirst = /^[\s*_#>\d.)-]*`$/.test(before.slice(before.lastIndexOf("\n") + 1));
  const after = text.slice(at + written.length, at + written.length + MAX_AFTER);
  return isFirst && /^`[*_]{0,3}:?[*_]{0,3} {0,3}\r?\n\s{0,8}(?:```|~~~)/.test(after);
}

/** Whether the words before an import or a path say that it need not exist here, or those of its whole line. */
export function isNoImport(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at);
  const [after = ""] = text.slice(at, at + MAX_BEFORE).split("\n", 1);
  const line = before.slice(before.lastIndexOf("\n") + 1) + after;
  return (
    UNSURE.test(line.replaceAll(/@\S+/g, "")) ||
    isSaidBefore(text, at) ||
    isListedSo(text, at) ||
    GONE_SECTION.test(headingOf(text, at))
  );
}

/** Of a file that each user may have, and of how to write an import. */
const UNSURE =
  /\b(?:optional(?:ly)?|personal|private|local|if (?:it |they |this file )?(?:exists?|present|available|needed)|when (?:present|available)|(?:git-?)?ignored|example|syntax|placeholder|mention|reference (?:it|them|files?) (?:with|as|by|using))\b|->|→/i;

function isSaidBefore(text: string, end: number): boolean {
  const before = withoutSiblings(sentenceBefore(text, end));
  const isElsewhere = [OF_ANOTHER_REPOSITORY, OF_ANOTHER_PLUGIN, OF_LINKED_REPOSITORY, OF_ANY, OF_USER].some((words) =>
    words.test(before),
  );
  const isResult = EXPECTED.test(before) || (MOVES.test(before) && DESTINATION.test(before));
  return isElsewhere || isResult || isNotThereYet(before) || isAmongExamples(before);
}

/** "**Expected:** a script `x` that …" */
const EXPECTED = /^\W{0,8}(?:expected|result|outcome|output|deliverables?)\b[^\n]{0,12}:/i;
/** "Extract the long examples to `x`" */
const MOVES = /\b(?:extract|move|split|cop(?:y|ie)|export|render|convert|merge)(?:e?s|ed|t?ing)?\b/i;
const DESTINATION = /\b(?:to|into|as)[\s*_"'(]{0,8}$/i;

function isSaidAfter(after: string): boolean {
  return WAS.test(after) || AFTER.test(after) || MARKED.test(after);
}

/** Where another paragraph, list item, table cell or sentence begins. */
const BOUNDARY = /\n[ \t]*(?:\n|[-*+>|#]|\d+[.)][ \t])|\||[.!?](?:[*_"')]*)[ \n]/g;
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs)$/i;

/** The part of the sentence that stands before an offset. */
export function sentenceBefore(text: string, at: number): string {
  const window = text.slice(Math.max(0, at - MAX_BEFORE), at);
  let start = 0;
  for (const { 0: mark, index } of window.matchAll(BOUNDARY)) {
    if (!mark.startsWith(".") || !ABBREVIATION.test(window.slice(Math.max(0, index - 5), index))) {
      start = index + mark.length;
    }
  }
  return window.slice(start);
}

/** Without the spans that the same words introduce: "such as `a`, `b` or". */
function withoutSiblings(before: string): string {
  let rest = before;
  for (;;) {
    const joined = rest
      .trimEnd()
      .replace(/(?:,|\bor|\band|\/)$/, "")
      .trimEnd()
      .replace(/,$/, "");
    if (joined.length === rest.trimEnd().length || !joined.endsWith("`")) return rest;
    const start = joined.lastIndexOf("`", joined.length - 2);
    if (start < 0) return rest;
    rest = joined.slice(0, start);
  }
}

const EXAMPLES = /(?:\be\.g\.|\bfor (?:example|instance)\b|\bexamples?\b[*_]*:|\bsuch as\b|\bincluding\b)/gi;

/** Whether a word announces examples further up in the sentence, and no other word sends the reader to the path. */
function isAmongExamples(before: string): boolean {
  const last = [...before.matchAll(EXAMPLES)].at(-1);
  if (last === undefined) return false;
  const between = before.slice(last.index + last[0].length).replaceAll(/`[^`]*`/g, "");
  return !SENDS.test(between);
}

/** Text between a word and the path that it refers to: blanks, and marks of emphasis, quotes and brackets. */
const GAP = String.raw`[\s*_"'(]+`;

/** Words that send the reader to a file, which therefore exists; also for what is made by or from it. */
const SENT =
  "(?:re-?)?(?:read|see|look|follow|consult|check|run|use|open|refer|visit|update|edit|change|load|study|heed|mind|" +
  "execute|call|start|review|go|ask|try|need|know|extend|match|copy|mirror|import)(?:e?s|ed|ing)?|" +
  "by|from|via|using|per|is|are|was|were|and|or|then|if|when";

/** The plainest of them, anywhere before a path. */
const SENDS =
  /\b(?:read|see|follow|consult|check|run|open|refer|visit|update|edit|change|modify|study|review|import)(?:s|ed|ing)?\b/i;

const WORD = String.raw`(?!(?:${SENT})\b)[\w-]+${GAP}`;

/** What a verb creates: "create `x`", "create tests `x`", but not "add tests for `x`". */
const THING = String.raw`(?!(?:of|for|with)\b)${WORD}`;

const ARTICLE = String.raw`(?:an?|the|this|that|its|your|their|our|each|one|any)${GAP}`;

const INTO = String.raw`(?:to|in|into|as|at|under|inside|below)${GAP}`;

/** Forms of create, add, delete and so on; a "writer" or a "generator" exists. */
const MAKES =
  "creat(?:es?|ed|ing)|add(?:s|ed|ing)?|generat(?:es?|ed|ing)|writ(?:es?|ing|ten)|wrote|emit(?:s|ted|ting)?|" +
  "produc(?:es?|ed|ing)|sav(?:es?|ed|ing)|stor(?:es?|ed|ing)|put(?:s|ting)?|remov(?:es?|ed|ing)|delet(?:es?|ed|ing)|" +
  "cach(?:es?|ed|ing)|persist(?:s|ed|ing)?|scan(?:s|ned|ning)?|" +
  `log(?:ged|ging)|renam(?:es?|ed|ing)|replac(?:es?|ed|ing)|outputs?(?:${GAP}(?:is|are|goes|go))?`;

/** "create a log file `x`", "write the report of the day to `x`" */
const MADE = String.raw`(?:${MAKES})${GAP}(?:${ARTICLE}(?:${THING}){0,2}|(?:${THING})?|(?:${WORD}){0,5}${INTO}(?:${ARTICLE})?(?:${THING})?)`;

/** "a new page `x`" */
const NEW = String.raw`(?:new|optional(?:ly)?|(?:git)?ignored?)${GAP}(?:${THING})?(?:${INTO})?`;

/** "files such as `x`", "an example file `x`" */
const EXAMPLE = String.raw`(?:e\.?g\.?|for example|examples?|such as|like|named?|called|instead of|(?:may|might|could|would)${GAP}(?:use|be|have|contain|need|want|justify|include)),?${GAP}(?:${ARTICLE})?(?:files?${GAP})?`;

/** "formerly in `x`" */
const GONE = String.raw`(?:former(?:ly)?|previously|no longer(?:${GAP}(?:ships?|has|have|includes?|uses?|needs?|provides?))?|renamed from|moved from|avoid(?:s|ing)?),?${GAP}(?:${INTO})?(?:${ARTICLE})?(?:files?${GAP})?`;

const NOT_THERE_YET = new RegExp(String.raw`\b(?:${MADE}|${NEW}|${EXAMPLE}|${GONE})$`, "i");

/**
 * Whether the text right before a path says that it is new, gone, or only an example. The word has to refer to the
 * path: "when adding a rule, see `x`" is about an existing file.
 *
 * @param before the end of the line up to the path, of limited length
 */
function isNotThereYet(before: string): boolean {
  // A colon introduces the path: "a new file: `x`".
  return NOT_THERE_YET.test(before.replace(/:(?=[\s*_]*$)/, ""));
}

/** "`x` was split" */
const WAS = /^`[\s*_)]*(?:was|were|used to)\b/;

/** What follows a path: "`x` would be helpful", "`x` is generated", "`x` in that repository". */
const AFTER =
  /^`[\s*_)]*(?:[\w-]+\s){0,3}(?:would be|will be (?:created|generated|written|added)|(?:is|are|gets?) (?:auto-?)?(?:generated|created|rendered|written|deleted|removed|gitignored|git-ignored|ignored|optional)|(?:no longer|does not|doesn't|did not|didn't|might not|may not) exists?|(?:in|of|from) (?:that|another|the other|each|your|their) (?:\w+ )?(?:repo|repository|project|skill|plugin|package)\b|(?:in|of|from)[\s>]{1,8}\[[^\]\n]{1,60}\]\(https?:|(?:in|of|from) the[\s>]{1,8}(?:\[[^\]]{0,40}\brepo|(?!main|root|same|current|whole|public)[\w-]{1,40}[\s>]{1,8}(?:(?:mono)?repo(?:sitory)?|project)\b)|(?:git )?tags?\b)/i;

/** "`x` (when created)", "`x` - generated by" */
const MARKED =
  /^`[\s*_)|]*(?:\(?(?:when|once|if|where|to be|not yet|coming|upstream|planned|future|generated|auto-?generated|optional|todo|tbd|deprecated|removed|deleted|created|gitignored)\b|[-–—:]\s*(?:auto-?)?generated\b)/i;

/** "in the `infrastructure` repo's `x`" */
const OF_ANOTHER_REPOSITORY =
  /\b(?:the|that|another|other) [`[]?[\w./-]+[`\]]? repo(?:sitory)?(?:'s)?:?(?: `[^`]*`)?[\s*_("]*$|\b(?:package|upstream|plugin|repo(?:sitory)?)\**:\**[\s"]*$/i;
/** "the shop plugin's own helper (`x`)" */
const OF_ANOTHER_PLUGIN = /\bplugin['’]s [\w -]{0,60}\(?$/i;
/** "in [owner/name](https://…) (`x`)" */
const OF_LINKED_REPOSITORY = /\]\(https?:\/\/[^\s()]*\) \($/i;

/** "The scripts live in a separate repository: `~/work/name`" */
const SEPARATE_REPOSITORY = /\b(?:separate|sibling|different|external|another)\W{0,4}(?:git )?repo(?:sitory)?\b/gi;
const MAX_APART = 150;

/** Whether the text before a path says, beside its first name, that this is a repository of its own. */
function isOfSeparateRepository(text: string, { written, at }: CodeSpan): boolean {
  const [name = ""] = written.split("/", 1);
  const before = text.slice(Math.max(0, at - MAX_LIST), at);
  if (name.length < MIN_NAME || !before.includes(name)) return false;
  return [...before.matchAll(SEPARATE_REPOSITORY)].some(({ index }) =>
    before.slice(Math.max(0, index - MAX_APART), index + MAX_APART).includes(name),
  );
}

/** Shorter names are in many words. */
const MIN_NAME = 5;

/** "in that plan's `x`", "each package's `x`" */
const OF_ANY = /\b(?:an?|any|each|every|that|another|other|your|their) [\w-]{1,40}['’]s?[\s*_"(]{0,8}$/i;
/** "the user's `x`" */
const OF_USER = /\b(?:user|client|caller|consumer|backend|upstream)s?(?:['’]s?|(?:['’]s)? copy:)[\s*_"(]{0,8}$/i;

/** A section about what was there, or will be. */
const GONE_SECTION =
  /\b(?:change ?log|release notes|(?:recent|version) (?:changes|history)|deleted|removed|legacy|no longer|deprecated|planned|roadmap|future)\b/i;

export function headingOf(text: string, at: number): string {
  const window = text.slice(Math.max(0, at - MAX_SECTION), at);
  const start = window.lastIndexOf("\n#");
  return start < 0 ? "" : window.slice(start, window.indexOf("\n", start + 1));
}

export const ITEM = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]/;

/** What introduces a list of files that need not exist here. */
const INTRODUCES =
  /\b(?:recogni[sz]es?|detects?|scans?|looks? for|discovers?|examples?|such as|e\.g\.|creates?|generates?|deleted|removed|legacy|no longer|deprecated|renamed|if [^\n]{1,60} (?:exists?|available|present))\b/i;
/** "Inside an app project:", "a compressed archive containing:" */
const IN_ANY =
  /\b(?:archive|tarball|bundle|wheel|zip)\b[^\n]{0,30}\bcontain(?:s|ing)\b|\b(?:in|inside) (?:an?|any|each|your|their) (?:[\w-]{1,40} )?(?:app|application|project|repository)\b/i;
/** "See `~/work/shop` or `<your directory>`. Its files:" */
const IN_OTHER_PLACE = /`(?:~\/|<[^>`]{1,60}>)/;

/** Whether a span stands in a list that a line like "It recognizes these files:" introduces. */
function isListedSo(text: string, at: number): boolean {
  const window = text.slice(Math.max(0, at - MAX_LIST), at);
  const begin = window.lastIndexOf("\n") + 1;
  const own = window.slice(begin);
  if (!ITEM.test(own) || SENDS.test(own)) return false;
  const introduction = introductionOf(window.slice(0, Math.max(0, begin - 1)));
  if (!/:[*_]*\s*$/.test(introduction)) return false;
  if (IN_OTHER_PLACE.test(introduction)) return true;
  return (INTRODUCES.test(introduction) || IN_ANY.test(introduction)) && !SENDS.test(introduction);
}

const MAX_ROW = 1_000;
const MAX_TABLE = 8_000;
/** "| Path here | Consumer (post-install) path |", "| Category | Avoid |" */
const OF_CONSUMERS = /\b(?:avoid|consumers?|post-?install|installed|destination|generated|output)\b/i;

/** Whether it stands in a column of a table whose title says that it is about other places. */
function isInColumnOfOthers(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_ROW), at);
  const row = before.slice(before.lastIndexOf("\n") + 1);
  if (!row.trimStart().startsWith("|")) return false;
  const lines = text
    .slice(Math.max(0, at - MAX_TABLE), at - row.length)
    .split("\n")
    .slice(0, -1);
  const above = lines.findLastIndex((line) => !line.trimStart().startsWith("|"));
  const title = lines[above + 1]?.split("|")[row.split("|").length - 1] ?? "";
  return OF_CONSUMERS.test(title);
}

/** Whether a cell before it in its row has a pattern, as in "| `Bash(./scripts/*)` | `./scripts/a.sh` |". */
function isMatchOfPattern(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_ROW), at);
  const cells = before.slice(before.lastIndexOf("\n") + 1).split("|");
  return cells[0]?.trim() === "" && cells.slice(1, -1).some((cell) => /^`[^`*]*\*[^`]*`$/.test(cell.trim()));
}

/** The last line of a text that is no item, and no more of one. */
export function introductionOf(text: string): string {
  // Blank lines can be very many.
  for (let rest = text.trimEnd(); rest !== "";) {
    const begin = rest.lastIndexOf("\n") + 1;
    const line = rest.slice(begin);
    if (!ITEM.test(line) && !/^[ \t]/.test(line)) return line;
    rest = rest.slice(0, begin).trimEnd();
  }
  return "";
}
