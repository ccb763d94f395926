/** `{ "uv-step_field": "value" }`: what stands in a prompt for `{uv-step_field}`. */
export type Variables = Readonly<Record<string, string>>;

/** Any that could be meant as one, so that a misspelt one is an error and not a text. */
const MENTION = /\{(uv-[^{}\s]*)\}/g;

/** A step's name holds no `_`, so no two fields share a variable. */
export function variableName(step: string, field: string): string {
  return `uv-${step}_${field}`;
}

/** Given with `--var`: without `_`, so that it can't pass for a step's field. */
export function givenVariableName(name: string): string {
  return `uv-${name}`;
}

export type Replaced =
  | { readonly kind: "text"; readonly text: string }
  /** Named in the text, and not among the variables. */
  | { readonly kind: "left-over"; readonly names: readonly string[] };

/** Replaces every variable once: a value that looks like a variable stays as it is. */
export function replaceVariables(text: string, variables: Variables): Replaced {
  const names = mentionedVariables(text).filter((name) => !Object.hasOwn(variables, name));
  if (names.length > 0) return { kind: "left-over", names };
  return { kind: "text", text: text.replace(MENTION, (_, name: string) => variables[name] ?? "") };
}

/** Every variable that a text names, once. */
export function mentionedVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(MENTION), ([, name]) => name ?? ""))];
}

/** A text is itself; the rest is JSON. */
export function variableText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
