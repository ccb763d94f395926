import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from "yaml";
import type { Located, LocatedEntry } from "./edit/located.ts";

export type DataRead =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "error"; readonly message: string; readonly line: number };

/** We check that keys are unique ourselves: the parser compares each key of a table with every other. */
const STRICT = { uniqueKeys: false, merge: false, prettyErrors: false };
const MAX_FLOW_DEPTH = 16;
const MAX_INDICATORS_A_LINE = 16;
/** Limits the depth of nesting, however well the closing brackets are hidden. */
const MAX_OPENINGS = 256;

/**
 * Reads one YAML document as plain data: tables with string keys, lists, scalars.
 *
 * The parser takes seconds for a few hundred nested flow collections, and so does its conversion to plain values for
 * nested collection keys. So the depth is checked before parsing, and the conversion is our own.
 *
 * @input  text: its size limited by the caller
 * @output the data, or what is wrong and in which line
 */
export function parseYaml(text: string): DataRead {
  const tooDeep = findExcessiveDepth(text);
  if (tooDeep !== undefined) return { kind: "error", message: "nested too deeply", line: tooDeep };
  const lines = new LineCounter();
  const document = parseDocument(text, { ...STRICT, lineCounter: lines });
  const first = document.errors[0];
  if (first !== undefined) {
    return { kind: "error", message: first.message, line: lines.linePos(first.pos[0]).line };
  }
  try {
    return { kind: "data", data: toData(document.contents as Node | null) };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return { kind: "error", message: error.message, line: lines.linePos(error.offset).line };
  }
}

/**
 * The positions of the parts of a document.
 *
 * @input  text: one that `parseYaml` can read
 * @output undefined if it contains nothing but comments
 */
export function locateYaml(text: string): Located | undefined {
  const root = parseDocument(text, STRICT).contents;
  return root?.range && root.range[0] < root.range[1] ? locate(root as Node, 0) : undefined;
}

/** A node without a range counts as empty, at the end of what precedes it. */
function locate(node: Node | null, before: number): Located {
  const [start, end] = node?.range ?? [before, before];
  if (isSeq(node)) {
    const items = node.items.map((item) => locate(item as Node | null, start));
    const isFlow = node.flow === true;
    return { kind: "list", isFlow, start, end: isFlow ? end : (items.at(-1)?.end ?? end), items };
  }
  if (!isMap(node)) return { kind: "value", start, end };
  const entries = node.items.map((pair): LocatedEntry => {
    const key = pair.key as Node;
    const [from, keyEnd] = key.range ?? [start, start];
    return {
      key: isScalar(key) ? String(key.value) : "",
      start: from,
      keyEnd,
      value: locate(pair.value as Node, keyEnd),
    };
  });
  const isFlow = node.flow === true;
  return { kind: "table", isFlow, start, end: isFlow ? end : (entries.at(-1)?.value.end ?? end), entries };
}

class Unsupported extends Error {
  readonly offset: number;
  constructor(message: string, node: Node) {
    super(message);
    this.offset = node.range?.[0] ?? 0;
  }
}

function toData(node: Node | null): unknown {
  if (node === null) return null;
  if (isAlias(node)) throw new Unsupported("aliases are not supported", node);
  // A version directive may turn strings into dates, which plain data doesn't have.
  if (isScalar(node)) return node.value instanceof Date ? node.source : node.value;
  if (isSeq(node)) return node.items.map((item) => toData(item as Node | null));
  if (!isMap(node)) throw new Unsupported("only tables, lists and plain values are supported", node);
  const entries = new Map<string, unknown>();
  for (const pair of node.items) {
    const key = pair.key as Node;
    if (!isScalar(key) || typeof key.value !== "string") throw new Unsupported("a key must be a string", key ?? node);
    if (key.value === "__proto__") throw new Unsupported("the key '__proto__' is not allowed", key);
    if (entries.has(key.value)) throw new Unsupported(`duplicate key '${key.value}'`, key);
    entries.set(key.value, toData(pair.value as Node | null));
  }
  return Object.fromEntries(entries);
}

/**
 * The line in which nesting gets deeper than in any real file. Opening brackets count everywhere; closing ones don't
 * count in what may be a comment or a quoted string, where they could hide as many opening ones.
 */
function findExcessiveDepth(text: string): number | undefined {
  let depth = 0;
  let openings = 0;
  let quote = "";
  // No quoted text can have begun.
  let isCertain = true;
  for (const [index, line] of text.split("\n").entries()) {
    if (isCertain && depth === 0 && QUOTED.test(line)) continue;
    isCertain &&= !MAY_OPEN.test(line) || PLAIN.test(line);
    if (countIndicators(line) > MAX_INDICATORS_A_LINE || line.split(": ").length > MAX_COLONS_A_LINE) return index + 1;
    let isComment = false;
    for (let at = 0; at < line.length; at++) {
      const unit = line[at] as string;
      if (unit === "{" || unit === "[") {
        depth++;
        openings++;
      } else if (quote !== "") {
        const isEscaped = quote === '"' ? unit === "\\" : unit === "'" && line[at + 1] === "'";
        if (isEscaped) at++;
        else if (unit === quote) quote = "";
      } else if (isComment) continue;
      else if ((unit === '"' || unit === "'") && /[\s[{,:]/.test(line[at - 1] ?? " ")) quote = unit;
      else if (unit === "#" && /\s/.test(line[at - 1] ?? " ")) isComment = true;
      else if (unit === "}" || unit === "]") depth = Math.max(0, depth - 1);
      if (depth > MAX_FLOW_DEPTH || openings > MAX_OPENINGS) return index + 1;
    }
  }
  return undefined;
}

/** A key with a quoted text in which nothing is escaped: with nothing open before it, it opens nothing. */
const QUOTED = /^ *[A-Za-z][\w-]*: +(?:"[^"\\]*"|'[^']*')[ \t\r]*$/;
/** A quote that is not inside a word, or a tag, behind which a quoted text may begin. */
const MAY_OPEN = /(?:^|\W)["']|(?:^|[\s,[{:])!/;
/** A key with a text that begins with a letter: quotes in it are part of it. */
const PLAIN = /^ *[A-Za-z][\w-]*: +[A-Za-z0-9](?:[^:\r]|:\S)*\r?$/;

/** Colons on one line nest too, until the parser notices that they may not. */
const MAX_COLONS_A_LINE = 1000;

/** Counts the block indicators at the start of a line: `- - ? ` nests three times. */
function countIndicators(line: string): number {
  return /^[ \t]*((?:[-?][ \t]+)*)/.exec(line)?.[1]?.replaceAll(/[ \t]/g, "").length ?? 0;
}
