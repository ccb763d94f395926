import { readInputs } from "../judgement/inputs.ts";
import { isOfType } from "../judgement/output-schema.ts";
import { variableName } from "../judgement/variables.ts";
import type { StepView, StepViews } from "./definition-view.ts";
import { finding, type Finding } from "./problem.ts";
import type { FlowProof } from "./prove-flow.ts";

/** Each input is given by a step that can come before, and each default is one. */
export function proveData(steps: StepViews, flow: FlowProof): Finding[] {
  return [...steps].flatMap(([name, step]) => outputDefaults(name, step).concat(inputsOf(name, step, steps, flow)));
}

function inputsOf(name: string, { inputs: spec }: StepView, steps: StepViews, flow: FlowProof): Finding[] {
  const { inputs, strays } = readInputs(spec);
  const at = (key: string) => ["steps", name, "inputs", "variables", key];
  const taken = new Set<string>();
  const errors = strays.map(({ key }) =>
    finding("input", at(key), `'${key}' names no step: write 'step.${key}', or add 'from_step'`),
  );
  for (const { step, field, key, onMissing, fallback } of inputs) {
    const fault = sourceFault(name, step, field, steps, flow);
    if (fault !== undefined) errors.push(finding("input", at(key), fault));
    const variable = variableName(step, field);
    if (taken.has(variable)) errors.push(finding("input", at(key), `'${step}.${field}' is an input twice`));
    taken.add(variable);
    if (onMissing === "default" && fallback === undefined) {
      errors.push(finding("input", at(key), `'${key}' has no default to fall back on; add 'default'`));
    }
  }
  return errors;
}

function sourceFault(
  name: string,
  source: string,
  field: string,
  steps: StepViews,
  { graph, entry }: FlowProof,
): string | undefined {
  const giver = steps.get(source);
  if (giver === undefined) return `there is no step '${source}'`;
  const isGiven = giver.isOutputLost || Object.hasOwn(giver.output ?? {}, field);
  if (!isGiven) return `step '${source}' has no field '${field}' in its output`;
  if (entry === undefined) return undefined;
  const canCome = source === entry || graph.after(entry).has(source);
  if (canCome && graph.after(source).has(name)) return undefined;
  return `step '${source}' can't come before step '${name}', so '${field}' is never there`;
}

function outputDefaults(name: string, { output }: StepView): Finding[] {
  return Object.entries(output ?? {}).flatMap(([field, { type, required, default: value }]) => {
    if (value === undefined) return [];
    const path = ["steps", name, "output", field, "default"];
    if (required !== false) return [finding("output", path, `'${field}' is required, so its default is never used`)];
    return isOfType(value, type) ? [] : [finding("output", path, `the default of '${field}' must be of type ${type}`)];
  });
}
