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
  /** The run is. */
  | { readonly kind: "complete"; readonly reason: string }
  | { readonly kind: "checked"; readonly result: StepCheckResult }
  /** What must be asked first. */
  | { readonly kind: "command"; readonly command: readonly string[] }
  | { readonly kind: "prompt"; readonly prompt: PromptReference };

/**
 * An answer has come, in a driven run or a guided one: its output is taken, then the completion judged, then the step's
 * check, as far as that can be done without asking anyone.
 *
 * @effect the output is kept in `context`
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

const MAX_NAMED_FAULTS = 10;

export interface StepCheckResult {
  readonly pass: boolean;
  readonly reason: string;
}

export interface Answer {
  readonly text: string;
  /** Made by the engine to fit the step's schema. */
  readonly structured?: unknown;
}

/** A step's answer, as far as it can be judged without asking anyone. */
export type Reception =
  | { readonly kind: "output"; readonly data: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: "unusable"; readonly result: StepCheckResult };

/** The output of a step in its answer. A step that must give nothing takes every answer that isn't blank. */
export function receiveAnswer(name: string, step: Step, answer: Answer): Reception {
  if (answer.text.trim() === "" && answer.structured === undefined) return failed("the answer is blank");
  if (step.output === undefined) return { kind: "output", data: undefined };
  const schema = outputSchema(name, step.output);
  const extracted = extract(answer, schema);
  if (!extracted.ok) return failed(extracted.errors.map(({ message }) => message).join("; "));
  const validation = validateOutput(extracted.data, schema, { strict: step.strict === true });
  return validation.valid ? { kind: "output", data: validation.data } : failed(complaintAbout(validation.errors));
}

/** What a check by prompt must answer. */
export const REVIEW_SCHEMA: OutputSchema = outputSchema("check", {
  pass: { type: "boolean", description: "whether the work passes" },
  reason: { type: "string", description: "why, in a sentence" },
});

/** A verdict that can't be read is a failed check. */
export function judgeReview(answer: Answer): StepCheckResult {
  const extracted = extract(answer, REVIEW_SCHEMA);
  const validation = extracted.ok ? validateOutput(extracted.data, REVIEW_SCHEMA) : undefined;
  if (validation?.valid !== true) return { pass: false, reason: "the check gave no verdict that can be read" };
  const { pass, reason } = validation.data as { pass: boolean; reason: string };
  return { pass, reason: reason.trim() || (pass ? "the check says so" : "the check says no") };
}

/** A step's command has ended, or was ended. */
export function judgeCommand(exitCode: number | undefined, output: string): StepCheckResult {
  if (exitCode === 0) return { pass: true, reason: "the command succeeded" };
  const how = exitCode === undefined ? "the command did not end by itself" : `the command ended with ${exitCode}`;
  const said = output.trim();
  return { pass: false, reason: said === "" ? how : `${how}: ${said}` };
}

function extract(answer: Answer, schema: OutputSchema): ExtractResult {
  const { text, structured } = answer;
  return isTable(structured) ? { ok: true, data: structured } : extractOutput(text, schema);
}

/** It goes into the next prompt and the record of the run, and an answer may have any number of faults. */
function complaintAbout(errors: readonly ValidationError[]): string {
  const named = errors.slice(0, MAX_NAMED_FAULTS).map(({ message }) => message);
  const more = errors.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function failed(reason: string): Reception {
  return { kind: "unusable", result: { pass: false, reason } };
}
