import { ExecutionError } from "../errors.ts";
import { REVIEW_SCHEMA } from "../judge/answer.ts";
import { fieldsOf, isRequired, outputSchema, type OutputSchema } from "../judge/output.ts";
import { variableName, variableText, type StepContext, type Variables } from "../judge/variables.ts";
import type { Step } from "../schema.ts";

/** The end of an answer is kept for a model that has not seen it. */
const MAX_KEPT_UNITS = 32 * 1024;

/** A reason may be the output of a command or a model. */
export const MAX_REASON_UNITS = 4096;

/**
 * The values for a step's prompt.
 *
 * @error ExecutionError `MissingRequiredInput`, which names each step and key
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

/** The values for the prompt of a check: also the step's own output. */
export function checkVariables(name: string, variables: Variables, context: StepContext): Variables {
  const own = Object.entries(context.outputs[name] ?? {});
  const named = own.map(([field, value]) => [variableName(name, field), variableText(value)]);
  return { ...variables, ...Object.fromEntries(named) };
}

/**
 * What a model is asked: why it is asked again, the definition's own words, the form of the answer last.
 *
 * @param text the prompt, its variables replaced
 * @param complaint why the answer before did not pass
 */
export function stepText(name: string, { output }: Step, text: string, complaint: string | undefined): string {
  const asked = output === undefined ? text.trimEnd() : withForm(text, outputSchema(name, output));
  return complaint === undefined
    ? `${asked}\n`
    : `Your last answer did not pass: ${complaint}\nDo it again:\n\n${asked}\n`;
}

export function checkText(text: string): string {
  return `${withForm(text, REVIEW_SCHEMA)}\n`;
}

function withForm(text: string, schema: OutputSchema): string {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return text.trimEnd();
  const lines = fields.map(([name, field]) => {
    const about = field.description === undefined ? "" : `: ${field.description}`;
    return `- ${name} (${field.type}${isRequired(field) ? "" : ", may be left out"})${about}`;
  });
  return `${text.trimEnd()}\n\nEnd your answer with a JSON object in a fence that begins with \`\`\`json. Its fields:\n${lines.join("\n")}`;
}

/** As much of an answer as the record of a run keeps. */
export function keptResponse(text: string): string {
  if (text.length <= MAX_KEPT_UNITS) return text;
  return `[the first ${text.length - MAX_KEPT_UNITS} characters are left out]\n${text.slice(-MAX_KEPT_UNITS)}`;
}
