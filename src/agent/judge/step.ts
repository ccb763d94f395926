import { shortHash } from "../../lib/hash.ts";
import type { AgentRun } from "../run-schema.ts";
import type { AgentDefinition, Step } from "../schema.ts";
import type { StepCheckResult } from "./answer.ts";
import { limitsOf } from "./completion.ts";

/** The target that is not a step: the end of the run. */
export const COMPLETE = "complete";

export type Transition =
  | { readonly kind: "step"; readonly step: string; readonly isRetry: boolean }
  | { readonly kind: "complete"; readonly reason: string }
  /** No tries are left, and the step names no other target. */
  | { readonly kind: "used-up"; readonly error: string };

/** Where a run stands. */
export interface Position {
  readonly step: string;
  /** Failed checks of the step since the run reached it. */
  readonly failures: number;
}

/** Follows the transitions of a definition. */
export interface StepFlow {
  readonly position: Position;
  /** Moves on, or ends the run. */
  transition(result: StepCheckResult): Transition;
  /** Skips an optional step. */
  skip(): Transition;
}

export function createStepFlow(definition: AgentDefinition, from?: Position): StepFlow {
  let position = from ?? { step: definition.entryStep, failures: 0 };
  const { maxRetries } = limitsOf(definition);

  function go(target: string, reason: string): Transition {
    if (target === COMPLETE) return { kind: "complete", reason: `step '${position.step}' ends the run: ${reason}` };
    position = { step: target, failures: 0 };
    return { kind: "step", step: target, isRetry: false };
  }

  function skip(): Transition {
    return go(onPassOf(definition, position.step), "it was skipped");
  }

  function transition({ pass, reason }: StepCheckResult): Transition {
    const { step, failures } = position;
    if (pass) return go(onPassOf(definition, step), reason);
    const { retry = maxRetries, then } = stepOf(definition, step)?.check?.onFail ?? {};
    if (failures < retry) {
      position = { step, failures: failures + 1 };
      return { kind: "step", step, isRetry: true };
    }
    if (then !== undefined) return go(then, `its check failed: ${reason}`);
    if (stepOf(definition, step)?.optional === true) return skip();
    const tries = failures === 0 ? "1 try" : `${failures + 1} tries`;
    return { kind: "used-up", error: `step '${step}' did not pass in ${tries}: ${reason}` };
  }

  return {
    get position() {
      return position;
    },
    transition,
    skip,
  };
}

export function stepOf(definition: AgentDefinition, name: string): Step | undefined {
  return Object.hasOwn(definition.steps, name) ? definition.steps[name] : undefined;
}

/** A step without a check is repeated. */
function onPassOf(definition: AgentDefinition, step: string): string {
  return stepOf(definition, step)?.check?.onPass ?? step;
}

type SameAnswers = NonNullable<AgentRun["sameAnswers"]>;

/** Counts how many times in a row a step has given the same answer, whatever other steps ran in between. */
export function countAnswer(counted: SameAnswers | undefined, step: string, text: string): SameAnswers {
  const answer = shortHash(text.trim());
  const before = counted !== undefined && Object.hasOwn(counted, step) ? counted[step] : undefined;
  const times = before?.answer === answer ? before.times + 1 : 1;
  return { ...counted, [step]: { answer, times } };
}

/**
 * Why a run that would go on is a loop; undefined if it is none.
 *
 * @param max 0 for no limit
 */
export function loopAt(counted: SameAnswers | undefined, step: string, max: number): string | undefined {
  const times = counted?.[step]?.times ?? 0;
  if (max === 0 || times < max) return undefined;
  return `step '${step}' got the same answer ${times} times in a row: it makes no progress ('limits.maxSameAnswers')`;
}
