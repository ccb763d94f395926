import { withoutEnd } from "../lib/text.ts";
import type { HeaderFacts } from "./skill.ts";

/** What stands between the two `---` lines at the top of a SKILL.md, or why nothing does. */
export type HeaderSplit =
  | { readonly kind: "header"; readonly header: string }
  | { readonly kind: "missing" | "unterminated" | "too-large" };

export const MAX_HEADER_BYTES = 16 * 1024;

/** Enough of a file to see the end of the largest header: both `---` lines, a byte order mark, some blanks. */
export const HEADER_READ_BYTES = MAX_HEADER_BYTES + 64;

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;

const CLOSING = /\r?\n---[ \t]*(?:\r?\n|$)/;

/**
 * @param text a file's first HEADER_READ_BYTES bytes
 * @param isWhole the file has no more than that
 */
export function splitHeader(text: string, isWhole: boolean): HeaderSplit {
  const opening = OPENING.exec(text);
  if (opening === null) return { kind: "missing" };
  // From the line feed of the first line on, so that a header without a line has an end as well.
  const rest = text.slice(opening[0].length - 1);
  const closing = CLOSING.exec(rest);
  const isSeen = closing !== null && (isWhole || closing[0].endsWith("\n"));
  if (!isSeen) return { kind: isWhole ? "unterminated" : "too-large" };
  const header = rest.slice(1, Math.max(1, closing.index));
  return header.length > MAX_HEADER_BYTES ? { kind: "too-large" } : { kind: "header", header };
}

/** Whether the first bytes of a file tell all that `splitHeader` can say of it. */
export function isHeaderSeen(text: string): boolean {
  // What ends like this is seen by `splitHeader` too, which takes longer.
  return text.includes("\n---\n", 3) || splitHeader(text, false).kind !== "too-large";
}

const PLAIN_LINE = /^([A-Za-z][A-Za-z0-9_-]*): +([^ ].*)$/;

/** YAML refuses keys of more than 1,024 characters. */
const MAX_PLAIN_KEY = 100;

/**
 * What makes a value more than plain text: a mark that YAML heeds at its beginning or inside it, or a character that
 * a line has no need of, some of which YAML or JavaScript takes for a line's end. One expression: each costs time.
 */
const NOT_PLAIN =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /^[-?:,[\]{}#&*!|>'"%@`=<]|:(?: |$)| #|[\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]/;

/** What YAML reads as something else than text, and what older versions of it did. */
const NOT_TEXT =
  /^(?:~|null|true|false|yes|no|on|off|y|n|0o[0-7]+|0x[0-9a-f]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:e[-+]?[0-9]+)?|[-+]?\.inf|\.nan)$/i;

/** From so many opening brackets on, the YAML parser's own reader may find them too deep: it decides. */
const MAX_OPENINGS = 16;

/**
 * The header as data when every line of it is `key: plain text` that YAML reads as this very string; undefined
 * for anything else, which is for the YAML parser, whose import alone takes as long as a whole command may.
 */
export function readPlainHeader(header: string): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  let isEmpty = true;
  if (header.split(/[[{]/).length > MAX_OPENINGS + 1) return undefined;
  for (const line of header.split(/\r?\n/)) {
    if (line === "") continue;
    const parts = PLAIN_LINE.exec(line);
    if (parts === null) return undefined;
    const key = parts[1] as string;
    if (key.length > MAX_PLAIN_KEY) return undefined;
    const value = withoutEnd(parts[2] as string, " ");
    if (Object.hasOwn(values, key) || NOT_TEXT.test(key) || NOT_TEXT.test(value) || NOT_PLAIN.test(value))
      return undefined;
    values[key] = value;
    isEmpty = false;
  }
  return isEmpty ? undefined : values;
}

/** In which line of its file each key of a header stands: from 1, the line that opens the header. */
export function linesOfKeys(header: string): (key: string) => number {
  let known: ReadonlyMap<string, number> | undefined;
  return (key) => {
    // Asked for what is wrong with a header, which may be thousands of its lines.
    known ??= new Map(
      header
        .split("\n")
        .map((line, index): [string, number] => [keyIn(line), index])
        .toReversed(),
    );
    return key === "" ? 1 : (known.get(key) ?? -1) + 2;
  };
}

function keyIn(line: string): string {
  return /^["']?([\w-]*)/.exec(line)?.[1] ?? "";
}

/**
 * The usual header: a name, a description, and nothing that needs a second look. What plain text may not hold
 * anywhere, or not everywhere, is for a slower reader, and so are words that YAML may take for something else than text:
 * the longest of those is `false`, and numbers begin with no letter. One expression: each costs time.
 */
const USUAL =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /^---\nname: ([a-z][a-z0-9-]{4,62}[a-z0-9])\ndescription: ([A-Za-z][^:#[{\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]{4,1022}[^:#[{\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF\s])\n---\n/;

const NONE: HeaderFacts["defects"] = [];

/** What the usual header says; undefined for any other. Thousands are read in a row; a property test holds it to the slower reader. */
export function readQuickFacts(text: string): HeaderFacts | undefined {
  const parts = USUAL.exec(text);
  if (parts === null) return undefined;
  const name = parts[1] as string;
  // Everything else about a name is in the expression.
  if (name.includes("--")) return undefined;
  return { name, nameLine: 2, description: parts[2] as string, defects: NONE };
}

/** What stands at the path of a SKILL.md. */
