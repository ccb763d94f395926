import { insertInFlow, removeFromFlow, TOML_NOTATION } from "./lists.ts";
import { type Located, type LocatedList, insertion, lineBreakOf, splice, startOfNextLine } from "./located.ts";
import type { Step } from "./plan.ts";

/** A text has as many of them as lists of that name; more than one is already rare. */
const MAX_LISTS = 32;
const QUOTES = ['"""', "'''", '"', "'"];

/**
 * Candidates for a TOML text after a step, best first. They are guesses from the name of the list alone: the caller
 * parses each and takes the first that has exactly the expected data.
 */
export function* editToml(text: string, step: Step): Generator<string> {
  const name = step.path.at(-1) ?? "";
  const lists = listsOf(text).filter(({ key }) => key === name);
  for (const { list } of lists.slice(0, MAX_LISTS)) {
    const edited =
      step.kind === "insert"
        ? insertInFlow(text, list, TOML_NOTATION.value(step.value), TOML_NOTATION)
        : removeFromFlow(text, list, step.index, TOML_NOTATION);
    if (edited !== undefined) yield edited;
  }
  if (step.kind === "insert") yield* newLists(text, step.path.map(TOML_NOTATION.key), step.value);
}

function* newLists(text: string, keys: readonly string[], value: unknown): Generator<string> {
  const lineBreak = lineBreakOf(text);
  const [parent, name] = [keys.slice(0, -1).join("."), keys.at(-1)];
  const before = text.trim() === "" ? text : text + (text.endsWith("\n") ? "" : lineBreak) + lineBreak;
  const append = (lines: readonly string[]) => before + lines.map((line) => line + lineBreak).join("");
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const lines = Object.entries(value).map(
      ([key, item]) => `${TOML_NOTATION.key(key)} = ${TOML_NOTATION.value(item)}`,
    );
    yield append([`[[${keys.join(".")}]]`, ...lines]);
  }
  const setting = `= [${TOML_NOTATION.value(value)}]`;
  for (const { 0: header, index } of text.matchAll(/^[ \t]*\[([^[\]\n]+)\]/gm)) {
    if (header.replaceAll(/[\s[\]]/g, "") !== parent) continue;
    const at = startOfNextLine(text, index + header.length);
    const gap = text[at - 1] === "\n" ? "" : lineBreak;
    yield splice(text, [insertion(at, `${gap}${name} ${setting}${lineBreak}`)]);
  }
  if (parent !== "") yield append([`[${parent}]`, `${name} ${setting}`]);
  yield `${keys.join(".")} ${setting}${lineBreak}${text}`;
}

/** Every list between brackets that is the value of a key, with the last part of that key. */
function listsOf(text: string): { key: string; list: LocatedList }[] {
  const found: { key: string; list: LocatedList }[] = [];
  let isValue = false;
  for (let at = TOML_NOTATION.skipBlank(text, 0); at < text.length;) {
    const list = isValue && text[at] === "[" ? locateList(text, at) : undefined;
    if (list !== undefined) found.push({ key: keyBefore(text, at), list });
    isValue = text[at] === "=";
    at = TOML_NOTATION.skipBlank(text, list?.end ?? tokenEnd(text, at));
  }
  return found;
}

function keyBefore(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at).trimEnd();
  if (!line.endsWith("=")) return "";
  const key = line.slice(0, -1).trimEnd();
  const quote = key.at(-1) ?? "";
  if (quote === '"' || quote === "'") return key.slice(key.lastIndexOf(quote, key.length - 2) + 1, -1);
  let start = key.length;
  while (start > 0 && /[\w-]/.test(key[start - 1] as string)) start--;
  return key.slice(start);
}

function locateList(text: string, start: number): LocatedList | undefined {
  const items: Located[] = [];
  let item: { kind: "value"; start: number; end: number } | undefined;
  let depth = 0;
  for (let at = TOML_NOTATION.skipBlank(text, start + 1); at < text.length; at = TOML_NOTATION.skipBlank(text, at)) {
    const unit = text[at] as string;
    if (depth === 0 && (unit === "," || unit === "]")) {
      if (item !== undefined) items.push(item);
      item = undefined;
      if (unit === "]") return { kind: "list", isFlow: true, start, end: at + 1, items };
      at++;
      continue;
    }
    if (unit === "[" || unit === "{") depth++;
    else if (unit === "]" || unit === "}") depth--;
    const end = tokenEnd(text, at);
    item = { kind: "value", start: item?.start ?? at, end };
    at = end;
  }
  return undefined;
}

function tokenEnd(text: string, at: number): number {
  const quote = QUOTES.find((candidate) => text.startsWith(candidate, at));
  if (quote === undefined) return at + 1;
  for (let end = at + quote.length; end < text.length; end++) {
    if (text[end] === "\\" && quote.startsWith('"')) end++;
    else if (text.startsWith(quote, end)) return end + quote.length;
  }
  return text.length;
}
