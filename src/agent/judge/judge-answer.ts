import type { PromptReference, Step } from "../schema.ts";
import type { CompletionJudge } from "./completion.ts";
import type { ContextCarry } from "../engines/carried-prompt.ts";
import { receiveAnswer, type Answer, type StepCheckResult } from "./step-check.ts";
import type { StepContext } from "./step-context.ts";

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
