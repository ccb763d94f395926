import { carryOver } from "../engines/recovery.ts";
import { AgentError, ConfigurationError, failureOf, messageOf } from "../errors.ts";
import { judgeAnswer, judgeReview, REVIEW_SCHEMA, type StepCheckResult } from "../judge/answer.ts";
import {
  failed,
  succeeded,
  createCompletion,
  limitReached,
  limitsOf,
  type CompletionJudge,
  FAILURES,
} from "../judge/completion.ts";
import { outputSchema, toJsonSchema } from "../judge/output.ts";
import { countAnswer, loopAt, stepOf, createStepFlow, type StepFlow, type Transition } from "../judge/step.ts";
import { createStepContext, type StepContext } from "../judge/variables.ts";
import type { AgentRun, IterationSummary, AgentResult, Failure } from "../run-schema.ts";
import type { AgentDefinition, Step } from "../schema.ts";
import type { Dependencies } from "./execution.ts";
import { checkText, checkVariables, keptResponse, stepText, stepVariables, summarized } from "./questions.ts";
import { createTeam, type Tally, type Team } from "./team.ts";

interface LoopMeans extends Dependencies {
  readonly signal: AbortSignal;
  /** Valid once `signal` is aborted. */
  readonly stopReason: () => string;
  readonly save: (run: AgentRun) => AgentRun;
}

/**
 * Runs iterations until the run is complete, has failed or is stopped.
 *
 * @ensures a summary for each iteration, even one that fails half way
 */
export async function driveLoop(definition: AgentDefinition, begun: AgentRun, means: LoopMeans): Promise<AgentResult> {
  const { maxIterations, maxRetries, maxSameAnswers, timeoutMs } = limitsOf(definition);
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
    maxSameAnswers,
    record: begun,
  };
  for (;;) {
    const { summaries } = loop.record;
    if (signal.aborted) return failed(means.stopReason(), summaries, FAILURES.stopped);
    if (summaries.length >= maxIterations) return failed(limitReached(maxIterations), summaries, FAILURES.limitReached);
    const outcome = await iterate(loop);
    switch (outcome.kind) {
      case "on":
        continue;
      case "complete":
        return succeeded(outcome.why, loop.record.summaries);
      case "failed":
        return failed(outcome.why, loop.record.summaries, outcome.failure);
    }
  }
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
  readonly maxSameAnswers: number;
  record: AgentRun;
}

/** Whether the run ends with an iteration. */
type Outcome =
  | { readonly kind: "on" }
  | { readonly kind: "complete"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string; readonly failure: Failure };

/** An iteration in progress; it may fail at any point. */
interface Work {
  readonly name: string;
  readonly iteration: number;
  readonly tally: Tally;
  response?: string;
  sameAnswers?: NonNullable<AgentRun["sameAnswers"]>;
  verdict: StepCheckResult;
  /** Why the whole run is complete. */
  completion?: string;
  isSkipped: boolean;
}

/** Runs one step, judges its answer and moves on. The record gets one more summary in every case. */
async function iterate(loop: Loop): Promise<Outcome> {
  const { means, flow, record } = loop;
  const startedAt = means.ticks();
  const work: Work = {
    name: flow.position.step,
    iteration: record.summaries.length + 1,
    tally: { queries: 0 },
    verdict: { pass: false, reason: "the iteration was not finished" },
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
    if (work.completion !== undefined) return { kind: "complete", why: work.completion };
    // A check that was stopped counts as failed.
    if (means.signal.aborted) throw new Error(means.stopReason());
    return outcomeOf(loop, work, flow.transition(work.verdict));
  } catch (error) {
    const isStopped = means.signal.aborted;
    const why = isStopped ? means.stopReason() : messageOf(error);
    work.verdict = { pass: false, reason: why };
    if (isStopped || step?.optional !== true || !(error instanceof AgentError) || !error.recoverable) {
      return { kind: "failed", why, failure: isStopped ? FAILURES.stopped : failureOf(error) };
    }
    work.isSkipped = true;
    means.listen({ event: "skipped", step: name, reason: why });
    const carry = carryOver(loop.record.previousResponse, loop.context.outputs);
    const completed = loop.completion.check({ iteration, message: "", carry });
    if (completed.complete) {
      return { kind: "complete", why: `${completed.reason}; step '${name}' was skipped: ${why}` };
    }
    return outcomeOf(loop, work, flow.skip());
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
      prompt: stepText(loop.definition, record, step, text),
      schema: step.output && toJsonSchema(outputSchema(name, step.output)),
      carry,
      isOptional,
    },
    tally,
  );
  work.response = answer.text;
  work.sameAnswers = countAnswer(record.sameAnswers, name, answer.text);
  const judged = judgeAnswer({ name, step, answer, iteration, carry }, context, completion);
  switch (judged.kind) {
    case "complete":
      work.verdict = judged.result;
      work.completion = judged.reason;
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
      const question = await means.prompts.resolve(judged.prompt, checkVariables(name, step, variables, context));
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
  return { iteration, step: name, ...tally, ...summarized(verdict), ...(isSkipped && { skipped: true }), durationMs };
}

function recordOf(
  { record, flow, context }: Loop,
  { verdict, response, sameAnswers, isSkipped }: Work,
  summary: IterationSummary,
): AgentRun {
  const { previousResponse, complaint: _before, ...kept } = record;
  const carried = response === undefined ? previousResponse : keptResponse(response);
  return {
    ...kept,
    ...flow.position,
    ...(!verdict.pass && !isSkipped && { complaint: verdict.reason }),
    ...(sameAnswers !== undefined && { sameAnswers }),
    ...(carried !== undefined && { previousResponse: carried }),
    outputs: { ...context.outputs } as AgentRun["outputs"],
    summaries: [...kept.summaries, summary],
  };
}

function outcomeOf({ maxSameAnswers }: Loop, { name, sameAnswers }: Work, transition: Transition): Outcome {
  switch (transition.kind) {
    case "step": {
      const why = loopAt(sameAnswers, name, maxSameAnswers);
      return why === undefined ? { kind: "on" } : { kind: "failed", why, failure: FAILURES.sameAnswer };
    }
    case "complete":
      return { kind: "complete", why: transition.reason };
    case "used-up":
      return { kind: "failed", why: transition.error, failure: FAILURES.notPassed };
  }
}
