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

/** The well-formed part of a step, so that one mistake does not hide others. */
export interface StepView {
  readonly prompt: PromptReference | undefined;
  readonly inputs: InputsView;
  readonly output: OutputFields;
  readonly check: CheckView | undefined;
  /** If true, it is unknown where the check leads. */
  readonly isCheckMalformed: boolean;
  /** If true, it is unknown which other fields exist. */
  readonly isOutputMalformed: boolean;
  readonly isOptional: boolean;
}

interface CheckView {
  /** For a check by prompt, or of an unknown type. */
  readonly prompt: PromptReference | undefined;
  readonly onPass: string | undefined;
  readonly retry: number | undefined;
  readonly then: string | undefined;
}

export type StepViews = ReadonlyMap<string, StepView>;

/** The schema reports the rest. */
const MAX_VIEWED = 100;

/** The steps in data that may be a definition. */
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

/** Every prompt that a definition names. */
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
  const isMalformed = !isTable(step);
  const [output, check] = [valueAt(step, "output"), valueAt(step, "check")];
  return {
    prompt: viewReference(valueAt(step, "prompt")),
    inputs: viewInputs(isMalformed ? step : valueAt(step, "inputs")),
    output: viewOutput(output),
    check: check === undefined ? undefined : viewCheck(check),
    isCheckMalformed: isMalformed || (check !== undefined && !StepCheckSchema.safeParse(check).success),
    isOutputMalformed: isMalformed || (output !== undefined && !OutputFieldsSchema.safeParse(output).success),
    isOptional: valueAt(step, "optional") === true,
  };
}

function viewCheck(check: unknown): CheckView {
  const type = valueAt(check, "type");
  const hasNoPrompt = type === "output" || type === "command";
  return {
    prompt: hasNoPrompt ? undefined : viewReference(valueAt(check, "prompt")),
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

/** The well-formed inputs of a step. */
interface InputsView {
  /** A variable with only a well-formed name counts as one that may be missing. */
  readonly spec: InputSpec;
  /** The steps of `from_step` and `from_steps`, each with its path. */
  readonly sources: readonly { readonly path: readonly string[]; readonly step: string }[];
  /** If true, it is unknown which other inputs exist. */
  readonly isMalformed: boolean;
  /** If true, `sources` may be incomplete. */
  readonly areSourcesMalformed: boolean;
}

/** The schema reports the rest. */
const MAX_SHORTHANDS = 32;

const VariableNameSchema = InputSpecSchema.shape.variables.keyType;

function viewInputs(inputs: unknown): InputsView {
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
    isMalformed: inputs !== undefined && !InputSpecSchema.safeParse(inputs).success,
    areSourcesMalformed:
      inputs !== undefined && !(isTable(inputs) && InputSpecSchema.safeParse({ ...inputs, variables: {} }).success),
  };
}
