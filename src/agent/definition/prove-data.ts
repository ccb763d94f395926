import { readInputs, type Input } from "../judge/inputs.ts";
import { isOfType } from "../judge/output-schema.ts";
import { variableName } from "../judge/variables.ts";
import type { StepView, StepViews } from "./definition-view.ts";
import { finding, type Finding } from "./problem.ts";
import type { FlowProof } from "./prove-flow.ts";
import { supplyOf, whyMissing } from "./supply.ts";

export interface DataProof {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Each input is given by a step that can come before, and each default is one. */
export function proveData(steps: StepViews, flow: FlowProof): DataProof {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  for (const [name, step] of steps) {
    errors.push(...outputDefaults(name, step), ...sourcesOf(name, step, steps));
    const { inputs, strays } = readInputs(step.inputs.spec);
    const at = (key: string) => ["steps", name, "inputs", "variables", key];
    if (!step.inputs.areSourcesLost) {
      for (const { key } of strays) {
        errors.push(finding("input", at(key), `'${key}' names no step: write 'step.${key}', or add 'from_step'`));
      }
    }
    const taken = new Set<string>();
    for (const input of inputs) {
      const { key } = input;
      const faults = [supplyFault(name, input, steps, flow), twice(input, taken), defaultFault(input)];
      errors.push(...faults.flatMap((fault) => (fault === undefined ? [] : [finding("input", at(key), fault)])));
      const doubt = faults[0] === undefined && input.onMissing === "error" ? whyMissing(steps, input) : undefined;
      if (doubt === undefined) continue;
      const message = `'${input.step}.${input.field}' may be missing, because ${doubt}, and that ends the run; say with "onMissing" what is to be done then`;
      warnings.push(finding("input", at(key), message));
    }
  }
  return { errors, warnings };
}

function sourcesOf(name: string, { inputs: { sources } }: StepView, steps: StepViews): Finding[] {
  const named = new Set<string>();
  return sources.flatMap(({ path, step }) => {
    const at = ["steps", name, "inputs", ...path];
    const isNamed = named.has(step);
    named.add(step);
    return [
      ...(steps.has(step) ? [] : [finding("input", at, `there is no step '${step}'`)]),
      ...(isNamed ? [finding("input", at, `step '${step}' is named twice`)] : []),
    ];
  });
}

function supplyFault(
  name: string,
  { step, field, key, onMissing }: Input,
  steps: StepViews,
  flow: FlowProof,
): string | undefined {
  const giver = steps.get(step);
  // Of a step that the name itself does not hold it is said where that stands.
  if (giver === undefined) return key.includes(".") ? `there is no step '${step}'` : undefined;
  const isGiven = giver.isOutputLost || Object.hasOwn(giver.output, field);
  if (!isGiven) return `step '${step}' has no field '${field}' in its output`;
  switch (supplyOf(step, name, flow)) {
    case "never":
      return `step '${step}' can't come before step '${name}', so '${field}' is never there`;
    case "later":
      if (onMissing !== "error") return undefined;
      return `'${step}.${field}' can't be there yet when step '${name}' comes for the first time, which ends the run; say with "onMissing" what is to be done then`;
    case "first":
      return undefined;
  }
}

function twice({ step, field }: Input, taken: Set<string>): string | undefined {
  const variable = variableName(step, field);
  if (taken.has(variable)) return `'${step}.${field}' is an input twice`;
  taken.add(variable);
  return undefined;
}

function defaultFault({ key, onMissing, fallback }: Input): string | undefined {
  if (onMissing === "default") {
    return fallback === undefined ? `'${key}' has no default to fall back on; add 'default'` : undefined;
  }
  if (fallback === undefined) return undefined;
  return `the default of '${key}' is never used, because its "onMissing" is "${onMissing}"; make that "default"`;
}

function outputDefaults(name: string, { output }: StepView): Finding[] {
  return Object.entries(output).flatMap(([field, { type, required, default: value }]) => {
    if (value === undefined) return [];
    const path = ["steps", name, "output", field, "default"];
    if (required !== false) return [finding("output", path, `'${field}' is required, so its default is never used`)];
    return isOfType(value, type) ? [] : [finding("output", path, `the default of '${field}' must be of type ${type}`)];
  });
}
