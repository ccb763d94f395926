import type { InputSpec } from "../schema.ts";

// How steps exchange data: outputs, the inputs that need them, and the variables that insert them into a prompt.

export type Outputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type VariablesRead =
  | { readonly kind: "variables"; readonly variables: Variables }
  /** Required inputs that no step has given yet. */
  | { readonly kind: "missing"; readonly missing: readonly { readonly step: string; readonly field: string }[] };

/** The latest output of each step. */
export interface StepContext {
  readonly outputs: Outputs;
  get(step: string, field: string): unknown;
  /** Replaces the step's previous output. */
  set(step: string, data: Readonly<Record<string, unknown>>): void;
  toUvVariables(inputs: InputSpec | undefined): VariablesRead;
}

/** @param given outputs from an earlier process of the run */
export function createStepContext(given: Outputs = {}): StepContext {
  const outputs = new Map(Object.entries(given));
  const get = (step: string, field: string) => {
    const data = outputs.get(step);
    return data !== undefined && Object.hasOwn(data, field) ? data[field] : undefined;
  };
  return {
    get outputs() {
      return Object.fromEntries(outputs);
    },
    get,
    set: (step, data) => void outputs.set(step, { ...data }),
    toUvVariables(spec) {
      const variables: Record<string, string> = {};
      const missing: { step: string; field: string }[] = [];
      for (const { step, field, fallback, onMissing } of readInputs(spec).inputs) {
        const value = get(step, field);
        const name = variableName(step, field);
        if (value !== undefined) variables[name] = variableText(value);
        else if (onMissing === "error") missing.push({ step, field });
        else if (onMissing === "default") variables[name] = variableText(fallback?.value);
      }
      return missing.length > 0 ? { kind: "missing", missing } : { kind: "variables", variables };
    },
  };
}

/** One input, with the definition's defaults filled in. */
export interface Input {
  readonly step: string;
  readonly field: string;
  readonly fallback: { readonly value: unknown } | undefined;
  readonly onMissing: "error" | "default" | "skip";
  /** The key in `variables`. */
  readonly key: string;
}

/**
 * The inputs that a specification names. An input without a step is taken from `from_step` and each of `from_steps`. If
 * `onMissing` is absent, a missing input is an error if it is required; otherwise it has its default or nothing.
 *
 * @output strays: the keys without a step, if there is no `from_step` either
 */
export function readInputs(spec: InputSpec | undefined): { inputs: Input[]; strays: string[] } {
  const inputs: Input[] = [];
  const strays: string[] = [];
  for (const [key, given] of Object.entries(spec?.variables ?? {})) {
    const variable = typeof given === "boolean" ? { required: given } : given;
    const fallback = "default" in variable ? { value: variable.default } : undefined;
    const isRequired = variable.required ?? true;
    const onMissing = variable.onMissing ?? (isRequired ? "error" : fallback === undefined ? "skip" : "default");
    const dot = key.indexOf(".");
    const field = key.slice(dot + 1);
    const steps = dot < 0 ? sourcesOf(spec) : [key.slice(0, dot)];
    if (steps.length === 0) strays.push(key);
    for (const step of steps) inputs.push({ step, field, fallback, onMissing, key });
  }
  return { inputs, strays };
}

function sourcesOf(spec: InputSpec | undefined): string[] {
  return [...new Set([...(spec?.from_step === undefined ? [] : [spec.from_step]), ...(spec?.from_steps ?? [])])];
}

/** `{ "uv-step_field": "value" }`: the text for `{uv-step_field}` in a prompt. */
export type Variables = Readonly<Record<string, string>>;

/** Anything that could be meant as a variable, so that a misspelt one is an error and not text. */
const MENTION = /\{(uv-[^{}\s]*)\}/g;

/** A step's name has no `_`, so no two fields share a variable. */
export function variableName(step: string, field: string): string {
  return `uv-${step}_${field}`;
}

/** A value of `--var`: without `_`, so that it can't be mistaken for a step's field. */
export function givenVariableName(name: string): string {
  return `uv-${name}`;
}

type Replaced =
  | { readonly kind: "text"; readonly text: string }
  /** Variables in the text that have no value. */
  | { readonly kind: "left-over"; readonly names: readonly string[] };

/** Replaces every variable once: a value that looks like a variable is not replaced. */
export function replaceVariables(text: string, variables: Variables): Replaced {
  const names = mentionedVariables(text).filter((name) => !Object.hasOwn(variables, name));
  if (names.length > 0) return { kind: "left-over", names };
  return { kind: "text", text: text.replace(MENTION, (_, name: string) => variables[name] ?? "") };
}

/** Every variable that a text names, each once. */
export function mentionedVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(MENTION), ([, name]) => name ?? ""))];
}

/** A string is inserted unchanged; everything else as JSON. */
export function variableText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
