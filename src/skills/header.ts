import { withoutEnd } from "../lib/text.ts";
import { checkHeader, type HeaderFacts } from "./header-rules.ts";

/*
 * The header of a SKILL.md, from text to facts. There are four readers, and each takes what the one before it leaves:
 * one expression for the usual header (`readUsualHeader`), lines of `key: plain text` (`readPlainHeader`), the YAML
 * parser (called by `read-header.ts`, since loading it takes longer than a command may), and one that makes sense of
 * what YAML refuses (`readLooseHeader`). What the facts must be is in `header-rules.ts`.
 */

/** `yaml`: the header is not plain and needs the YAML parser. */
export type HeaderParsed =
  | { readonly kind: "facts"; readonly facts: HeaderFacts }
  | { readonly kind: "yaml"; readonly header: string };

export type YamlParsed =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly message: string; readonly line: number };

export const MAX_HEADER_BYTES = 16 * 1024;

/** Enough of a file to see the end of the largest header: both `---` lines, a byte order mark, some blanks. */
export const HEADER_READ_BYTES = MAX_HEADER_BYTES + 64;

/**
 * The usual header: a name, a description, and nothing that needs a second look. Characters that plain text can't hold
 * everywhere are left to the next reader, and so are short words, which YAML may not read as text: the longest of those
 * is `false`, and no number begins with a letter. It is one expression because thousands of files are read in a row.
 */
