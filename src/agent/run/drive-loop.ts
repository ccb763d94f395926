import type { AgentDefinition } from "../schema.ts";
import type { AgentResult, AgentRun } from "../agent-run.ts";
import { failed, succeeded } from "../judge/agent-result.ts";
import { createCompletion } from "../judge/completion.ts";
import { limitsOf } from "../judge/limits.ts";
import { createStepContext } from "../judge/step-context.ts";
import { createStepFlow } from "../judge/step-flow.ts";
import { createTeam } from "./team.ts";
import type { Dependencies } from "./dependencies.ts";
import { iterate, type Loop } from "./drive-iteration.ts";

export interface LoopMeans extends Dependencies {
  readonly signal: AbortSignal;
  /** Why the run was stopped, once `signal` says that it was. */
  readonly stopReason: () => string;
  readonly save: (run: AgentRun) => AgentRun;
}

/**
 * Iterations, one after the other, until the run is complete, has failed or is stopped.
 *
 * @ensures a summary for each iteration, also for one that dies half way
 * @error   whatever is thrown outside of an iteration
 */
export async function driveLoop(definition: AgentDefinition, begun: AgentRun, means: LoopMeans): Promise<AgentResult> {
  const { maxIterations, maxRetries, timeoutMs } = limitsOf(definition);
  const { members, listen, wait, chance, signal } = means;
  const allowedTools = definition.connection?.allowedTools;
  const { cwd, mark } = begun;
  const circumstances = { cwd, allowedTools, timeoutMs, maxRetries, signal, mark, listen, wait, chance };
  const loop: Loop = {
    definition,
    means,
    team: createTeam(members, circumstances),
    context: createStepContext(begun.outputs),
    completion: createCompletion(definition.completion),
    flow: createStepFlow(definition, { step: begun.step, failures: begun.failures }),
    timeoutMs,
    record: begun,
  };
  for (;;) {
    const { summaries } = loop.record;
    if (signal.aborted) return failed(means.stopReason(), summaries);
    if (summaries.length >= maxIterations) return failed(limitReached(maxIterations), summaries);
    const outcome = await iterate(loop);
    if (outcome.kind === "on") continue;
    const { isSuccess, why } = outcome;
    return isSuccess ? succeeded(why, loop.record.summaries) : failed(why, loop.record.summaries);
  }
}

/** Never a success: a run that had to be ended is not complete. */
export function limitReached(maxIterations: number): string {
  return `the limit of ${maxIterations} iterations is reached, and the run is not complete`;
}
