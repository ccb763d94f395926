import { isTable } from "../../lib/table.ts";
import type { ContextCarry } from "../engines/recovery.ts";
import type { PromptReference, Step } from "../schema.ts";
import type { CompletionJudge } from "./completion.ts";
import {
  extractOutput,
  outputSchema,
  validateOutput,
  type ExtractResult,
  type OutputSchema,
  type ValidationError,
} from "./output.ts";
import type { StepContext } from "./variables.ts";

export interface Turn {
  /** The step's name. */
  readonly name: string;
  readonly step: Step;
  readonly answer: Answer;
  /** From 1. */
  readonly iteration: number;
  readonly carry: ContextCarry;
}

export type Judged =
  /** The whole run is complete. */
  | { readonly kind: "complete"; readonly reason: string }
  | { readonly kind: "checked"; readonly result: StepCheckResult }
  /** The check needs a program or a model. */
  | { readonly kind: "command"; readonly command: readonly string[] }
  | { readonly kind: "prompt"; readonly prompt: PromptReference };

/**
 * Judges an answer of a driven or a guided run: takes its output, then checks the completion, then the step's own check, as
 * far as that is possible without asking anyone.
 *
 * @effect keeps the output in `context`
 */
export function judgeAnswer(turn: Turn, context: StepContext, completion: CompletionJudge): Judged {
  const { name, step, answer, iteration, carry } = turn;
  const reception = receiveAnswer(name, step, answer);
  if (reception.kind === "output" && reception.data !== undefined) context.set(name, reception.data);
  const completed = completion.check({ iteration, message: answer.text, carry });
  if (completed.complete) return { kind: "complete", reason: completed.reason };
  if (reception.kind === "unusable") return { kind: "checked", result: reception.result };
  switch (step.check?.type) {
    case "command":
      return { kind: "command", command: step.check.command };
    case "prompt":
      return { kind: "prompt", prompt: step.check.prompt };
    case "output":
    case undefined: {
      const reason = step.output === undefined ? "there is an answer" : "the answer holds what it must";
      return { kind: "checked", result: { pass: true, reason } };
    }
  }
}

const MAX_ERRORS = 10;

export interface StepCheckResult {
  readonly pass: boolean;
  readonly reason: string;
}

export interface Answer {
  readonly text: string;
  /** Data that the engine made to fit the step's schema. */
  readonly structured?: unknown;
}

type Reception =
  | { readonly kind: "output"; readonly data: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: "unusable"; readonly result: StepCheckResult };

/** The output in a step's answer. A step without `output` takes any answer that isn't blank. */
export function receiveAnswer(name: string, step: Step, answer: Answer): Reception {
  if (answer.text.trim() === "" && answer.structured === undefined) return failed("the answer is blank");
  if (step.output === undefined) return { kind: "output", data: undefined };
  const schema = outputSchema(name, step.output);
  const extracted = extract(answer, schema);
  if (!extracted.ok) return failed(extracted.errors.map(({ message }) => message).join("; "));
  const validation = validateOutput(extracted.data, schema, { strict: step.strict === true });
  return validation.valid ? { kind: "output", data: validation.data } : failed(complaintAbout(validation.errors));
}

/** The answer of a check by prompt. */
export const REVIEW_SCHEMA: OutputSchema = outputSchema("check", {
  pass: { type: "boolean", description: "whether the work passes" },
  reason: { type: "string", description: "why, in a sentence" },
});

/** A verdict that can't be read fails the check. */
export function judgeReview(answer: Answer): StepCheckResult {
  const extracted = extract(answer, REVIEW_SCHEMA);
  const validation = extracted.ok ? validateOutput(extracted.data, REVIEW_SCHEMA) : undefined;
  if (validation?.valid !== true) return { pass: false, reason: "the check gave no readable verdict" };
  const { pass, reason } = validation.data as { pass: boolean; reason: string };
  return { pass, reason: reason.trim() || (pass ? "the check says so" : "the check says no") };
}

/** @param exitCode undefined where the command was ended */
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

/** Bounded: it goes into the next prompt and the record of the run. */
function complaintAbout(errors: readonly ValidationError[]): string {
  const named = errors.slice(0, MAX_ERRORS).map(({ message }) => message);
  const more = errors.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function failed(reason: string): Reception {
  return { kind: "unusable", result: { pass: false, reason } };
}
