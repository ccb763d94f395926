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
