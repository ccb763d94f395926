import { renderStepPrompt } from "./agent-prompt.ts";
import type { Step } from "../schema.ts";
import { ExecutionError } from "../errors.ts";
import { fieldsOf, isRequired, outputSchema, type OutputSchema } from "../judge/output-schema.ts";
import { REVIEW_SCHEMA } from "../judge/step-check.ts";
import type { StepContext } from "../judge/step-context.ts";
import { variableName, variableText, type Variables } from "../judge/variables.ts";

/** Of an answer, what is kept for a model that has not seen it: its end, where there is more. */
const MAX_KEPT_UNITS = 32 * 1024;
/** Of why an iteration passed or did not, which may be what a command or a model has said. */
export const MAX_REASON_UNITS = 4096;

/**
 * @output the values for a step's prompt
 * @effect none
 * @error  ExecutionError `MissingRequiredInput`, which names each step and key
 */
export function stepVariables(name: string, step: Step, context: StepContext, given: Variables): Variables {
  const read = context.toUvVariables(step.inputs);
  if (read.kind === "variables") return { ...given, ...read.variables };
  const missing = read.missing.map((input) => `'${input.step}.${input.field}'`).join(", ");
  throw new ExecutionError(`step '${name}' can't be asked: its required input ${missing} is missing`, {
    recoverable: false,
    details: { kind: "MissingRequiredInput", missing: read.missing },
  });
}

/** Those of a check's prompt: also what the step has just given. */
export function checkVariables(name: string, variables: Variables, context: StepContext): Variables {
  const own = Object.entries(context.outputs[name] ?? {});
  const named = own.map(([field, value]) => [variableName(name, field), variableText(value)]);
  return { ...variables, ...Object.fromEntries(named) };
}

/**
 * @param text the prompt, its variables replaced
 * @param complaint why the answer before did not pass
 */
export function stepText(name: string, step: Step, text: string, complaint: string | undefined): string {
  return renderStepPrompt({ text, complaint, fields: step.output === undefined ? [] : formOf(schemaOf(name, step)) });
}

export function checkText(text: string): string {
  return renderStepPrompt({ text, fields: formOf(REVIEW_SCHEMA) });
}

function schemaOf(name: string, { output = {} }: Step): OutputSchema {
  return outputSchema(name, output);
}

function formOf(schema: OutputSchema) {
  return fieldsOf(schema).map(([name, field]) => {
    return { name, type: field.type, isRequired: isRequired(field), description: field.description };
  });
}

/** What of an answer goes into the record of a run. */
export function keptResponse(text: string): string {
  if (text.length <= MAX_KEPT_UNITS) return text;
  return `[the first ${text.length - MAX_KEPT_UNITS} characters are left out]\n${text.slice(-MAX_KEPT_UNITS)}`;
}
