import { dirname, join } from "node:path";
import type { Continuation, EventKind, Client } from "../../clients/client.ts";
import { fits } from "../../clients/events.ts";
import type { UserDirectories } from "../../config/user-directories.ts";
import { defuse } from "../../instructions/body.ts";
import { locateLedger } from "../../ledger/location.ts";
import { disk, errnoOf } from "../../lib/fs.ts";
import { acquireLock } from "../../lib/lock.ts";
import { removeQuietly, writeWhole } from "../../lib/write-file.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { openDefinition } from "../definition/open.ts";
import { createPromptResolver, type PromptResolver } from "../definition/prompts.ts";
import { carryOver } from "../engines/recovery.ts";
import { ExecutionError, failureOf, messageOf } from "../errors.ts";
import { judgeAnswer, judgeReview, type StepCheckResult } from "../judge/answer.ts";
import { createCompletion, failed, limitReached, limitsOf, succeeded, FAILURES } from "../judge/completion.ts";
import { countAnswer, loopAt, createStepFlow, stepOf } from "../judge/step.ts";
import { createStepContext } from "../judge/variables.ts";
import type { AgentRun, Failure, IterationSummary } from "../run-schema.ts";
import type { AgentDefinition } from "../schema.ts";
import { trustedChecks } from "./command-check.ts";
import { alreadyStarted } from "./execution.ts";
import { noticeOf, lostNotice, unrecordedNotice, type Notice } from "./guided-notice.ts";
import {
  pointerPath,
  readGuidedPointer,
  removeGuidedPointer,
  sweepGuidedPointers,
  writeGuidedPointer,
  type GuidedPointer,
} from "./guided-pointer.ts";
import { checkText, checkVariables, keptResponse, stepText, stepVariables, summarized } from "./questions.ts";
import { addRun, CHANGED_MEANWHILE, readRun, runsDirectory, saveRun, type RunsDirectory } from "./store.ts";

// A guided run: a client's session works on the steps; its Stop hook checks each answer and gives the next prompt.

const LOCK_WAIT_MS = 1000;

/**
 * Records a new guided run and assigns it to the session, which can have one at a time.
 *
 * @error ExecutionError; `AlreadyStarted` while another run is in progress
 */
export function recordGuided(
  world: World,
  { userDirectories, root, settings }: Workspace,
  session: string,
  run: AgentRun,
): void {
  const location = locateLedger(root.directory, userDirectories, world.home);
  const path = pointerPath(userDirectories, session);
  try {
    disk.makeDirectory(dirname(path), 0o700);
  } catch (error) {
    throw unrecorded(errnoOf(error));
  }
  const attempt = acquireLock(world, { path: `${path}.lock`, waitMs: LOCK_WAIT_MS });
  if (attempt.kind !== "locked") throw unrecorded(attempt.kind === "failed" ? attempt.reason : attempt.kind);
  try {
    const other = liveRun(userDirectories, session);
    if (other !== undefined) {
      throw alreadyStarted(
        `session '${session}' is already guided through '${other}'; end it with 'codelia agent stop ${other}'`,
      );
    }
    const added = addRun(world, location, settings.agents.root.markers, run);
    if (added.kind === "failed") throw unrecorded(added.reason);
    const pointer = { session, directory: location.directory, instance: run.instance };
    const written = writeGuidedPointer(world, userDirectories, pointer);
    if (written.kind === "failed") throw unrecorded(written.errno);
    sweepGuidedPointers(world, userDirectories);
  } finally {
    attempt.lock.release();
  }
}

function liveRun(userDirectories: UserDirectories, session: string): string | undefined {
  const pointer = readGuidedPointer(userDirectories, session);
  if (pointer === undefined) return undefined;
  const read = readRun(pointer, pointer.instance);
  return read.kind === "run" && read.run.status === "started" ? read.run.instance : undefined;
}

