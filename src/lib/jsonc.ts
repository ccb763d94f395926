import {
  createScanner,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
  type SyntaxKind,
} from "jsonc-parser";
import { endOfLine, splice, startOfNextLine, type Located, type LocatedEntry, type Splice } from "./edit/located.ts";
import { textPositions, type Position } from "./text-positions.ts";
import type { DataRead } from "./yaml.ts";

const MAX_DEPTH = 64;

type JsonRead =
  | Extract<DataRead, { kind: "data" }>
  | (Extract<DataRead, { kind: "error" }> & { readonly column: number });

/** `SyntaxKind.EOF`, whose enum has no values at run time. */
const END_OF_FILE: SyntaxKind = 17;

/**
 * Reads JSON with comments and trailing commas as plain data. Duplicate keys and `__proto__` are errors, because
 * readers would disagree about such a file.
 *
 * @input  text: its size limited by the caller
 * @output the data, or what is wrong and where
 */
export function parseJsonc(text: string): JsonRead {
  const document = documentOf(text);
  if (document === undefined) return { kind: "error", message: "nested too deeply", line: 1, column: 1 };
  const { tree, first } = document;
  if (first !== undefined) {
    const message = text.trim() === "" ? EMPTY : SENTENCES[printParseErrorCode(first.error)];
    return { kind: "error", message: message ?? "not valid JSON", ...positionAt(text, first.offset) };
  }
  try {
    return { kind: "data", data: tree === undefined ? null : toData(tree) };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return { kind: "error", message: error.message, ...positionAt(text, error.offset) };
  }
}

/**
 * The positions of the parts of a document.
 *
 * @input  text: one that `parseJsonc` can read
 * @output undefined if it is empty or nested too deeply
 */
export function locateJsonc(text: string): Located | undefined {
  const tree = documentOf(text)?.tree;
  return tree && locate(tree);
}

/**
 * The text as strict JSON readers accept it: without comments and trailing commas. Everything else stays where it is.
 *
 * @input  text: one that `parseJsonc` can read
 */
export function strictJson(text: string): string {
  const scanner = createScanner(text, false);
  const removed: Splice[] = [];
  let comma: Splice | undefined;
  while (scanner.scan() !== END_OF_FILE) {
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    const token = text.slice(start, end);
    if (token.trim() === "") continue;
    if (token.startsWith("/")) {
      removed.push(commentSpan(text, start, end));
      continue;
    }
    if (comma !== undefined && (token === "}" || token === "]")) removed.push(comma);
    comma = token === "," ? { start, end, text: "" } : undefined;
  }
  return splice(text, removed);
}

/** A comment with the space before it; with its lines if nothing else is on them. */
function commentSpan(text: string, start: number, end: number): Splice {
  let from = start;
  while (text[from - 1] === " " || text[from - 1] === "\t") from--;
  const isAlone = (from === 0 || text[from - 1] === "\n") && text.slice(end, endOfLine(text, end)).trim() === "";
  return { start: from, end: isAlone ? startOfNextLine(text, end) : end, text: "" };
}

const EMPTY = "it is empty; put {} into it, or remove it";

/** The meaning of the parser's error names, and the remedies. */
const SENTENCES: Readonly<Record<string, string>> = {
  InvalidSymbol: "unexpected text; put keys and strings in double quotes",
  InvalidNumberFormat: "invalid number; write it like -1.5 or 1e3",
  PropertyNameExpected: "missing key; write one in double quotes",
  ValueExpected: "missing value; write one, or remove the comma or colon before it",
  ColonExpected: "missing colon; put one between the key and its value",
  CommaExpected: "missing comma; put one before this",
  CloseBraceExpected: "missing '}'",
  CloseBracketExpected: "missing ']'",
  EndOfFileExpected: "unexpected text after the end; remove it",
  UnexpectedEndOfComment: "the comment is not closed; end it with '*/'",
  UnexpectedEndOfString: "the string is not closed; end it with a double quote",
  UnexpectedEndOfNumber: "incomplete number; write it like -1.5 or 1e3",
  InvalidUnicode: "invalid escape; write four hexadecimal digits after '\\u'",
  InvalidEscapeCharacter: "invalid escape; write a backslash as '\\\\'",
  InvalidCharacter: "control character in a string; write it as an escape such as '\\n'",
};

interface Document {
  readonly text: string;
  readonly tree: Node | undefined;
  /** The first error. */
  readonly first: ParseError | undefined;
}

/** Keeps the last document: a text that was parsed is often located next. */
let last: Document | undefined;

/** Undefined if it is nested too deeply: the parser, and walking its tree, would overflow the stack. */
function documentOf(text: string): Document | undefined {
  if (last?.text === text) return last;
  if (nestingOf(text) > MAX_DEPTH) return undefined;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  last = { text, tree, first: errors[0] };
  return last;
}

function locate({ type, offset: start, length, children = [] }: Node): Located {
  const place = { isFlow: true, start, end: start + length };
  if (type === "array") return { kind: "list", ...place, items: children.map(locate) };
  if (type !== "object") return { kind: "value", start, end: start + length };
  const entries = children.flatMap(({ children: [key, value] = [] }): LocatedEntry[] => {
    if (key === undefined || value === undefined) return [];
    return [{ key: key.value, start: key.offset, keyEnd: key.offset + key.length, value: locate(value) }];
  });
  return { kind: "table", ...place, entries };
}

class Unsupported extends Error {
  readonly offset: number;
  constructor(message: string, node: Node) {
    super(message);
    this.offset = node.offset;
  }
}

function toData(node: Node): unknown {
  const children = node.children ?? [];
  switch (node.type) {
    case "array":
      return children.map(toData);
    case "object":
      return toTable(children);
    default:
      return node.value;
  }
}

function toTable(properties: readonly Node[]): Record<string, unknown> {
  const entries = new Map<string, unknown>();
  for (const property of properties) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) throw new Unsupported("a key has no value", property);
    if (key.value === "__proto__") throw new Unsupported("the key '__proto__' is not allowed", key);
    if (entries.has(key.value)) throw new Unsupported(`duplicate key '${key.value}'`, key);
    entries.set(key.value, toData(value));
  }
  return Object.fromEntries(entries);
}

/** Counts tokens, so that brackets in comments and strings don't count. */
function nestingOf(text: string): number {
  const scanner = createScanner(text, true);
  let depth = 0;
  let deepest = 0;
  while (scanner.scan() !== END_OF_FILE) {
    const token = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : "";
    if (token === "{" || token === "[") deepest = Math.max(deepest, ++depth);
    else if (token === "}" || token === "]") depth = Math.max(0, depth - 1);
  }
  return deepest;
}

function positionAt(text: string, offset: number): Position {
  return textPositions(text)(offset);
}
