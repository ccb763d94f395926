import type { InputSpec } from "../schema.ts";
import { readInputs } from "./inputs.ts";
import { variableName, variableText, type Variables } from "./variables.ts";

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
