import { renderStepPrompt } from "../../render/agent-prompt.ts";
import type { Step } from "../../schema/agent.ts";
import { ExecutionError } from "../errors.ts";
import type { ContextCarry } from "../judgement/context-carry.ts";
import { fieldsOf, isRequired, outputSchema, toJsonSchema, type OutputSchema } from "../judgement/output-schema.ts";
import { REVIEW_SCHEMA } from "../judgement/step-check.ts";
import type { StepContext } from "../judgement/step-context.ts";
import { variableName, variableText, type Variables } from "../judgement/variables.ts";
import type { Question } from "./ask-engines.ts";

/** Of an answer, what is kept for a model that has not seen it: its end, where there is more. */
const MAX_KEPT_UNITS = 32 * 1024;

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

/** @param text the prompt, its variables replaced */
export function stepQuestion(
  name: string,
  step: Step,
  text: string,
  carry: ContextCarry,
  complaint: string | undefined,
): Question {
  const schema = step.output === undefined ? undefined : outputSchema(name, step.output);
  return {
    about: "step",
    schema: schema && toJsonSchema(schema),
    prompt: (isFresh) => stepText(schema, text, complaint, isFresh ? carry : undefined),
  };
}

export function checkQuestion(text: string, carry: ContextCarry): Question {
  return {
    about: "check",
    schema: toJsonSchema(REVIEW_SCHEMA),
    prompt: (isFresh) => stepText(REVIEW_SCHEMA, text, undefined, isFresh ? carry : undefined),
  };
}

/** A prompt as a model gets it. */
export function stepText(
  schema: OutputSchema | undefined,
  text: string,
  complaint: string | undefined,
  carry: ContextCarry | undefined,
): string {
  const fields = fieldsOf(schema ?? { $namespace: "" }).map(([name, field]) => ({
    name,
    type: field.type,
    isRequired: isRequired(field),
    description: field.description,
  }));
  const before = carry && {
    response: carry.previousResponse,
    context: JSON.stringify(carry.accumulatedContext ?? {}),
  };
  return renderStepPrompt({ text, fields, complaint, before });
}

/** What of an answer goes into the record of a run. */
export function keptResponse(text: string): string {
  if (text.length <= MAX_KEPT_UNITS) return text;
  return `[the first ${text.length - MAX_KEPT_UNITS} characters are left out]\n${text.slice(-MAX_KEPT_UNITS)}`;
}
