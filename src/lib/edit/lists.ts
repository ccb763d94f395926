import {
  endOfLine,
  indentationBefore,
  indentationOf,
  insertion,
  isFirstInLine,
  lineBreakOf,
  partsOf,
  removal,
  splice,
  startOfLine,
  startOfNextLine,
  type Container,
  type LocatedList,
  type Notation,
  type Span,
  type Splice,
  type LocatedEntry,
  type LocatedTable,
  type Located,
} from "./located.ts";
import type { Step } from "./plan.ts";

/**
 * Applies one step and leaves all other text unchanged. Undefined if the text is written in a way that is not handled
 * here; the caller parses the result and accepts it only if it has the expected data.
 */
export function editLocated(
  text: string,
  root: Located | undefined,
  step: Step,
  notation: Notation,
): string | undefined {
  return step.kind === "insert"
    ? insert(text, root, step.path, notation.value(step.value), notation)
    : remove(text, root, step.path, step.index, notation);
}

function insert(
  text: string,
  root: Located | undefined,
  path: readonly string[],
  piece: string,
  notation: Notation,
): string | undefined {
  if (root === undefined) return appendKeys(text, path.map(notation.key), piece);
  let current = root;
  let depth = 0;
  for (; depth < path.length; depth++) {
    const entry = entryOf(current, path[depth]);
    if (entry === undefined) break;
    current = entry.value;
  }
  const missing = path.slice(depth).map(notation.key);
  if (current.kind === "value") return undefined;
  if (current.kind === "list") {
    if (missing.length > 0) return undefined;
    return current.isFlow ? insertInFlow(text, current, piece, notation) : insertItem(text, current, piece);
  }
  const [key, ...rest] = missing;
  if (key === undefined) return undefined;
  if (!current.isFlow) return insertKeys(text, current, missing, piece);
  const nested = rest.reduceRight((inner, name) => `{ ${name}: ${inner} }`, `[${piece}]`);
  return insertInFlow(text, current, `${key}: ${nested}`, notation);
}

function remove(
  text: string,
  root: Located | undefined,
  path: readonly string[],
  index: number,
  notation: Notation,
): string | undefined {
  let entry: LocatedEntry | undefined;
  for (const key of path) entry = entryOf(entry === undefined ? root : entry.value, key);
  if (entry?.value.kind !== "list") return undefined;
  return entry.value.isFlow ? removeFromFlow(text, entry.value, index, notation) : removeItem(text, entry, index);
}

function entryOf(located: Located | undefined, key: string | undefined): LocatedEntry | undefined {
  return located?.kind === "table" ? located.entries.find((entry) => entry.key === key) : undefined;
}

/** Adds an item at the end of a list written with dashes. Undefined if a dash does not begin its line. */
function insertItem(text: string, list: LocatedList, piece: string): string | undefined {
  const last = list.items.at(-1);
  const dash = last && dashBefore(text, last.start);
  if (last === undefined || dash === undefined) return undefined;
  const line = `${lineBreakOf(text)}${indentationBefore(text, dash)}- ${piece}`;
  return splice(text, [insertion(endOfLine(text, last.end), line)]);
}

/** An indented table with nested `keys`; the last one contains a list of one item. */
function insertKeys(text: string, table: LocatedTable, keys: readonly string[], piece: string): string | undefined {
  const first = table.entries[0];
  const last = table.entries.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const lines = linesOf(keys, piece, indentationBefore(text, first.start), indentationOf(text));
  const added = lines.map((line) => lineBreakOf(text) + line).join("");
  return splice(text, [insertion(endOfLine(text, last.value.end), added)]);
}

/** The same at the end of a text that contains nothing but comments. */
function appendKeys(text: string, keys: readonly string[], piece: string): string {
  const lineBreak = lineBreakOf(text);
  const lines = linesOf(keys, piece, "", indentationOf(text));
  const before = text === "" || text.endsWith("\n") ? text : text + lineBreak;
  return before + lines.map((line) => line + lineBreak).join("");
}

/** Removes an item from a list written with dashes. An empty list becomes `[]`, and its comments stay. */
function removeItem(text: string, { value, keyEnd }: LocatedEntry, index: number): string | undefined {
  if (value.kind !== "list") return undefined;
  const item = value.items[index];
  const dash = item && dashBefore(text, item.start);
  if (item === undefined || dash === undefined) return undefined;
  const lines = { start: startOfLine(text, dash), end: startOfNextLine(text, item.end), text: "" };
  if (value.items.length > 1) return splice(text, [lines]);
  const colon = text.indexOf(":", keyEnd);
  return colon < 0 ? undefined : splice(text, [insertion(colon + 1, " []"), lines]);
}

function linesOf(keys: readonly string[], piece: string, indentation: string, unit: string): string[] {
  return [
    ...keys.map((key, depth) => `${indentation}${unit.repeat(depth)}${key}:`),
    `${indentation}${unit.repeat(keys.length)}- ${piece}`,
  ];
}

