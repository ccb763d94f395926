import { AgentError, ConfigurationError } from "../errors.ts";
import { carryOver } from "../engines/recovery.ts";
import { judgeAnswer, judgeReview, REVIEW_SCHEMA, type StepCheckResult } from "../judge/answer.ts";
import { failed, succeeded, createCompletion, limitsOf, type CompletionJudge } from "../judge/completion.ts";
import { outputSchema, toJsonSchema } from "../judge/output.ts";
import { stepOf, createStepFlow, type StepFlow, type Transition } from "../judge/step.ts";
import { createStepContext, type StepContext } from "../judge/variables.ts";
import type { AgentRun, IterationSummary, AgentResult } from "../run-schema.ts";
import type { AgentDefinition, Step } from "../schema.ts";
import type { Dependencies } from "./execution.ts";
import { checkText, checkVariables, keptResponse, MAX_REASON_UNITS, stepText, stepVariables } from "./questions.ts";
import { createTeam, type Tally, type Team } from "./team.ts";

interface LoopMeans extends Dependencies {
  readonly signal: AbortSignal;
  /** Valid once `signal` is aborted. */
  readonly stopReason: () => string;
  readonly save: (run: AgentRun) => AgentRun;
}

/**
 * Iterations until the run is complete, has failed or is stopped.
 *
 * @ensures a summary for each iteration, also for one that fails half way
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

export function limitReached(maxIterations: number): string {
  return `the run is not complete after ${maxIterations} iterations, its limit`;
}

/** A driven run between two iterations. */
interface Loop {
  readonly definition: AgentDefinition;
  readonly means: LoopMeans;
  readonly team: Team;
  readonly context: StepContext;
  readonly completion: CompletionJudge;
  readonly flow: StepFlow;
  readonly timeoutMs: number;
  record: AgentRun;
}

/** Whether the run ends with an iteration. */
type Outcome = { readonly kind: "ended"; readonly isSuccess: boolean; readonly why: string } | { readonly kind: "on" };

/** One iteration so far: it may fail at any point. */
interface Work {
  readonly name: string;
  readonly iteration: number;
  readonly tally: Tally;
  response?: string;
  verdict: StepCheckResult;
  isComplete: boolean;
  isSkipped: boolean;
}

/** Asks one step, judges its answer and moves on. Whatever happens, the record gets one more summary. */
async function iterate(loop: Loop): Promise<Outcome> {
  const { means, flow, record } = loop;
  const startedAt = means.ticks();
  const work: Work = {
    name: flow.position.step,
    iteration: record.summaries.length + 1,
    tally: { queries: 0 },
    verdict: { pass: false, reason: "the iteration was not finished" },
    isComplete: false,
    isSkipped: false,
  };
  const outcome = await decide(loop, work);
  const summary = summaryOf(work, Math.round(means.ticks() - startedAt));
  loop.record = means.save(recordOf(loop, work, summary));
  means.listen({ event: "iteration-ended", summary });
  return outcome;
}

async function decide(loop: Loop, work: Work): Promise<Outcome> {
  const { means, flow, definition } = loop;
  const { name, iteration } = work;
  const step = stepOf(definition, name);
  try {
    means.listen({ event: "iteration", iteration, step: name });
    if (step === undefined) throw new ConfigurationError(`there is no step '${name}'`);
    await ask(loop, work, step);
    if (work.isComplete) return { kind: "ended", isSuccess: true, why: work.verdict.reason };
    // Where a check was stopped, it has failed.
    if (means.signal.aborted) throw new Error(means.stopReason());
    return outcomeOf(flow.transition(work.verdict));
  } catch (error) {
    const isStopped = means.signal.aborted;
    const why = isStopped ? means.stopReason() : error instanceof Error ? error.message : String(error);
    work.verdict = { pass: false, reason: why };
    if (isStopped || step?.optional !== true || !(error instanceof AgentError) || !error.recoverable) {
      return { kind: "ended", isSuccess: false, why };
    }
    work.isSkipped = true;
    means.listen({ event: "skipped", step: name, reason: why });
    return outcomeOf(flow.skip());
  }
}

async function ask(loop: Loop, work: Work, step: Step): Promise<void> {
  const { context, team, completion, record, means } = loop;
  const { name, iteration, tally } = work;
  const variables = stepVariables(name, step, context, record.variables);
  const text = await means.prompts.resolve(step.prompt, variables);
  const carry = carryOver(record.previousResponse, context.outputs);
  const isOptional = step.optional === true;
  const answer = await team.ask(
    {
      about: "step",
      prompt: stepText(name, step, text, record.complaint),
      schema: step.output && toJsonSchema(outputSchema(name, step.output)),
      carry,
      isOptional,
    },
    tally,
  );
  work.response = answer.text;
  const judged = judgeAnswer({ name, step, answer, iteration, carry }, context, completion);
  switch (judged.kind) {
    case "complete":
      work.verdict = { pass: true, reason: judged.reason };
      work.isComplete = true;
      return;
    case "checked":
      work.verdict = judged.result;
      break;
    case "command": {
      const { signal, checkByCommand } = means;
      const { timeoutMs } = loop;
      work.verdict = await checkByCommand({
        words: judged.command,
        cwd: record.cwd,
        answer: answer.text,
        timeoutMs,
        signal,
        mark: record.mark,
      });
      break;
    }
    case "prompt": {
      const question = await means.prompts.resolve(judged.prompt, checkVariables(name, variables, context));
      const seen = carryOver(answer.text, context.outputs);
      work.verdict = judgeReview(
        await team.ask(
          {
            about: "check",
            prompt: checkText(question),
            schema: toJsonSchema(REVIEW_SCHEMA),
            carry: seen,
            isOptional,
          },
          tally,
        ),
      );
      break;
    }
  }
  means.listen({ event: "check", step: name, ...work.verdict });
}

function summaryOf({ name, iteration, tally, verdict, isSkipped }: Work, durationMs: number): IterationSummary {
  return {
    iteration,
    step: name,
    ...tally,
    passed: verdict.pass,
    reason: verdict.reason.slice(0, MAX_REASON_UNITS),
    ...(isSkipped && { skipped: true }),
    durationMs,
  };
}

function recordOf(
  { record, flow, context }: Loop,
  { name, verdict, response }: Work,
  summary: IterationSummary,
): AgentRun {
  const { previousResponse, complaint: _before, ...kept } = record;
  const carried = response === undefined ? previousResponse : keptResponse(response);
  const isRepeated = !verdict.pass && flow.position.step === name;
  return {
    ...kept,
    ...flow.position,
    ...(isRepeated && { complaint: verdict.reason }),
    ...(carried !== undefined && { previousResponse: carried }),
    outputs: { ...context.outputs } as AgentRun["outputs"],
    summaries: [...kept.summaries, summary],
  };
}

function outcomeOf(transition: Transition): Outcome {
  switch (transition.kind) {
    case "step":
      return { kind: "on" };
    case "complete":
      return { kind: "ended", isSuccess: true, why: transition.reason };
    case "used-up":
      return { kind: "ended", isSuccess: false, why: transition.error };
  }
}