function unrecorded(why: string): ExecutionError {
  return new ExecutionError(`can't start: the run can't be recorded (${why})`);
}

/** A client that a Stop hook can tell to continue. */
type GuidingClient = Client & { readonly continuation: Continuation };

/** A check must end before the client ends the hook, after ten minutes. */
const MAX_CHECK_MS = 570_000;

/**
 * Answers a client whose model stopped in a guided session: lets it stop, or prints the client's documented
 * continuation with the next prompt. A run that failed is told to the user and the model, once; if the client won't
 * continue any more, the model is told at its next stop.
 *
 * @effect records the run first: an unrecorded prompt is not given, or the run would never end; a check's command
 */
export async function answerStop(
  world: World,
  userDirectories: UserDirectories,
  client: GuidingClient,
  pointer: GuidedPointer,
  heard: Extract<EventKind, { kind: "stop" }>,
): Promise<void> {
  const read = readRun(pointer, pointer.instance);
  const notify = ({ user, model }: Notice) => void world.write(client.continuation.notice(user, model));
  if (read.kind !== "run" || read.run.session !== pointer.session) {
    world.trace("guided-run-gone", { instance: pointer.instance, kind: read.kind });
    removeGuidedPointer(userDirectories, pointer.session);
    // As long as the pointer exists, every stop would say this again.
    const isOver = readGuidedPointer(userDirectories, pointer.session) === undefined;
    return notify(lostNotice(pointer.instance, isOver));
  }
  // Another hook of the same event has answered it: clients start all of them at once.
  if (read.run.updatedAt > world.now() - world.ticks()) return world.trace("guided-answered", { n: read.run.n });
  if (read.run.status !== "started") return tellLate(world, userDirectories, client, pointer, read.run);
  const present = { ...read.run, continuations: heard.isContinued ? read.run.continuations : 0 };
  const judged = await judgeStop(world, userDirectories, client.continuation.max, present, heard.message);
  const { run, answer } = answered(world, client, pointer, judged);
  const notice = noticeOf(run, run.continuations < client.continuation.max);
  const isUntold = notice === undefined ? run.isUntold : notice.isOwed === true;
  const saved = saveRun(world, pointer, { ...run, isUntold });
  world.trace("guided", { instance: run.instance, step: run.step, status: run.status, saved: saved.kind });
  if (saved.kind === "failed") {
    // If another process was faster, it has told everything.
    if (saved.reason !== CHANGED_MEANWHILE) notify(unrecordedNotice(run.instance, saved.reason));
    return;
  }
  if (run.status === "stopped") {
    if (notice?.isOwed !== true) removeGuidedPointer(userDirectories, pointer.session);
    removeQuietly(promptPath(pointer, run));
  }
  if (notice !== undefined) notify(notice);
  else if (answer !== undefined) world.write(answer);
}

/**
 * The prompt that the session's model works on, for a model that has forgotten it; empty unless a run is in progress.
 *
 * @input  hasRoom: whether a text has room in the answer; a longer one is put into a file that the model is told to read
 */
export async function presentPrompt(
  world: World,
  userDirectories: UserDirectories,
  pointer: GuidedPointer,
  hasRoom: (text: string) => boolean,
): Promise<string> {
  const read = readRun(pointer, pointer.instance);
  if (read.kind !== "run" || read.run.session !== pointer.session) return "";
  const { run } = read;
  if (run.status !== "started" || run.isUntold) return "";
  const opened = await openDefinition(world, { userDirectories }, run.definition, undefined);
  if ("code" in opened) return "";
  const { definition, directory } = opened.validated;
  const prompt = await nextPrompt(definition, run, createPromptResolver(directory));
  const heading = `You work on step '${run.step}' of agent '${definition.name}'. Its prompt again:`;
  const whole = defuse(`${heading}\n\n${prompt}\n`);
  if (hasRoom(whole)) return whole;
  const written = writeWhole(world, promptPath(pointer, run), prompt);
  return written.kind === "written"
    ? `${heading} read all of '${promptPath(pointer, run)}' and do what it says.\n`
    : "";
}

