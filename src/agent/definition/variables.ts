import { isOfType } from "../judge/output.ts";
import { readInputs, variableName, type Input } from "../judge/step.ts";
import type { FlowProof } from "./flow.ts";
import { error, warning, type Finding } from "./problem.ts";
import type { PlacedReference, StepViews, StepView } from "./view.ts";

/** When a variable has no value, which ends the run, and the way out. */
export interface Gap {
  /** It is so the first time that the prompt is asked, whatever the answers are. */
  readonly isCertain: boolean;
  readonly message: string;
}

/**
 * The variables that a prompt may name, each with what is to be said against it: its step's inputs, and in the prompt of a
 * check also what the step itself has just given.
 */
export function knownVariables(
  placed: PlacedReference,
  steps: StepViews,
  flow: FlowProof,
): ReadonlyMap<string, Gap | undefined> {
  const name = placed.step;
  const { inputs, output = {} } = steps.get(name) ?? {};
  const known = new Map<string, Gap | undefined>();
  for (const input of readInputs(inputs?.spec).inputs) {
    const isSkipped = input.onMissing === "skip" && inputs?.isLost === false;
    known.set(variableName(input.step, input.field), isSkipped ? gapOfSkipped(name, input, steps, flow) : undefined);
  }
  if (!isOfCheck(placed)) return known;
  for (const [field, { required, default: fallback }] of Object.entries(output)) {
    const variable = variableName(name, field);
    if (required !== false || fallback !== undefined) known.set(variable, undefined);
    else if (!known.has(variable)) {
      const message = `where the answer leaves '${field}' out; give the field a default`;
      known.set(variable, { isCertain: false, message });
    }
  }
  return known;
}

/** Whether a variable may be meant by what can't be read. */
export function mayBeKnown(variable: string, placed: PlacedReference, steps: StepViews): boolean {
  const view = steps.get(placed.step);
  const isOwn = isOfCheck(placed) && variable.startsWith(variableName(placed.step, ""));
  return view?.inputs.isLost === true || (isOwn && view?.isOutputLost === true);
}

function gapOfSkipped(name: string, input: Input, steps: StepViews, flow: FlowProof): Gap | undefined {
  if (supplyOf(input.step, name, flow) === "later") {
    return { isCertain: true, message: `when step '${name}' comes for the first time; give the input a default` };
  }
  if (whyMissing(steps, input) === undefined) return undefined;
  return { isCertain: false, message: "where its input is left out; give the input a default" };
}

function isOfCheck({ path }: PlacedReference): boolean {
  return path.at(-2) === "check";
}

/**
 * When a step can have given what another takes: at no time, not yet when the other comes for the first time, or by then.
 * Nothing is said against a definition whose first step is not known.
 */
export function supplyOf(giver: string, taker: string, { graph, entry }: FlowProof): "never" | "later" | "first" {
  if (entry === undefined) return "first";
  const comes = giver === entry || graph.after(entry).has(giver);
  if (!comes || !graph.after(giver).has(taker)) return "never";
  const comesFirst = taker !== entry && (giver === entry || graph.after(entry, taker).has(giver));
  return comesFirst ? "first" : "later";
}

/** Why an input may be missing although its step has come; undefined where it can't. */
export function whyMissing(steps: StepViews, { step, field }: Pick<Input, "step" | "field">): string | undefined {
  const giver = steps.get(step);
  const given = giver?.output[field];
  const isLeavable = given?.required === false && given.default === undefined;
  const reasons = [
    ...(giver?.isOptional === true ? [`step '${step}' is optional`] : []),
    ...(isLeavable ? [`its field '${field}' is not required`] : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join(" and ");
}

/** Each input is given by a step that can come before, and each default is one. */
export function proveData(steps: StepViews, flow: FlowProof): Finding[] {
  const problems: Finding[] = [];
  for (const [name, step] of steps) {
    problems.push(...outputDefaults(name, step), ...sourcesOf(name, step, steps));
    const { inputs, strays } = readInputs(step.inputs.spec);
    const at = (key: string) => ["steps", name, "inputs", "variables", key];
    if (!step.inputs.areSourcesLost) {
      for (const { key } of strays) {
        problems.push(error("input", at(key), `'${key}' names no step: write 'step.${key}', or add 'from_step'`));
      }
    }
    const taken = new Set<string>();
    for (const input of inputs) {
      const { key } = input;
      const faults = [supplyFault(name, input, steps, flow), twice(input, taken), defaultFault(input)];
      problems.push(...faults.flatMap((fault) => (fault === undefined ? [] : [error("input", at(key), fault)])));
      const doubt = faults[0] === undefined && input.onMissing === "error" ? whyMissing(steps, input) : undefined;
      if (doubt === undefined) continue;
      const message = `'${input.step}.${input.field}' may be missing, because ${doubt}, and that ends the run; say with "onMissing" what is to be done then`;
      problems.push(warning("input", at(key), message));
    }
  }
  return problems;
}

function sourcesOf(name: string, { inputs: { sources } }: StepView, steps: StepViews): Finding[] {
  const named = new Set<string>();
  return sources.flatMap(({ path, step }) => {
    const at = ["steps", name, "inputs", ...path];
    const isNamed = named.has(step);
    named.add(step);
    return [
      ...(steps.has(step) ? [] : [error("input", at, `there is no step '${step}'`)]),
      ...(isNamed ? [error("input", at, `step '${step}' is named twice`)] : []),
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
    if (required !== false) return [error("output", path, `'${field}' is required, so its default is never used`)];
    return isOfType(value, type) ? [] : [error("output", path, `the default of '${field}' must be of type ${type}`)];
  });
}
