import { isTable } from "../../lib/table.ts";
import type { ContextCarry } from "../engines/recovery.ts";
import type { OutputError } from "../run-schema.ts";
import type { PromptReference, Step } from "../schema.ts";
import type { CompletionJudge } from "./completion.ts";
import { extractOutput, outputSchema, validateOutput, type ExtractResult, type OutputSchema } from "./output.ts";
import type { StepContext } from "./variables.ts";

interface Turn {
  /** The step's name. */
  readonly name: string;
  readonly step: Step;
  readonly answer: Answer;
  /** From 1. */
  readonly iteration: number;
  readonly carry: ContextCarry;
}

type Judged =
  /** The whole run is complete, whatever happened in its last step. */
  | { readonly kind: "complete"; readonly reason: string; readonly result: StepCheckResult }
  | { readonly kind: "checked"; readonly result: StepCheckResult }
  /** The check needs a program or a model. */
  | { readonly kind: "command"; readonly command: readonly string[] }
  | { readonly kind: "prompt"; readonly prompt: PromptReference };

/**
 * Judges an answer of a driven or a guided run: extracts its output, then checks the completion, then the step's own
 * check, as far as possible without asking a program or a model.
 *
 * @effect keeps the output in `context`
 */
export function judgeAnswer(turn: Turn, context: StepContext, completion: CompletionJudge): Judged {
  const { name, step, answer, iteration, carry } = turn;
  const reception = receiveAnswer(name, step, answer);
  if (reception.kind === "output" && reception.data !== undefined) context.set(name, reception.data);
  const completed = completion.check({ iteration, message: messageOf(answer), carry });
  if (completed.complete) {
    const { result, addition } = judgeLast(name, step, reception, completed.reason);
    return { kind: "complete", reason: `${completed.reason}${addition}`, result };
  }
  if (reception.kind === "unusable") return { kind: "checked", result: reception.result };
  switch (step.check?.type) {
    case "command":
      return { kind: "command", command: step.check.command };
    case "prompt":
      return { kind: "prompt", prompt: step.check.prompt };
    case "output":
    case undefined: {
      const reason = step.output === undefined ? "there is an answer" : "the answer has the required output";
      return { kind: "checked", result: { pass: true, reason } };
    }
  }
}

/** In an answer that may only be JSON, strings may contain a signal. */
function messageOf({ text, structured }: Answer): string {
  const values = isTable(structured) ? Object.values(structured) : [];
  return [text, ...values.filter((value) => typeof value === "string")].join("\n");
}

/** A completion ends the run before the step's own check; a step that was not checked has not passed. */
function judgeLast(
  name: string,
  { check }: Step,
  reception: Reception,
  why: string,
): { readonly result: StepCheckResult; readonly addition: string } {
  if (reception.kind === "unusable") {
    const { result } = reception;
    return { result, addition: `; step '${name}' did not pass: ${result.reason}` };
  }
  if (check?.type !== "command" && check?.type !== "prompt") {
    return { result: { pass: true, reason: why }, addition: "" };
  }
  const reason = `its check was not run, because ${why}`;
  return { result: { pass: false, isUnchecked: true, reason }, addition: `; step '${name}' was not checked` };
}

const MAX_ERRORS = 10;

export interface StepCheckResult {
  readonly pass: boolean;
  /** The run was complete before the check was run. */
  readonly isUnchecked?: boolean;
  readonly reason: string;
  /** What is wrong with the output. */
  readonly errors?: readonly OutputError[];
}

export interface Answer {
  readonly text: string;
  /** Data that the engine produced for the step's schema. */
  readonly structured?: unknown;
}

type Reception =
  | { readonly kind: "output"; readonly data: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: "unusable"; readonly result: StepCheckResult };

/** Extracts the output from a step's answer. A step without `output` accepts any answer that isn't blank. */
export function receiveAnswer(name: string, step: Step, answer: Answer): Reception {
  if (answer.text.trim() === "" && answer.structured === undefined) return failed([{ message: "the answer is blank" }]);
  if (step.output === undefined) return { kind: "output", data: undefined };
  const schema = outputSchema(name, step.output);
  const extracted = extract(answer, schema);
  if (!extracted.ok) return failed(extracted.errors.map(({ message }) => ({ message })));
  const validation = validateOutput(extracted.data, schema, { strict: step.strict === true });
  return validation.valid ? { kind: "output", data: validation.data } : failed(validation.errors);
}

/** The answer of a check by prompt. */
export const REVIEW_SCHEMA: OutputSchema = outputSchema("check", {
  pass: { type: "boolean", description: "whether the work passes" },
  reason: { type: "string", description: "why, in a sentence" },
});

/** A verdict that can't be read counts as a failure. */
export function judgeReview(answer: Answer): StepCheckResult {
  const extracted = extract(answer, REVIEW_SCHEMA);
  const validation = extracted.ok ? validateOutput(extracted.data, REVIEW_SCHEMA) : undefined;
  if (validation?.valid !== true) return { pass: false, reason: "the check gave no readable verdict" };
  const { pass, reason } = validation.data as { pass: boolean; reason: string };
  return { pass, reason: reason.trim() || (pass ? "the check says so" : "the check says no") };
}

/** @param exitCode undefined if the command was ended */
export function judgeCommand(exitCode: number | undefined, output: string): StepCheckResult {
  if (exitCode === 0) return { pass: true, reason: "the command succeeded" };
  const how = exitCode === undefined ? "the command did not end by itself" : `the command ended with ${exitCode}`;
  const text = output.trim();
  return { pass: false, reason: text === "" ? how : `${how}: ${text}` };
}

function extract(answer: Answer, schema: OutputSchema): ExtractResult {
  const { text, structured } = answer;
  return isTable(structured) ? { ok: true, data: structured } : extractOutput(text, schema);
}

/** Limited, because it goes into the next prompt and the record of the run. */
function failed(found: readonly OutputError[]): Reception {
  const errors = found.slice(0, MAX_ERRORS);
  const more = found.length - errors.length;
  const named = errors.map(({ message }) => message);
  const reason = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  return { kind: "unusable", result: { pass: false, reason, errors } };
}