const USUAL =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /^---\nname: ([a-z][a-z0-9-]{4,62}[a-z0-9])\ndescription: ([A-Za-z][^:#[{\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]{4,1022}[^:#[{\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF\s])\n---\n/;

const NO_DEFECTS: HeaderFacts["defects"] = [];

/** What the usual header says; undefined for any other. A property test compares it with `parseHeader`. */
export function readUsualHeader(text: string): HeaderFacts | undefined {
  const parts = USUAL.exec(text);
  if (parts === null) return undefined;
  const name = parts[1] as string;
  // The expression checks everything else about a name.
  if (name.includes("--")) return undefined;
  return { name, nameLine: 2, description: parts[2] as string, defects: NO_DEFECTS };
}

const NOT_A_HEADER = {
  "not-utf-8": "it is not UTF-8; save it as UTF-8",
  "old-lines": "its lines end in CR alone; save it with lines that end in LF",
  missing: "it does not begin with a header; put its name and description between two lines '---' at its top",
  unterminated: "its header has no end; close it with a line '---'",
  "too-large": `its header is larger than ${MAX_HEADER_BYTES} bytes; shorten it`,
} as const;

/**
 * What the beginning of a SKILL.md says.
 *
 * @param text a file's first HEADER_READ_BYTES bytes
 * @param isWhole the file has no more than that
 */
export function parseHeader(text: string, isWhole: boolean): HeaderParsed {
  const split = splitHeader(text, isWhole);
  if (split.kind !== "header") {
    const message = NOT_A_HEADER[encodingDefect(text) ?? split.kind];
    const defects = [{ line: 1, message, rule: "skill-header" }] as const;
    return { kind: "facts", facts: { name: undefined, nameLine: 1, description: undefined, defects } };
  }
  const { header } = split;
  const plain = readPlainHeader(header);
  if (plain === undefined) return { kind: "yaml", header };
  return { kind: "facts", facts: checkHeader(plain, linesOfKeys(header)) };
}

/** How to repair what YAML refuses, by how its message begins; mostly, quotes are missing. */
const YAML_REMEDIES: readonly (readonly [message: string, remedy: string])[] = [
  ["duplicate key", "keep one of the lines with this key"],
  ["Tabs are not allowed", "indent with spaces"],
  ["Missing closing", "close the quotes, or leave them out"],
  ["nested too deeply", "use fewer brackets, or put the text in quotes"],
  ["a key must be a string", "put the key in quotes"],
  ["the key '__proto__'", "rename it"],
];

const QUOTES_REMEDY = "a text with ': ' or ' #' in it, or a mark at its beginning, needs quotes";

/** What a header says that the YAML parser has read or refused. */
export function factsOfYaml(header: string, parsed: YamlParsed): HeaderFacts {
  const lineOf = linesOfKeys(header);
  if (parsed.kind === "data") return checkHeader(parsed.data, lineOf);
  const reason = parsed.message.split("\n")[0] ?? "";
  const remedy = YAML_REMEDIES.find(([beginning]) => reason.startsWith(beginning))?.[1] ?? QUOTES_REMEDY;
  // The header's first line is the file's second.
  const defect = { line: parsed.line + 1, message: `${reason}; ${remedy}`, rule: "skill-header" } as const;
  // Other defects are reported once YAML can read the header.
  return { ...checkHeader(readLooseHeader(header), lineOf), defects: [defect] };
}

/** What stands between the two `---` lines at the top of a SKILL.md, or why nothing does. */
export type HeaderSplit =
  | { readonly kind: "header"; readonly header: string }
  | { readonly kind: "missing" | "unterminated" | "too-large" };

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /\r?\n---[ \t]*(?:\r?\n|$)/;

export function splitHeader(text: string, isWhole: boolean): HeaderSplit {
  const opening = OPENING.exec(text);
  if (opening === null) return { kind: "missing" };
  // From the first line's LF on, so that CLOSING also finds the end of a header without lines.
  const rest = text.slice(opening[0].length - 1);
  const closing = CLOSING.exec(rest);
  const isSeen = closing !== null && (isWhole || closing[0].endsWith("\n"));
  if (!isSeen) return { kind: isWhole ? "unterminated" : "too-large" };
  const header = rest.slice(1, Math.max(1, closing.index));
  return header.length > MAX_HEADER_BYTES ? { kind: "too-large" } : { kind: "header", header };
}

/** Whether more of the file would not change what `splitHeader` says. */
export function isHeaderSeen(text: string): boolean {
  // The short cut: `splitHeader` takes longer to find the same.
  return text.includes("\n---\n", 3) || splitHeader(text, false).kind !== "too-large";
}

/** Why a text that has a header for its author may have none for a reader. */
function encodingDefect(text: string): "not-utf-8" | "old-lines" | undefined {
  // UTF-16 read as UTF-8: every other byte of its `---` is zero.
  if (/^\uFFFD{0,2}\0?-\0-\0-/.test(text)) return "not-utf-8";
  return /^\uFEFF?---[ \t]*\r(?:[^\n]|$)/.test(text) ? "old-lines" : undefined;
}

const PLAIN_LINE = /^([A-Za-z][A-Za-z0-9_-]*): +([^ ].*)$/;

/** YAML refuses keys of more than 1,024 characters. */
const MAX_PLAIN_KEY = 100;

/**
 * What makes a value more than plain text: a mark that means something to YAML at the beginning or inside, or a
 * character that a line does not need, some of which end a line for YAML or JavaScript.
 */
const NOT_PLAIN =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /^[-?:,[\]{}#&*!|>'"%@`=<]|:(?: |$)| #|[\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]/;

/** What YAML, or an older version of it, reads as something other than text. */
const NOT_TEXT =
  /^(?:~|null|true|false|yes|no|on|off|y|n|0o[0-7]+|0x[0-9a-f]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:e[-+]?[0-9]+)?|[-+]?\.inf|\.nan)$/i;

/** With more opening brackets than this, the limit on YAML's depth may apply: its parser decides. */
const MAX_OPENINGS = 16;

/** A header whose every line is `key: plain text` that YAML reads as this very string; undefined for any other. */
export function readPlainHeader(header: string): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  let isEmpty = true;
  if (header.split(/[[{]/).length > MAX_OPENINGS + 1) return undefined;
  for (const line of header.split(/\r?\n/)) {
    if (line === "") continue;
    const parts = PLAIN_LINE.exec(line);
    if (parts === null) return undefined;
    const key = parts[1] as string;
    const value = withoutEnd(parts[2] as string, " ");
    if (key.length > MAX_PLAIN_KEY || Object.hasOwn(values, key)) return undefined;
    if (NOT_TEXT.test(key) || NOT_TEXT.test(value) || NOT_PLAIN.test(value)) return undefined;
    values[key] = value;
    isEmpty = false;
  }
  return isEmpty ? undefined : values;
}

const KEY_LINE = /^([A-Za-z][A-Za-z0-9_-]*):(?:[ \t](.*))?$/s;
const BLOCK = /^[|>][-+0-9]*[ \t]*$/;

/**
 * A header that YAML refuses, read as its author meant it: what follows a key is its value, colons included, and the
 * lines below without a key of their own belong to it. If a key is repeated, the first line counts.
 */
export function readLooseHeader(header: string): Record<string, string> {
  const values = new Map<string, string>();
  let key: string | undefined;
  let separator = " ";
  for (const line of header.split(/\r?\n/)) {
    const [, name, written = ""] = KEY_LINE.exec(line) ?? [];
    const value = written.trimStart();
    if (name !== undefined) {
      key = values.has(name) ? undefined : name;
      const isBlock = BLOCK.test(value);
      separator = isBlock && value.startsWith("|") ? "\n" : " ";
      if (key !== undefined) values.set(key, isBlock ? "" : value.trim());
    } else if (key !== undefined && /^\s*[^\s#]/.test(line)) {
      const before = values.get(key) ?? "";
      values.set(key, before === "" ? line.trim() : before + separator + line.trim());
    }
  }
  return Object.fromEntries([...values].map(([name, value]) => [name, withoutQuotes(value)]));
}

function withoutQuotes(value: string): string {
  const quote = value[0];
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}

/** The line of the file in which each key of a header stands; 1, the opening line, for the header as a whole. */
function linesOfKeys(header: string): (key: string) => number {
  let lines: ReadonlyMap<string, number> | undefined;
  return (key) => {
    lines ??= new Map(
      header
        .split("\n")
        .map((line, index): [string, number] => [keyIn(line), index + 2])
        .toReversed(),
    );
    return key === "" ? 1 : (lines.get(key) ?? 1);
  };
}

function keyIn(line: string): string {
  return /^["']?([\w-]*)/.exec(line)?.[1] ?? "";
}
