import { insertInFlow, removeFromFlow } from "./flow.ts";
import {
  endOfLine,
  indentationBefore,
  indentationOf,
  insertion,
  isFirstInLine,
  lineBreakOf,
  splice,
  startOfLine,
  startOfNextLine,
  type LocatedEntry,
  type LocatedList,
  type LocatedTable,
  type Located,
  type Notation,
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
