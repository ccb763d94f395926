import { frontMatterOf } from "../lib/markdown/front-matter.ts";
import { readBlocks, type Block } from "../lib/markdown/blocks.ts";
import { scanMentions } from "../lib/markdown/inline.ts";
import { textPositions } from "../lib/text-positions.ts";

/*
 * What the rule `instructions-missing-command` decides: which commands of a project's own an instruction file tells to
 * run. Only commands that certainly name a script, target or recipe count: `yarn eslint` may be any program.
 */

/** A command that a text mentions. */
export interface CommandMention {
  readonly runner: "package" | "make" | "just";
  /** The script, target or recipe; undefined if only the package is named. */
  readonly name: string | undefined;
  /** Without a script of the name, the runner starts a program: `yarn eslint`. */
  readonly maybeProgram: boolean;
  /** The package that should have the script, if the command names one. */
  readonly ofPackage: string | undefined;
  /** The command as written, up to the name. */
  readonly written: string;
  /** The directory or project in which it runs, if the text names one before it. */
  readonly place?: string;
  readonly line: number;
  readonly column: number;
}

type Command = Omit<CommandMention, "line" | "column">;

/** A command, and where it stands in the text. */
interface Found {
  readonly at: number;
  readonly command: Command;
}

const MAX_COMMANDS = 1_000;

/** The commands in a Markdown text's code spans and in its blocks of shell code. */
export function commandMentions(text: string): readonly CommandMention[] {
  const found: Found[] = [];
  const { prose, code } = readBlocks(text, frontMatterOf(text).bodyStart);
  for (const block of prose) {
    scanMentions(text, block, ({ kind, written, at }) => {
      if (kind === "code" && !isNoAdvice(text, at, written.length)) found.push(...commandsIn(written, at));
      return found.length < MAX_COMMANDS;
    });
  }
  for (const block of code) {
    if (found.length >= MAX_COMMANDS) break;
    const introduced = placeBefore(text, block.start);
    for (const { at, command } of inBlock(text, block)) {
      const place = command.place ?? introduced;
      found.push({ at, command: place === undefined ? command : { ...command, place } });
    }
  }
  const positionOf = textPositions(text);
  const first = found.toSorted((left, right) => left.at - right.at).slice(0, MAX_COMMANDS);
  return first.map(({ at, command }) => Object.assign(command, positionOf(at)));
}