/** A run that has ended: its model may still have to be told. */
function tellLate(
  world: World,
  userDirectories: UserDirectories,
  { continuation }: GuidingClient,
  pointer: GuidedPointer,
  run: AgentRun,
): void {
  removeGuidedPointer(userDirectories, pointer.session);
  const notice = run.isUntold ? noticeOf(run, true) : undefined;
  if (notice?.model === undefined) return;
  const saved = saveRun(world, pointer, { ...run, isUntold: false });
  if (saved.kind === "changed") world.write(continuation.answer(notice.model));
}

async function judgeStop(
  world: World,
  userDirectories: UserDirectories,
  maxContinuations: number,
  run: AgentRun,
  message: string,
): Promise<Guided> {
  try {
    const opened = await openDefinition(world, { userDirectories }, run.definition, undefined);
    if ("code" in opened) {
      return ended(run, opened.message, opened.code === "denied" ? FAILURES.denied : FAILURES.unusable);
    }
    const { validated } = opened;
    const timeoutMs = Math.min(MAX_CHECK_MS, limitsOf(validated.definition).timeoutMs);
    return await guide(validated.definition, run, message, {
      prompts: createPromptResolver(validated.directory),
      checkByCommand: (words, answer) => {
        const { signal } = new AbortController();
        return trustedChecks(world, userDirectories, opened)({ words, cwd: run.cwd, answer, timeoutMs, signal });
      },
      maxContinuations,
      now: world.now,
    });
  } catch (error) {
    return ended(run, messageOf(error), failureOf(error));
  }
}

function ended(run: AgentRun, why: string, failure: Failure): Guided {
  return { run: { ...run, status: "stopped", result: failed(why, run.summaries, failure) }, say: undefined };
}

/** If a prompt is too long for the client, it goes into a file that the model is told to read. */
function answered(
  world: World,
  client: GuidingClient,
  place: RunsDirectory,
  { run, say }: Guided,
): { readonly run: AgentRun; readonly answer: string | undefined } {
  if (say === undefined) return { run, answer: undefined };
  if (fits(client, say)) return { run, answer: client.continuation.answer(say) };
  const path = promptPath(place, run);
  const written = writeWhole(world, path, say);
  if (written.kind === "written") {
    return { run, answer: client.continuation.answer(`Read all of '${path}' and do what it says.`) };
  }
  const why = `the next prompt is too long for the client, and '${path}' can't be written (${written.errno})`;
  return { run: ended(run, why, FAILURES.untold).run, answer: undefined };
}

function promptPath(location: RunsDirectory, { instance }: AgentRun): string {
  return join(runsDirectory(location), `${instance}.prompt.md`);
}

interface GuideMeans {
  readonly prompts: PromptResolver;
  readonly checkByCommand: (words: readonly string[], answer: string) => Promise<StepCheckResult>;
  /** How many times in a row the client can be told to continue. */
  readonly maxContinuations: number;
  readonly now: () => number;
}

interface Guided {
  readonly run: AgentRun;
  /** The next prompt; undefined if the model may stop. */
  readonly say: string | undefined;
}

/** Handles one stop as in a driven run, except that a check by prompt takes another turn. */
async function guide(definition: AgentDefinition, run: AgentRun, message: string, means: GuideMeans): Promise<Guided> {
  // The model has not been given the prompt yet, so the message does not answer it.
  const next = run.isUntold ? run : await judgeMessage(definition, run, message, means);
  if (next.result !== undefined) return { run: { ...next, status: "stopped" }, say: undefined };
  const say = await nextPrompt(definition, next, means.prompts);
  if (next.continuations >= means.maxContinuations) return { run: { ...next, isUntold: true }, say: undefined };
  return { run: { ...next, isUntold: false, continuations: next.continuations + 1 }, say };
}

