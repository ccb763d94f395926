import type { AgentDefinition, Step, InputSpec } from "../schema.ts";
import type { StepCheckResult } from "./answer.ts";
import { limitsOf } from "./completion.ts";

/** The target that is no step. */
export const COMPLETE = "complete";

export type Transition =
  | { readonly kind: "step"; readonly step: string; readonly isRetry: boolean }
  | { readonly kind: "complete"; readonly reason: string }
  /** Every try is used up, and nothing says where to go. */
  | { readonly kind: "used-up"; readonly error: string };

/** Where a run stands. */
export interface Position {
  readonly step: string;
  /** Failed checks of it since it was come to. */
  readonly failures: number;
}

/** Follows the transitions of a definition. */
export interface StepFlow {
  readonly position: Position;
  /** @effect the position, unless the run ends here */
  transition(result: StepCheckResult): Transition;
  /** Leaves the step out, as an optional one may be. */
  skip(): Transition;
}

export function createStepFlow(definition: AgentDefinition, from?: Position): StepFlow {
  let position = from ?? { step: definition.entryStep, failures: 0 };
  const { maxRetries } = limitsOf(definition);

  function go(target: string, reason: string): Transition {
    if (target === COMPLETE) return { kind: "complete", reason: `step '${position.step}' ends the run: ${reason}` };
    position = { step: target, failures: 0 };
    return { kind: "step", step: target, isRetry: false };
  }

  function skip(): Transition {
    return go(onPassOf(definition, position.step), "it was left out");
  }

  function transition({ pass, reason }: StepCheckResult): Transition {
    const { step, failures } = position;
    if (pass) return go(onPassOf(definition, step), reason);
    const { retry = maxRetries, then } = stepOf(definition, step)?.check?.onFail ?? {};
    if (failures < retry) {
      position = { step, failures: failures + 1 };
      return { kind: "step", step, isRetry: true };
    }
    if (then !== undefined) return go(then, `its check failed: ${reason}`);
    if (stepOf(definition, step)?.optional === true) return skip();
    const tries = failures === 0 ? "1 try" : `${failures + 1} tries`;
    return { kind: "used-up", error: `step '${step}' did not pass in ${tries}: ${reason}` };
  }

  return {
    get position() {
      return position;
    },
    transition,
    skip,
  };
}

export function stepOf(definition: AgentDefinition, name: string): Step | undefined {
  return Object.hasOwn(definition.steps, name) ? definition.steps[name] : undefined;
}

/** A step without a check is repeated. */
function onPassOf(definition: AgentDefinition, step: string): string {
  return stepOf(definition, step)?.check?.onPass ?? step;
}

export type Outputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type VariablesRead =
  | { readonly kind: "variables"; readonly variables: Variables }
  /** What is required and no step has given yet. */
  | { readonly kind: "missing"; readonly missing: readonly { readonly step: string; readonly field: string }[] };

/** What the steps have given so far: the latest of each. */
export interface StepContext {
  readonly outputs: Outputs;
  /** @output undefined for what no step has given */
  get(step: string, field: string): unknown;
  /** @effect what the step gave before is forgotten */
  set(step: string, data: Readonly<Record<string, unknown>>): void;
  /** @output a variable for each input, or those that are required and missing */
  toUvVariables(inputs: InputSpec | undefined): VariablesRead;
}

/** @param given what steps gave before, e.g. in a process that has died */
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

/** One input, with everything that may be left out of a definition said. */
export interface Input {
  readonly step: string;
  readonly field: string;
  readonly fallback: { readonly value: unknown } | undefined;
  readonly onMissing: "error" | "default" | "skip";
  /** The key in `variables`. */
  readonly key: string;
}

/** A name without a step, and no `from_step` or `from_steps` that could say which. */
export interface StraySpec {
  readonly key: string;
}

/**
 * The inputs that a specification asks for. One that names no step is taken from `from_step`, and from each of
 * `from_steps`. Where it isn't said what happens to a missing one: an error for a required one, else its default, or
 * nothing.
 */
export function readInputs(spec: InputSpec | undefined): { inputs: Input[]; strays: StraySpec[] } {
  const inputs: Input[] = [];
  const strays: StraySpec[] = [];
  for (const [key, given] of Object.entries(spec?.variables ?? {})) {
    const variable = typeof given === "boolean" ? { required: given } : given;
    const fallback = "default" in variable ? { value: variable.default } : undefined;
    const isRequired = variable.required ?? true;
    const onMissing = variable.onMissing ?? (isRequired ? "error" : fallback === undefined ? "skip" : "default");
    const dot = key.indexOf(".");
    const field = key.slice(dot + 1);
    const steps = dot < 0 ? sourcesOf(spec) : [key.slice(0, dot)];
    if (steps.length === 0) strays.push({ key });
    for (const step of steps) inputs.push({ step, field, fallback, onMissing, key });
  }
  return { inputs, strays };
}

function sourcesOf(spec: InputSpec | undefined): string[] {
  return [...new Set([...(spec?.from_step === undefined ? [] : [spec.from_step]), ...(spec?.from_steps ?? [])])];
}

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
