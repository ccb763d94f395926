import { GIT_ROOT, type ShellVariable, type Word, type WordPart } from "./shell-steps.ts";
import { exactly, type ShellState, type Value } from "./shell-state.ts";
import { hasAny } from "./text-scan.ts";

/** How many words one word may stand for. */
const MAX_VALUES = 32;
const MAX_WORD = 65_536;

/** What a shell makes of a word: variables, `~` and `{a,b}` replaced; a pattern ends what is known. */
export function valuesOf(state: ShellState, word: Word): readonly Value[] {
  state.found.work++;
  const first = word[0];
  if (first === undefined) return [];
  if (word.length === 1) {
    if (first.kind === "quoted") return [exactly(first.text)];
    if (first.kind === "plain") return plainValues(state, first.text, true);
    // Only a variable outside quotes is split into words.
    if (first.kind === "variable" && !first.isQuoted) return splitFields(variableValues(state, first));
  }
  let values: readonly Value[] = [exactly("")];
  for (let index = 0; index < word.length; index++) {
    const part = word[index] as WordPart;
    let next: readonly Value[];
    if (part.kind === "quoted") next = [exactly(part.text)];
    else if (part.kind === "plain") next = plainValues(state, part.text, index === 0);
    else if (part.kind === "variable") next = variableValues(state, part);
    else next = ANYTHING;
    values = joined(values, next);
  }
  return values;
}

/** Of the words of an assignment or a loop. */
export function allValues(state: ShellState, words: readonly Word[], most = MAX_VALUES): readonly Value[] {
  const all: Value[] = [];
  for (const word of words) {
    // `x=` assigns the empty string.
    if (word.length === 0) all.push(exactly(""));
    for (const value of valuesOf(state, word)) all.push(value);
    if (all.length > most) return ANYTHING;
  }
  return all;
}

export const ANYTHING: readonly Value[] = [{ text: "", rest: "anything" }];

function joined(before: readonly Value[], after: readonly Value[]): readonly Value[] {
  const values: Value[] = [];
  for (const start of before) {
    if (start.rest !== "" || after.length === 0) values.push(start);
    else for (const end of after) values.push({ text: start.text + end.text, rest: end.rest });
    if (values.length > MAX_VALUES || (values[0]?.text.length ?? 0) > MAX_WORD) return ANYTHING;
  }
  return values;
}

function variableValues(state: ShellState, { name, fallback }: ShellVariable): readonly Value[] {
  const known = state.variables.get(name);
  if (known !== undefined) return known;
  if (name === "HOME") return [exactly(state.home)];
  if (name === "PWD" && !state.isLost) return [exactly(state.cwd)];
  if (name === GIT_ROOT) return [exactly(state.root)];
  if (name === "OLDPWD" && state.previous !== undefined) return [exactly(state.previous)];
  return fallback === undefined ? ANYTHING : valuesOf(state, fallback);
}

function splitFields(values: readonly Value[]): readonly Value[] {
  const fields: Value[] = [];
  for (const value of values) {
    if (value.rest !== "" || !hasAny(value.text, " \t\n")) fields.push(value);
    else for (const text of value.text.split(/\s+/, MAX_VALUES)) if (text !== "") fields.push(exactly(text));
    if (fields.length > MAX_VALUES) return ANYTHING;
  }
  return fields;
}

function plainValues(state: ShellState, written: string, isFirst: boolean): readonly Value[] {
  let text = written;
  if (isFirst && text.startsWith("~")) {
    const slash = text.indexOf("/");
    const user = slash === -1 ? text.slice(1) : text.slice(1, slash);
    if (user === "+") text = state.cwd + text.slice(2);
    else if (user === "") text = state.home + text.slice(1);
    // Another user's home.
    else return ANYTHING;
  }
  if (text.length > MAX_WORD) return ANYTHING;
  if (!text.includes("{")) return [patternValue(text)];
  const words = expandBraces(text, 0);
  return words === undefined ? [patternValue(text.slice(0, text.indexOf("{")) + "*")] : words.map(patternValue);
}

/** Up to the first character that matches more than itself. */
function patternValue(text: string): Value {
  // A lone `[` is a command's name.
  const lastClosed = text.lastIndexOf("]");
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === "*" || char === "?" || (char === "[" && index < lastClosed)) {
      return { text: text.slice(0, index), rest: "pattern" };
    }
  }
  return exactly(text);
}

/** Undefined when they are too many or too deep; a bracket without a comma is itself. */
function expandBraces(text: string, depth: number): string[] | undefined {
  if (depth > 4 || text.length > MAX_WORD) return undefined;
  let open = text.indexOf("{");
  for (; open !== -1; open = text.indexOf("{", open + 1)) {
    const parts = partsAt(text, open);
    // Without its end no later one has to have one.
    if (parts === undefined) return [text];
    if (parts.isRange) return undefined;
    if (parts.texts.length > 1) return combined(text.slice(0, open), parts.texts, text.slice(parts.end), depth);
    open = parts.end - 1;
  }
  return [text];
}

function combined(before: string, parts: readonly string[], after: string, depth: number): string[] | undefined {
  const words: string[] = [];
  const ends = expandBraces(after, depth + 1);
  if (ends === undefined || parts.length > MAX_VALUES) return undefined;
  for (const part of parts) {
    const starts = expandBraces(part, depth + 1);
    if (starts === undefined) return undefined;
    for (const start of starts) for (const end of ends) words.push(before + start + end);
    if (words.length > MAX_VALUES) return undefined;
  }
  return words;
}

function partsAt(text: string, open: number): { texts: string[]; end: number; isRange: boolean } | undefined {
  const texts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let index = open; index < text.length; index++) {
    const char = text[index];
    if (char === "{") depth++;
    else if (char === "}") depth--;
    if (depth > 1 || (char !== "," && depth > 0)) continue;
    texts.push(text.slice(start, index));
    start = index + 1;
    if (depth === 0) return { texts, end: start, isRange: texts.length === 1 && (texts[0] ?? "").includes("..") };
  }
  return undefined;
}
