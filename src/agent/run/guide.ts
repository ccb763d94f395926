import type { AgentDefinition } from "../schema.ts";
import type { AgentResult, AgentRun, IterationSummary } from "../agent-run.ts";
import type { PromptResolver } from "../definition/read-prompt.ts";
import { failed, succeeded } from "../judge/agent-result.ts";
import { createCompletion } from "../judge/completion.ts";
import { carryOver } from "../judge/context-carry.ts";
import { judgeAnswer } from "../judge/judge-answer.ts";
import { limitsOf } from "../judge/limits.ts";
import { judgeReview, type StepCheckResult } from "../judge/step-check.ts";
import { createStepContext } from "../judge/step-context.ts";
import { createStepFlow, stepOf } from "../judge/step-flow.ts";
import { limitReached } from "./drive-loop.ts";
import { checkText, checkVariables, keptResponse, MAX_REASON_UNITS, stepText, stepVariables } from "./questions.ts";

/** What the host's model has said, and how it came to stop. */
export interface Heard {
  readonly message: string;
  /** It had been told to go on. */
  readonly isContinued: boolean;
}

export interface GuideMeans {
  readonly prompts: PromptResolver;
  /** The check of a step by a program. */
  readonly checkByCommand: (words: readonly string[], answer: string) => Promise<StepCheckResult>;
  /** How often in a row the host heeds that it is to go on. */
  readonly maxContinuations: number;
  readonly now: () => number;
}

export interface Guided {
  /** As it is to be recorded. */
  readonly run: AgentRun;
  /** What the model is to be told; undefined where it may stop. */
  readonly say: string | undefined;
}

/**
 * One stop of a guided run: the host is who drives it. Judged as a driven run is; a check by prompt is one more turn.
 *
 * @effect a check's command
 * @error  none: what goes wrong ends the run
 */
export async function guide(
  definition: AgentDefinition,
  run: AgentRun,
  heard: Heard,
  means: GuideMeans,
): Promise<Guided> {
  const present = { ...run, continuations: heard.isContinued ? run.continuations : 0 };
  try {
    // What it has said is not about what it has not been told.
    const next = run.isUntold ? present : await hear(definition, present, heard.message, means);
    if (next.result !== undefined) return { run: { ...next, status: "stopped" }, say: undefined };
    const say = await whatToSay(definition, next, means.prompts);
    if (next.continuations >= means.maxContinuations) {
      return { run: { ...next, isUntold: true }, say: undefined };
    }
    return { run: { ...next, isUntold: false, continuations: next.continuations + 1 }, say };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { run: { ...present, status: "stopped", result: failed(why, run.summaries) }, say: undefined };
  }
}

/** The prompt of the step that a run stands at, or of its check. */
export async function whatToSay(definition: AgentDefinition, run: AgentRun, prompts: PromptResolver): Promise<string> {
  const step = stepOf(definition, run.step);
  if (step === undefined) throw new Error(`there is no step '${run.step}' any more`);
  const context = createStepContext(run.outputs);
  const variables = stepVariables(run.step, step, context, run.variables);
  if (run.awaiting === "review" && step.check?.type === "prompt") {
    return checkText(await prompts.resolve(step.check.prompt, checkVariables(run.step, variables, context)));
  }
  return stepText(run.step, step, await prompts.resolve(step.prompt, variables), run.complaint);
}

async function hear(definition: AgentDefinition, run: AgentRun, message: string, means: GuideMeans): Promise<AgentRun> {
  const step = stepOf(definition, run.step);
  if (step === undefined) throw new Error(`there is no step '${run.step}' any more`);
  if (run.awaiting === "review") return settle(definition, run, judgeReview({ text: message }), means);
  const context = createStepContext(run.outputs);
  const iteration = run.summaries.length + 1;
  const carry = carryOver(run.previousResponse, run.outputs);
  const turn = { name: run.step, step, answer: { text: message }, iteration, carry };
  const judged = judgeAnswer(turn, context, createCompletion(definition.completion));
  const outputs = { ...context.outputs } as AgentRun["outputs"];
  const answered: AgentRun = { ...run, outputs, previousResponse: keptResponse(message) };
  switch (judged.kind) {
    case "complete": {
      const ended = withSummary(answered, { pass: true, reason: judged.reason }, means);
      return { ...ended, result: succeeded(judged.reason, ended.summaries) };
    }
    case "checked":
      return settle(definition, answered, judged.result, means);
    case "command":
      return settle(definition, answered, await means.checkByCommand(judged.command, message), means);
    case "prompt":
      return { ...answered, awaiting: "review" };
  }
}

/** The iteration is over: where to go from here. */
function settle(definition: AgentDefinition, run: AgentRun, verdict: StepCheckResult, means: GuideMeans): AgentRun {
  const { complaint: _before, ...ended } = withSummary(run, verdict, means);
  const flow = createStepFlow(definition, { step: run.step, failures: run.failures });
  const transition = flow.transition(verdict);
  const { summaries } = ended;
  switch (transition.kind) {
    case "complete":
      return { ...ended, result: succeeded(transition.reason, summaries) };
    case "used-up":
      return { ...ended, result: failed(transition.error, summaries) };
    case "step": {
      const isRepeated = !verdict.pass && flow.position.step === run.step;
      const next: AgentRun = { ...ended, ...flow.position, ...(isRepeated && { complaint: verdict.reason }) };
      const { maxIterations } = limitsOf(definition);
      if (summaries.length < maxIterations) return next;
      const result: AgentResult = failed(limitReached(maxIterations), summaries);
      return { ...next, result };
    }
  }
}

function withSummary(run: AgentRun, { pass, reason }: StepCheckResult, { now }: GuideMeans): AgentRun {
  const summary: IterationSummary = {
    iteration: run.summaries.length + 1,
    step: run.step,
    passed: pass,
    reason: reason.slice(0, MAX_REASON_UNITS),
    queries: run.awaiting === "review" ? 2 : 1,
    durationMs: Math.max(0, now() - run.updatedAt),
  };
  return { ...run, awaiting: "answer", summaries: [...run.summaries, summary] };
}
