import { isTable, valueAt } from "../../lib/table.ts";
import { InputSpecSchema, InputVariableSchema, StepIdSchema, type InputSpec } from "../schema.ts";

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
const MAX_VIEWED = 32;

const VariableNameSchema = InputSpecSchema.shape.variables.keyType;

export function viewInputs(inputs: unknown): InputsView {
  const [single, several] = [valueAt(inputs, "from_step"), valueAt(inputs, "from_steps")];
  const named = [
    { path: ["from_step"], step: single },
    ...(Array.isArray(several) ? several.slice(0, MAX_VIEWED) : []).map((step: unknown, index) => ({
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
