import { ExecutionError } from "../errors.ts";
import { REVIEW_SCHEMA, type StepCheckResult } from "../judge/answer.ts";
import { keywordsOf } from "../judge/completion.ts";
import { fieldsOf, isRequired, outputSchema, type OutputSchema } from "../judge/output.ts";
import { readInputs, variableName, variableText, type StepContext, type Variables } from "../judge/variables.ts";
import type { AgentRun, IterationSummary } from "../run-schema.ts";
import type { AgentDefinition, Step } from "../schema.ts";

/** The end of an answer is kept for a model that has not seen it. */
const MAX_KEPT_UNITS = 32 * 1024;

/** A reason may be the output of a command or a model. */
const MAX_REASON_UNITS = 4096;

/** What a summary says about a verdict. */
export function summarized({
  pass,
  isUnchecked,
  reason,
  errors,
}: StepCheckResult): Pick<IterationSummary, "passed" | "unchecked" | "reason" | "errors"> {
  return {
    passed: pass,
    ...(isUnchecked === true && { unchecked: true }),
    reason: reason.slice(0, MAX_REASON_UNITS),
    ...(errors !== undefined && { errors: [...errors] }),
  };
}

/**
 * The values for a step's prompt.
 *
 * @error ExecutionError `MissingRequiredInput`, which names each step and key
 */
export function stepVariables(name: string, step: Step, context: StepContext, given: Variables): Variables {
  const read = context.toUvVariables(step.inputs);
  if (read.kind === "variables") return { ...given, ...emptyInputs(step), ...read.variables };
  const missing = read.missing.map((input) => `'${input.step}.${input.field}'`).join(", ");
  throw new ExecutionError(`step '${name}' can't be asked: its required input ${missing} is missing`, {
    kind: "MissingRequiredInput",
    missing: read.missing,
  });
}

/** In a prompt, a skipped input is an empty text. */
function emptyInputs({ inputs }: Step): Variables {
  const skippable = readInputs(inputs).inputs.filter(({ onMissing }) => onMissing === "skip");
  return Object.fromEntries(skippable.map(({ step, field }) => [variableName(step, field), ""]));
}

/** The values for the prompt of a check, which include the step's own output. */
export function checkVariables(
  name: string,
  { output = {} }: Step,
  variables: Variables,
  context: StepContext,
): Variables {
  const own = Object.keys(output).map((field) => {
    const value = context.get(name, field);
    const variable = variableName(name, field);
    return [variable, value === undefined ? (variables[variable] ?? "") : variableText(value)];
  });
  return { ...variables, ...Object.fromEntries(own) };
}

/**
 * The text sent to a model: what did not pass, the definition's prompt, and last the form of the answer and how to
 * signal the end.
 *
 * @param text the prompt, its variables replaced
 */
export function stepText(
  { completion }: AgentDefinition,
  { step: name, summaries, complaint }: AgentRun,
  { output, strict }: Step,
  text: string,
): string {
  const asked = output === undefined ? text.trimEnd() : withForm(text, outputSchema(name, output), strict === true);
  const whole = `${asked}${howToSignal(keywordsOf(completion), output !== undefined)}\n`;
  if (complaint === undefined) return whole;
  const failed = summaries.at(-1)?.step ?? name;
  return failed === name
    ? `Your last answer did not pass: ${complaint}\nDo it again:\n\n${whole}`
    : `Step '${failed}' did not pass: ${complaint}\n\n${whole}`;
}

function howToSignal(keywords: readonly string[], isData: boolean): string {
  if (keywords.length === 0) return "";
  const where = isData ? " (of a text within the JSON object, if your answer can hold nothing else)" : "";
  const signals = keywords.map((keyword) => `alone on a line${where}, exactly as it stands here: ${keyword}`);
  return `\n\nWhen the whole task is done, and only then, write this signal ${signals.join("\nor this one ")}`;
}

export function checkText(text: string): string {
  return `${withForm(text, REVIEW_SCHEMA, false)}\n`;
}

function withForm(text: string, schema: OutputSchema, isStrict: boolean): string {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return text.trimEnd();
  const lines = fields.map(([name, field]) => {
    const about = field.description === undefined ? "" : `: ${field.description}`;
    return `- ${name} (${field.type}${isRequired(field) ? "" : ", may be left out"})${about}`;
  });
  return `${text.trimEnd()}\n\nEnd your answer with a JSON object in a fence that begins with \`\`\`json. Its fields${isStrict ? ", and no others" : ""}:\n${lines.join("\n")}`;
}

/** The part of an answer that the record of a run keeps. */
export function keptResponse(text: string): string {
  if (text.length <= MAX_KEPT_UNITS) return text;
  return `[the first ${text.length - MAX_KEPT_UNITS} characters are left out]\n${text.slice(-MAX_KEPT_UNITS)}`;
}
