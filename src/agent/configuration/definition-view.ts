import { isTable, valueAt } from "../../core/table.ts";
import {
  InputSpecSchema,
  OutputFieldsSchema,
  PromptReferenceSchema,
  StepCheckSchema,
  type InputSpec,
  type OutputFields,
  type PromptReference,
  type StepCheck,
} from "../../schema/agent.ts";

/** As much of a step as is well-formed: so that what is wrong elsewhere in it hides no other mistake. */
export interface StepView {
  readonly prompt: PromptReference | undefined;
  readonly inputs: InputSpec | undefined;
  readonly output: OutputFields | undefined;
  readonly check: StepCheck | undefined;
  /** Something is there for the inputs that is none. */
  readonly areInputsLost: boolean;
  /** Something is there for a check that is none: nobody knows where it leads. */
  readonly isCheckLost: boolean;
  /** Something is there for the output that is none. */
  readonly isOutputLost: boolean;
  readonly isOptional: boolean;
}

export type StepViews = ReadonlyMap<string, StepView>;

/** That there are more is an error of form. */
const MAX_VIEWED = 100;

/** The steps of what may be a definition. */
export function viewSteps(data: unknown): StepViews {
  const steps = valueAt(data, "steps");
  const entries = isTable(steps) ? Object.entries(steps).slice(0, MAX_VIEWED) : [];
  return new Map(entries.map(([name, step]) => [name, viewStep(step)]));
}

export interface PlacedReference {
  readonly path: readonly string[];
  readonly step: string;
  readonly reference: PromptReference;
}

/** Where in a definition prompts are named. */
export function promptReferences(steps: StepViews): PlacedReference[] {
  const found: PlacedReference[] = [];
  for (const [step, { prompt, check }] of steps) {
    if (prompt !== undefined) found.push({ path: ["steps", step, "prompt"], step, reference: prompt });
    if (check?.type !== "prompt") continue;
    found.push({ path: ["steps", step, "check", "prompt"], step, reference: check.prompt });
  }
  return found;
}

function viewStep(step: unknown): StepView {
  const check = StepCheckSchema.safeParse(valueAt(step, "check")).data;
  const output = OutputFieldsSchema.safeParse(valueAt(step, "output")).data;
  const inputs = InputSpecSchema.safeParse(valueAt(step, "inputs")).data;
  return {
    prompt: PromptReferenceSchema.safeParse(valueAt(step, "prompt")).data,
    inputs,
    output,
    check,
    areInputsLost: inputs === undefined && valueAt(step, "inputs") !== undefined,
    isCheckLost: check === undefined && valueAt(step, "check") !== undefined,
    isOutputLost: output === undefined && valueAt(step, "output") !== undefined,
    isOptional: valueAt(step, "optional") === true,
  };
}
