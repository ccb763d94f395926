import {
  parseWord,
  type Assignment,
  type BraceExpansionPart,
  type LiteralPart,
  type ParameterExpansionPart,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "./grammar.ts";
import { hasAny, isFull } from "../paths.ts";
import { ANYTHING, exactly, type ShellState, type Value } from "./state.ts";

/** How many words one word may expand to. */
const MAX_VALUES = 32;
const MAX_WORD = 65_536;

const PATTERN: readonly Value[] = [{ text: "", rest: "pattern" }];

/** Stands for git's top of the tree; no variable can have this name. */
const GIT_ROOT = "git root";

/** Substitutions whose output is known, and the variable with the same value. */
const KNOWN_COMMANDS: ReadonlyMap<string, string> = new Map([
  ["pwd", "PWD"],
  ["git rev-parse --show-toplevel", GIT_ROOT],
  ["git rev-parse --show-toplevel 2>/dev/null", GIT_ROOT],
]);

/** What a shell expands a word to: variables, `~` and `{a,b}` are replaced; a pattern ends the known part. */
export function valuesOf(state: ShellState, word: Word): readonly Value[] {
  const values = unsplitValues(state, word);
  const part = word.parts?.length === 1 ? word.parts[0] : undefined;
  return part !== undefined && variableOf(part) !== undefined ? splitFields(values) : values;
}

/** What a shell expands the words of an array or a loop to. */
export function allValues(state: ShellState, words: readonly Word[], most = MAX_VALUES): readonly Value[] {
  const all: Value[] = [];
  for (const word of words) {
    for (const value of valuesOf(state, word)) all.push(value);
    if (all.length > most) return ANYTHING;
  }
  return all;
}

/** The value of a variable after `x=a`, `x+=b`, `x=(a b)` or `x[1]=c`. */
export function assignedValues(state: ShellState, { name, value, append, index }: Assignment): readonly Value[] {
  const isArray = value.type === "ArrayValue";
  const values = isArray ? allValues(state, value.elements) : unsplitValues(state, value);
  if (append !== true && index === undefined) return values;
  const before = namedValues(state, name);
  if (!isArray && index === undefined) return joined(before, values);
  return before.length + values.length > MAX_VALUES ? ANYTHING : [...before, ...values];
}

/** The variable with the same value as a substitution's output. */
export function knownSubstitution(node: SyntaxNode): string | undefined {
  if (node.type !== "CommandExpansion") return undefined;
  const { text } = node;
  return KNOWN_COMMANDS.get(text.slice(text.startsWith("`") ? 1 : 2, -1).trim());
}

function unsplitValues(state: ShellState, word: Word): readonly Value[] {
  state.found.work++;
  return word.parts === undefined ? [literalValue(state, word, true)] : joinedValues(state, word.parts, true);
}

function joinedValues(state: ShellState, parts: readonly WordPart[], isBeginning: boolean): readonly Value[] {
  let values: readonly Value[] = [exactly("")];
  for (const [index, part] of parts.entries()) {
    // `~/*` begins with the home, `~*` doesn't.
    const isHome = isBeginning && index === 0 && (parts.length === 1 || part.text.includes("/"));
    values = joined(values, partValues(state, part, isHome));
  }
  return values;
}

function joined(before: readonly Value[], after: readonly Value[]): readonly Value[] {
  const values: Value[] = [];
  for (const start of before) {
    if (start.rest !== "" || after.length === 0) values.push(start);
    else for (const end of after) values.push({ text: start.text + end.text, rest: end.rest });
    if (values.length > MAX_VALUES || (values[0]?.text.length ?? 0) > MAX_WORD) return ANYTHING;
  }
  return values;
}

function partValues(state: ShellState, part: WordPart, isFirst: boolean): readonly Value[] {
  switch (part.type) {
    case "Literal":
      return [literalValue(state, part, isFirst)];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [exactly(part.value)];
    case "DoubleQuoted":
    case "LocaleString":
      return joinedValues(state, part.parts, false);
    case "ProcessSubstitution":
      return [exactly("/dev/fd/63")];
    case "BraceExpansion":
      return braceValues(state, part);
    case "Glob":
    case "ExtendedGlob":
      return PATTERN;
    default: {
      const name = variableOf(part);
      if (name === undefined) return ANYTHING;
      const fallback = part.type === "ParameterExpansion" ? fallbackOf(part) : undefined;
      return namedValues(state, name, fallback);
    }
  }
}

/** Text outside quotes, where a leading `~` is the home directory. */
function literalValue(
  state: ShellState,
  { text, value }: Pick<LiteralPart, "text" | "value">,
  isFirst: boolean,
): Value {
  if (!isFirst || !text.startsWith("~")) return exactly(value);
  const slash = value.indexOf("/");
  const user = slash === -1 ? value.slice(1) : value.slice(1, slash);
  if (user === "+") return exactly(state.cwd + value.slice(2));
  // Another user's home is unknown.
  return user === "" ? exactly(state.home + value.slice(1)) : { text: "", rest: "anything" };
}

/** The variable of `$name`, `${name[@]}` and `${name:-default}`; undefined for others, like `${#name}` and `${name%.ts}`. */
export function variableOf(part: WordPart): string | undefined {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  if (part.type !== "ParameterExpansion") return knownSubstitution(part);
  const { parameter, prefix, operation } = part;
  return prefix === undefined && (operation === undefined || fallbackOf(part) !== undefined) ? parameter : undefined;
}

function fallbackOf({ operation }: ParameterExpansionPart): Word | undefined {
  return operation?.type === "Default" && /^:?[-=]$/.test(operation.operator) ? operation.operand : undefined;
}

function namedValues(state: ShellState, name: string, fallback?: Word): readonly Value[] {
  const known = state.variables.get(name);
  if (known !== undefined) return known;
  if (name === "HOME") return [exactly(state.home)];
  if (name === "PWD" && !state.isLost) return [exactly(state.cwd)];
  if (name === GIT_ROOT) return [exactly(state.root)];
  if (name === "OLDPWD" && state.previous !== undefined) return [exactly(state.previous)];
  return fallback === undefined ? ANYTHING : unsplitValues(state, fallback);
}

function splitFields(values: readonly Value[]): readonly Value[] {
  const fields: Value[] = [];
  for (const value of values) {
    if (value.rest !== "" || (value.text !== "" && !hasAny(value.text, " \t\n"))) fields.push(value);
    else for (const text of value.text.split(/\s+/, MAX_VALUES)) if (text !== "") fields.push(exactly(text));
    if (fields.length > MAX_VALUES) return ANYTHING;
  }
  return fields;
}

/** The alternatives of `{a,b}`, each a word of its own; ranges and long lists count as a pattern. */
function braceValues(state: ShellState, { text }: BraceExpansionPart): readonly Value[] {
  state.found.work += text.length >> 4;
  const alternatives = alternativesOf(text);
  if (alternatives.length < 2 || alternatives.length > MAX_VALUES || isFull(state.found)) return PATTERN;
  return alternatives.flatMap((alternative) => {
    const word = alternative === "" ? undefined : parseWord(alternative);
    return word === undefined ? [exactly(alternative)] : unsplitValues(state, word);
  });
}

/** `a`, `"b,c"` and `{d,e}` of `{a,"b,c",{d,e}}`; `1..3` of `{1..3}`. */
function alternativesOf(text: string): string[] {
  const alternatives: string[] = [];
  let [depth, start, quote] = [0, 1, ""];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "\\") at++;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth--;
    if (quote !== "" || depth > 1 || (depth === 1 && char !== ",")) continue;
    alternatives.push(text.slice(start, at));
    start = at + 1;
  }
  return alternatives;
}