/** How much of a line around a span is examined. */
const MAX_AROUND = 120;
/** Words that make a command one of another time or place. */
const NO_ADVICE_BEFORE =
  /\b(?:(?:no|not|never|none|neither|without|avoid|n't|cannot|instead of|rather than|legacy|old|add(?:s|ed|ing)?|new|e\.?g|examples?|such as|like|if|would|could|should have|todo|planned|future|equivalent)\b|(?:replac|remov|delet|deprecat|renam|creat|propos|append|prepend|forward|inject)\w|former|previous|alias)/i;
const NO_ADVICE_AFTER =
  /^[`*_)"]*[,;]?\s*(?:(?:script|command|target|recipe|task)s?\s+)?(?:(?:is|was|are|were|has been|does|do|did|will)\s*)?(?:n't|not|no longer|missing|gone|removed|deprecated|only exists?|exist\w*)\b/i;

/** Whether the words around a code span say that it is not for running here and now. */
function isNoAdvice(text: string, at: number, length: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_AROUND), at);
  const after = text.slice(at + length, at + length + MAX_AROUND);
  const clause = before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf(". ")) + 1);
  return NO_ADVICE_BEFORE.test(clause) || NO_ADVICE_AFTER.test(after.split("\n", 1)[0] ?? "");
}

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t>]*)?(?:`{3,}|~{3,})[ \t]*\{?\.?([\w-]*)/;
const SHELLS = /^(?:sh|bash|shell|zsh|console|shell-?session|terminal)?$/i;
/** Where no language is named, a line that is only a command. */
const BARE = /^[\w./:@=-]+(?: [\w./:@="'-]+){0,6}$/;

/** "From **other-project**:", "In `packages/a`:" */
const IN_PLACE = /^(?:[-*+\d.)\s]*)(?:from|in|inside|within)\s+(?:the\s+)?[`*_]+([\w@./-]+)[`*_]+/i;

/** The place that the line before a block of code names. */
function placeBefore(text: string, start: number): string | undefined {
  const before = text.slice(Math.max(0, start - MAX_LINE), start).trimEnd();
  return IN_PLACE.exec(before.slice(before.lastIndexOf("\n") + 1))?.[1];
}

const MAX_LINE = 400;

/** `cd packages/a`, alone or before other commands. */
const ENTERS = /^cd\s+["']?([\w@./-]+)["']?\s*(?:$|[;&|#])/;

function inBlock(text: string, { start, end }: Block): Found[] {
  const lines = text.slice(start, end).split("\n");
  const language = FENCE.exec(lines[0] ?? "")?.[1];
  if (language === undefined || !SHELLS.test(language)) return [];
  let at = start;
  let entered: string | undefined;
  return lines.flatMap((line): Found[] => {
    const from = at;
    at += line.length + 1;
    if (FENCE.test(line)) return [];
    const prompt = /^\s*(?:[$>%]\s+)?/.exec(line)?.[0].length ?? 0;
    const command = line.slice(prompt);
    const mark = command.search(/(?:^|\s)#/);
    const plain = (mark < 0 ? command : command.slice(0, mark)).trimEnd();
    if (language === "" && !BARE.test(plain)) return [];
    // The remark behind it may say that it is no more.
    const remark = command.slice(plain.length);
    entered = ENTERS.exec(plain)?.[1] ?? entered;
    if (NO_ADVICE_BEFORE.test(remark)) return [];
    const place = entered;
    return commandsIn(plain, from + prompt).map((found) => inPlace(found, place));
  });
}

function inPlace(found: Found, place: string | undefined): Found {
  return place === undefined ? found : { ...found, command: { ...found.command, place } };
}

/** Words before a command that change nothing about which one it is. */
const BEFORE = /^(?:sudo|time|exec|command|env|[A-Z_][A-Z0-9_]*=\S*)$/;
const NAME = /^[a-z][\w.:-]*$/i;
/** Names that stand for others. */
const PLACEHOLDER =
  /^(?:foo|bar|baz|x+|y+|your|my|some|name|script|scripts|command|target|recipe|task|package|pkg|workspace|app)(?:[-_:].*)?$|^[A-Z][A-Z_]*$|(?:^|[-_:])(?:name|xxx?)$/;

/** The commands of one line of shell. */
function commandsIn(line: string, start: number): Found[] {
  if (line.length > 1_000) return [];
  return [...line.matchAll(/[^&|;]+/g)].flatMap((part) => {
    const words = [...part[0].matchAll(/\S+/g)];
    const from = words.findIndex((word) => !BEFORE.test(word[0]));
    const first = words[from];
    if (first === undefined) return [];
    const rest = words.slice(from).map((word) => word[0]);
    const read = readCommand(rest);
    if (read === undefined) return [];
    const { used, ...command } = read;
    const at = start + part.index + first.index;
    return [{ at, command: { ...command, written: rest.slice(0, used).join(" ") } }];
  });
}

type Read = Omit<Command, "written"> & { readonly used: number };

function readCommand(words: readonly string[]): Read | undefined {
  switch (words[0]) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return readPackageCommand(words[0], words);
    case "make":
      return readTarget(words, "make", /^(?:-[a-zA-Z]*[CfI]|--(?:directory|file|makefile)\b)/);
    case "just":
      return readTarget(
        words,
        "just",
        /^(?:-[fdg]|--(?:global-justfile|justfile|working-directory|set|choose|list|show|summary)\b|-l\b)/,
      );
    default:
      return undefined;
  }
}

/** `make lint`, `just test unit`: the first word that is no option and no setting. */
function readTarget(words: readonly string[], runner: "make" | "just", elsewhere: RegExp): Read | undefined {
  for (const [index, word] of words.entries()) {
    if (index === 0) continue;
    // Another directory or file has its own.
    if (elsewhere.test(word)) return undefined;
    if (word.startsWith("-") || /^\w+[:?+]?=/.test(word)) continue;
    const isName = NAME.test(word) && !PLACEHOLDER.test(word) && !PROSE.test(word);
    return isName ? { runner, name: word, maybeProgram: false, ofPackage: undefined, used: index + 1 } : undefined;
  }
  return undefined;
}

/** "make sure that", "just do it" */
const PROSE = /^(?:sure|it|the|a|an|this|that|sense|use|your|changes?|as|like|do|be|in|to|one)$/i;

/** Options of package managers with a value in the next word. */
const WITH_VALUE = /^(?:--filter|-F|--workspace|-w|--prefix|-C|--dir|--cwd|--loglevel)$/;
const NAMING = /^(?:--filter|-F|--workspace|-w)$/;
const SELECTED = /^(?:--filter|--workspace)=(.+)$/;
/** `pnpm -w` has no value: it is the workspace's root. */
const FLAGS_OF_PNPM = new Set(["-w"]);
/** Built into npm. */
const BUILT_IN = new Set(["env"]);

function readPackageCommand(program: "npm" | "pnpm" | "yarn" | "bun", words: readonly string[]): Read | undefined {
  let selected: string | undefined;
  let isRun = false;
  for (let index = 1; index < words.length; index++) {
    const word = words[index] as string;
    if (word === "--if-present") return undefined;
    const given = SELECTED.exec(word)?.[1];
    if (given !== undefined) selected = given;
    else if (WITH_VALUE.test(word) && !(program === "pnpm" && FLAGS_OF_PNPM.has(word))) {
      index++;
      if (NAMING.test(word)) selected = words[index];
    } else if (word === "workspace" && program === "yarn" && selected === undefined && !isRun) {
      index++;
      selected = words[index];
    } else if (word.startsWith("-")) continue;
    else if (!isRun && (word === "run" || (word === "run-script" && program === "npm"))) isRun = true;
    else return packageCommand(program, { isRun, selected }, word, words, index + 1);
  }
  return undefined;
}

function packageCommand(
  program: "npm" | "pnpm" | "yarn" | "bun",
  { isRun, selected }: { isRun: boolean; selected: string | undefined },
  word: string,
  words: readonly string[],
  used: number,
): Read | undefined {
  if (words.slice(used).includes("--if-present")) return undefined;
  const quoted = selected === undefined ? undefined : withoutQuotes(selected);
  // A pattern, a directory or a placeholder selects what it will.
  const ofPackage = quoted !== undefined && /^(?:@[\w-]+\/)?[\w.-]+$/.test(quoted) ? quoted : undefined;
  if (quoted !== undefined && (ofPackage === undefined || PLACEHOLDER.test(quoted.replace(/^@[\w-]+\//, ""))))
    return undefined;
  if (!NAME.test(word) || PLACEHOLDER.test(word) || word.endsWith(":") || BUILT_IN.has(word)) return undefined;
  if (/\.(?:[cm]?[jt]sx?|py|sh)$/.test(word)) return undefined;
  const isCertain = (isRun && (program === "npm" || program === "pnpm")) || (program === "npm" && word === "test");
  if (!isRun && program === "npm" && word !== "test") return undefined;
  return { runner: "package", name: word, maybeProgram: !isCertain, ofPackage, used };
}

function withoutQuotes(word: string): string {
  const first = word[0] ?? "";
  return word.length > 1 && `"'`.includes(first) && word.endsWith(first) ? word.slice(1, -1) : word;
}