/** The prompt for the run's present step, or for its check. */
export async function nextPrompt(definition: AgentDefinition, run: AgentRun, prompts: PromptResolver): Promise<string> {
  const step = stepOf(definition, run.step);
  if (step === undefined) throw new Error(`there is no step '${run.step}'`);
  const context = createStepContext(run.outputs);
  const variables = stepVariables(run.step, step, context, run.variables);
  if (run.awaiting === "review" && step.check?.type === "prompt") {
    return checkText(await prompts.resolve(step.check.prompt, checkVariables(run.step, step, variables, context)));
  }
  const text = stepText(definition, run, step, await prompts.resolve(step.prompt, variables));
  if (run.branch === undefined) return text;
  return `Work in '${run.cwd}', the worktree of branch '${run.branch}', and nowhere else.\n\n${text}`;
}

async function judgeMessage(
  definition: AgentDefinition,
  run: AgentRun,
  message: string,
  means: GuideMeans,
): Promise<AgentRun> {
  const step = stepOf(definition, run.step);
  if (step === undefined) throw new Error(`there is no step '${run.step}'`);
  if (run.awaiting === "review") return settle(definition, run, judgeReview({ text: message }), means);
  const context = createStepContext(run.outputs);
  const iteration = run.summaries.length + 1;
  const carry = carryOver(run.previousResponse, run.outputs);
  const turn = { name: run.step, step, answer: { text: message }, iteration, carry };
  const judged = judgeAnswer(turn, context, createCompletion(definition.completion));
  const outputs = { ...context.outputs } as AgentRun["outputs"];
  const sameAnswers = countAnswer(run.sameAnswers, run.step, message);
  const heard: AgentRun = { ...run, outputs, sameAnswers, previousResponse: keptResponse(message) };
  switch (judged.kind) {
    case "complete": {
      const last = withSummary(heard, judged.result, means);
      return { ...last, result: succeeded(judged.reason, last.summaries) };
    }
    case "checked":
      return settle(definition, heard, judged.result, means);
    case "command":
      return settle(definition, heard, await means.checkByCommand(judged.command, message), means);
    case "prompt":
      return { ...heard, awaiting: "review" };
  }
}

/** Ends the iteration and moves on. */
function settle(definition: AgentDefinition, run: AgentRun, verdict: StepCheckResult, means: GuideMeans): AgentRun {
  const { complaint: _before, ...judged } = withSummary(run, verdict, means);
  const flow = createStepFlow(definition, { step: run.step, failures: run.failures });
  const transition = flow.transition(verdict);
  const { summaries } = judged;
  switch (transition.kind) {
    case "complete":
      return { ...judged, result: succeeded(transition.reason, summaries) };
    case "used-up":
      return { ...judged, result: failed(transition.error, summaries, FAILURES.notPassed) };
    case "step": {
      const next: AgentRun = { ...judged, ...flow.position, ...(!verdict.pass && { complaint: verdict.reason }) };
      const { maxIterations, maxSameAnswers } = limitsOf(definition);
      const loop = loopAt(run.sameAnswers, run.step, maxSameAnswers);
      if (loop !== undefined) return { ...next, result: failed(loop, summaries, FAILURES.sameAnswer) };
      if (summaries.length < maxIterations) return next;
      return { ...next, result: failed(limitReached(maxIterations), summaries, FAILURES.limitReached) };
    }
  }
}

function withSummary(run: AgentRun, verdict: StepCheckResult, { now }: GuideMeans): AgentRun {
  const summary: IterationSummary = {
    iteration: run.summaries.length + 1,
    step: run.step,
    ...summarized(verdict),
    queries: run.awaiting === "review" ? 2 : 1,
    durationMs: Math.max(0, now() - run.updatedAt),
  };
  return { ...run, awaiting: "answer", summaries: [...run.summaries, summary] };
}
