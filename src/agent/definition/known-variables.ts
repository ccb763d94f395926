import { readInputs, type Input } from "../judge/inputs.ts";
import { variableName } from "../judge/variables.ts";
import type { PlacedReference, StepViews } from "./definition-view.ts";
import type { FlowProof } from "./prove-flow.ts";
import { supplyOf, whyMissing } from "./supply.ts";

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
