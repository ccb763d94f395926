import { runProgram } from "../../lib/process.ts";
import type { World } from "../../world.ts";
import { queryMarker } from "../engines/engine.ts";
import { ExecutionError } from "../errors.ts";
import { REVIEW_SCHEMA, judgeCommand, type StepCheckResult } from "../judge/answer.ts";
import { fieldsOf, isRequired, outputSchema, type OutputSchema } from "../judge/output.ts";
import { variableName, variableText, type StepContext, type Variables } from "../judge/step.ts";
import type { Step } from "../schema.ts";

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

/** Of what a command says, the end: there it tells what is wrong. It goes into the next prompt. */
const MAX_OUTPUT_BYTES = 4096;

const CUT = "[only the end of it]";

export interface CommandCheck {
  readonly words: readonly string[];
  readonly cwd: string;
  /** The step's answer: the command has it on standard input. */
  readonly answer: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Of the run that asks. */
  readonly mark?: string | undefined;
}

/**
 * The check of a step by a program, of a trusted definition.
 *
 * @output passed where it ends with 0
 * @effect the program's; one that takes too long is ended, with all it started
 * @error  none
 */
export async function checkByCommand(world: World, check: CommandCheck): Promise<StepCheckResult> {
  const { words, cwd, answer, timeoutMs, signal, mark } = check;
  const [program = "", ...args] = words;
  let said = new Uint8Array(0);
  let isCut = false;
  const end = await runProgram(world, {
    program,
    args,
    cwd,
    env: {},
    marker: queryMarker(world, mark),
    stdin: answer,
    timeoutMs,
    signal,
    onOutput: (bytes) => {
      isCut ||= said.length + bytes.length > MAX_OUTPUT_BYTES;
      said = Buffer.concat([said, bytes]).subarray(-MAX_OUTPUT_BYTES);
    },
  });
  const stdout = fromLine(new TextDecoder().decode(said), isCut);
  const output = "stderr" in end ? `${stdout}\n${endOf(end.stderr)}` : "";
  switch (end.kind) {
    case "ended":
      return judgeCommand(end.exitCode, output);
    case "timed-out":
      return { pass: false, reason: `the command '${program}' did not end within ${timeoutMs} ms` };
    case "failed":
      return { pass: false, reason: `the command '${program}' can't be run: ${end.reason}` };
    case "aborted":
    case "stopped":
      return judgeCommand(undefined, output);
  }
}

function endOf(text: string): string {
  return fromLine(text.slice(-MAX_OUTPUT_BYTES), text.length > MAX_OUTPUT_BYTES);
}

/** What was cut begins in the middle of a line. */
function fromLine(text: string, isCut: boolean): string {
  if (!isCut) return text;
  const at = text.trimEnd().indexOf("\n");
  return `${CUT}\n${text.slice(at + 1)}`;
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

export interface StepPrompt {
  readonly text: string;
  /** What the answer must hold. */
  readonly fields: readonly Field[];
  /** Why the answer before did not pass. */
  readonly complaint?: string | undefined;
}

/** What a model is asked: why it is asked again, the definition's own words, the form of the answer last. */
export function renderStepPrompt({ text, fields, complaint }: StepPrompt): string {
  const parts: string[] = [];
  if (complaint !== undefined) parts.push(`Your last answer did not pass: ${complaint}\nDo it again:`);
  parts.push(text.trimEnd());
  if (fields.length > 0) parts.push(renderForm(fields));
  return `${parts.join("\n\n")}\n`;
}

function renderForm(fields: readonly Field[]): string {
  const lines = fields.map(({ name, type, isRequired: isNeeded, description }) => {
    const about = description === undefined ? "" : `: ${description}`;
    return `- ${name} (${type}${isNeeded ? "" : ", may be left out"})${about}`;
  });
  return `End your answer with a JSON object in a fence that begins with \`\`\`json. Its fields:\n${lines.join("\n")}`;
}