function dashBefore(text: string, start: number): number | undefined {
  const dash = text.slice(0, start).trimEnd().length - 1;
  return text[dash] === "-" && isFirstInLine(text, dash) ? dash : undefined;
}

/** Adds a part at the end of a list or table between brackets, in the style of the part before it. */
export function insertInFlow(text: string, container: Container, piece: string, notation: Notation): string {
  const last = partsOf(container).at(-1);
  return splice(
    text,
    last === undefined ? fill(text, container, piece) : insertAfter(text, last, container.end - 1, piece, notation),
  );
}

/** Removes an item and its comma from a list between brackets. Comments stay, including the item's own. */
export function removeFromFlow(text: string, list: LocatedList, index: number, notation: Notation): string | undefined {
  const item = list.items[index];
  if (item === undefined) return undefined;
  const after = notation.skipBlank(text, item.end);
  if (text[after] === ",") {
    const isNext = text.slice(item.end, after).trim() === "";
    const own = isNext
      ? [wholeLineOf(text, item.start, after + 1)]
      : [removal(item), removal({ start: after, end: after + 1 })];
    return splice(text, own);
  }
  const previous = list.items[index - 1];
  if (previous === undefined) return splice(text, [wholeLineOf(text, item.start, item.end)]);
  const comma = notation.skipBlank(text, previous.end);
  const isNear = text.slice(comma + 1, item.start).trim() === "" && !text.slice(comma, item.start).includes("\n");
  if (isNear) return splice(text, [removal({ start: comma, end: item.end })]);
  return splice(text, [removal({ start: comma, end: comma + 1 }), wholeLineOf(text, item.start, item.end)]);
}

function fill(text: string, { kind, start, end }: Container, piece: string): Splice[] {
  const close = end - 1;
  const line = startOfLine(text, close);
  if (line > start && isFirstInLine(text, close)) {
    const indentation = indentationBefore(text, close) + indentationOf(text);
    return [insertion(line, indentation + piece + lineBreakOf(text))];
  }
  const inside = text.slice(start + 1, close);
  const space = kind === "table" ? " " : "";
  if (inside.trim() === "") return [{ start: start + 1, end: close, text: space + piece + space }];
  return [insertion(close, `${/\s$/.test(inside) ? "" : " "}${piece} `)];
}

function insertAfter(text: string, last: Span, close: number, piece: string, notation: Notation): Splice[] {
  const next = notation.skipBlank(text, last.end);
  const hasComma = text[next] === ",";
  const line = endOfLine(text, hasComma ? next : last.end);
  if (!isFirstInLine(text, last.start) || line >= close) return [insertion(last.end, `, ${piece}`)];
  const indentation = indentationBefore(text, last.start);
  const added = insertion(line, `${lineBreakOf(text)}${indentation}${piece}${hasComma ? "," : ""}`);
  return hasComma ? [added] : [insertion(last.end, ","), added];
}

/** A part, with its line if nothing else is on it, or with the space after it. */
function wholeLineOf(text: string, start: number, end: number): Splice {
  if (isFirstInLine(text, start) && text.slice(end, endOfLine(text, end)).trim() === "") {
    return removal({ start: startOfLine(text, start), end: startOfNextLine(text, end) });
  }
  let to = end;
  while (text[to] === " " || text[to] === "\t") to++;
  return removal({ start, end: to });
}

/** Words that some YAML reader does not read as text. */
const YAML_WORDS = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);

export const JSON_NOTATION: Notation = {
  key: (key) => JSON.stringify(key),
  value: (value) => write(value, (text) => JSON.stringify(text), ": "),
  skipBlank: (text, at) => skip(text, at, /\s+|\/\/[^\n]*|\/\*[^]*?\*\//y),
};

export const YAML_NOTATION: Notation = {
  key: yamlText,
  value: (value) => write(value, yamlText, ": "),
  skipBlank: (text, at) => skip(text, at, /\s+|#[^\n]*/y),
};

export const TOML_NOTATION: Notation = {
  key: (key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key)),
  value: (value) => write(value, (text) => JSON.stringify(text), " = ", TOML_NOTATION.key),
  skipBlank: YAML_NOTATION.skipBlank,
};

function yamlText(text: string): string {
  const isPlain = /^[a-z][\w-]*$/i.test(text) && !YAML_WORDS.has(text.toLowerCase());
  return isPlain ? text : JSON.stringify(text);
}

/** On one line, between brackets. */
function write(value: unknown, writeText: (text: string) => string, colon: string, writeKey = writeText): string {
  const inner = (item: unknown) => write(item, writeText, colon, writeKey);
  if (typeof value === "string") return writeText(value);
  if (Array.isArray(value)) return `[${value.map(inner).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${writeKey(key)}${colon}${inner(item)}`)
    .join(", ")} }`;
}

/** @param blank sticky */
export function skip(text: string, from: number, blank: RegExp): number {
  let at = from;
  for (;;) {
    blank.lastIndex = at;
    if (blank.exec(text) === null) return at;
    at = blank.lastIndex;
  }
}
