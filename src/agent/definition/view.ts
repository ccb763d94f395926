import { isTable, valueAt } from "../../lib/table.ts";
import {
  FieldNameSchema,
  OnFailSchema,
  OutputFieldSchema,
  OutputFieldsSchema,
  PromptReferenceSchema,
  StepCheckSchema,
  TargetSchema,
  InputSpecSchema,
  InputVariableSchema,
  StepIdSchema,
  type OutputFields,
  type PromptReference,
  type InputSpec,
} from "../schema.ts";

/** As much of a step as is well-formed: so that what is wrong elsewhere in it hides no other mistake. */
export interface StepView {
  readonly prompt: PromptReference | undefined;
  readonly inputs: InputsView;
  readonly output: OutputFields;
  readonly check: CheckView | undefined;
  /** Something is wrong with the check: nobody knows where it leads. */
  readonly isCheckLost: boolean;
  /** Something is wrong with the output: nobody knows what else it holds. */
  readonly isOutputLost: boolean;
  readonly isOptional: boolean;
}

export interface CheckView {
  /** Of a check by prompt, or of a type that is none. */
  readonly prompt: PromptReference | undefined;
  readonly onPass: string | undefined;
  readonly retry: number | undefined;
  readonly then: string | undefined;
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
    if (check?.prompt === undefined) continue;
    found.push({ path: ["steps", step, "check", "prompt"], step, reference: check.prompt });
  }
  return found;
}

function viewStep(step: unknown): StepView {
  const isLost = !isTable(step);
  const [output, check] = [valueAt(step, "output"), valueAt(step, "check")];
  return {
    prompt: viewReference(valueAt(step, "prompt")),
    inputs: viewInputs(isLost ? step : valueAt(step, "inputs")),
    output: viewOutput(output),
    check: check === undefined ? undefined : viewCheck(check),
    isCheckLost: isLost || (check !== undefined && !StepCheckSchema.safeParse(check).success),
    isOutputLost: isLost || (output !== undefined && !OutputFieldsSchema.safeParse(output).success),
    isOptional: valueAt(step, "optional") === true,
  };
}

function viewCheck(check: unknown): CheckView {
  const type = valueAt(check, "type");
  const asksNobody = type === "output" || type === "command";
  return {
    prompt: asksNobody ? undefined : viewReference(valueAt(check, "prompt")),
    onPass: TargetSchema.safeParse(valueAt(check, "onPass")).data,
    retry: OnFailSchema.shape.retry.safeParse(valueAt(check, "onFail", "retry")).data,
    then: OnFailSchema.shape.then.safeParse(valueAt(check, "onFail", "then")).data,
  };
}

function viewReference(reference: unknown): PromptReference | undefined {
  const [path, c3l] = [valueAt(reference, "path"), valueAt(reference, "c3l")];
  return PromptReferenceSchema.safeParse({ path, c3l }).data;
}

function viewOutput(output: unknown): OutputFields {
  const fields = isTable(output) ? Object.entries(output) : [];
  const views = fields.flatMap(([name, field]) => {
    const isNamed = FieldNameSchema.safeParse(name).success;
    const view = OutputFieldSchema.safeParse(field).data;
    return isNamed && view !== undefined ? [[name, view] as const] : [];
  });
  return Object.fromEntries(views);
}

/** As much of the inputs of a step as is well-formed. */
export interface InputsView {
  /** A variable of which nothing but its name can be read is one that may be missing. */
  readonly spec: InputSpec;
  /** The steps that names without a step are taken from, each where it stands. */
  readonly sources: readonly { readonly path: readonly string[]; readonly step: string }[];
  /** Something is wrong with the inputs: nobody knows what else they hold. */
  readonly isLost: boolean;
  /** And what is wrong may be the naming of these steps. */
  readonly areSourcesLost: boolean;
}

/** That there are more is an error of form. */
const MAX_SHORTHANDS = 32;

const VariableNameSchema = InputSpecSchema.shape.variables.keyType;

export function viewInputs(inputs: unknown): InputsView {
  const [single, several] = [valueAt(inputs, "from_step"), valueAt(inputs, "from_steps")];
  const named = [
    { path: ["from_step"], step: single },
    ...(Array.isArray(several) ? several.slice(0, MAX_SHORTHANDS) : []).map((step: unknown, index) => ({
      path: ["from_steps", String(index)],
      step,
    })),
  ];
  const sources = named.flatMap(({ path, step }) => {
    const id = StepIdSchema.safeParse(step).data;
    return id === undefined ? [] : [{ path, step: id }];
  });
  const variables = valueAt(inputs, "variables");
  const entries = isTable(variables) ? Object.entries(variables) : [];
  const known = entries.filter(([key]) => VariableNameSchema.safeParse(key).success);
  return {
    spec: {
      from_steps: sources.map(({ step }) => step),
      variables: Object.fromEntries(
        known.map(([key, value]) => [key, InputVariableSchema.safeParse(value).data ?? false]),
      ),
    },
    sources,
    isLost: inputs !== undefined && !InputSpecSchema.safeParse(inputs).success,
    areSourcesLost:
      inputs !== undefined && !(isTable(inputs) && InputSpecSchema.safeParse({ ...inputs, variables: {} }).success),
  };
}
