import type { Notation } from "./located.ts";

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
